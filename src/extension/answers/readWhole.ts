import type { Runs } from '../../agent/runs.ts';

/** How often it is read at most, while answers are saved in the middle of it; their events follow anyway. */
const MAX_READS = 3;

/**
 * Reads what has both saved answers and those on their way. One that is saved meanwhile may be missing in what was read:
 * not yet in the store at first, in no run any more at last. Then it is read again.
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
