import type { BranchData } from '../../engine/graph.ts';
import type { AttemptView } from '../../protocol/chatFromHost.ts';
import type { StoredRacer, CheckResult } from '../files/storedRacers.ts';
import type { KnownOwnFiles } from '../files/knownOwnFiles.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import { effortText } from '../models/reasoningEffort.ts';

/** How many changed files are listed. */
const MAX_FILES = 200;

/** Undefined for a branch that works in the workspace. */
export async function readAttempt(
  ownFiles: Pick<OwnFiles, 'knownOf'>,
  branch: BranchData,
  isWriting: boolean,
): Promise<AttemptView | undefined> {
  const known = await ownFiles.knownOf(branch.chatId);
  const record = await known?.recordAt(branch);
  if (!known || !record) {
    return (await known?.isElsewhere(branch))
      ? { isOpen: false, isElsewhere: true, changed: [], more: 0 }
      : undefined;
  }
  const racer = await known.racers.read(record.id);
  const lines = known.progress.look(record, branch);
  // While they are written, each change would have all of them read again.
  const changed = isWriting ? [] : await known.progress.changedFiles(record.id);
  return {
    isOpen: record.state === 'open',
    ...(lines ? { lines } : {}),
    changed: changed.slice(0, MAX_FILES),
    more: Math.max(0, changed.length - MAX_FILES),
    ...(racer.effort === undefined ? {} : { effort: effortText(racer.effort) }),
    ...(racer.hint === undefined ? {} : { hint: racer.hint }),
    ...(racer.check ? { check: await checkView(known, record.id, racer.check, isWriting) } : {}),
  };
}

async function checkView(
  known: KnownOwnFiles,
  id: string,
  { command, result }: NonNullable<StoredRacer['check']>,
  isWriting: boolean,
): Promise<AttemptView['check']> {
  if (known.progress.checks.isRunning(id)) return { command, state: 'running' };
  if (isWriting) return { command, state: 'waiting' };
  if (await known.progress.isCheckedElsewhere(id)) return { command, state: 'elsewhere' };
  if (!result) return { command, state: 'none' };
  const { exitCode, duration, output } = result;
  return { command, state: stateOf(result), exitCode, duration, output };
}

function stateOf({ end, exitCode }: CheckResult): 'passed' | 'failed' | 'stopped' | 'late' {
  if (end !== 'ended') return end;
  return exitCode === 0 ? 'passed' : 'failed';
}
