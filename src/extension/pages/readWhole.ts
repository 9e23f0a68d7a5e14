import type { Runs } from '../../agent/run/runs.ts';

/** The maximum number of reads while answers are saved in between; their events follow anyway. */
const MAX_READS = 3;

/**
 * Reads what has both saved answers and those being written. One that is saved during the read may be missing: not yet
 * stored at first, and in no run afterwards. Then everything is read again.
 */
export async function readWhole<T>(
  runs: Pick<Runs, 'onlyHere'>,
  chatId: string,
  read: () => Promise<T>,
): Promise<T> {
  for (let reads = 1; ; reads += 1) {
    const before = runs.onlyHere(chatId);
    const found = await read();
    const after = runs.onlyHere(chatId);
    if (reads === MAX_READS || [...before].every((id) => after.has(id))) return found;
  }
}
