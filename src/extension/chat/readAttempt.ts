import type { BranchData } from '../../engine/graph.ts';
import type { AttemptView } from '../../protocol/chatFromHost.ts';
import type { BranchSetup, CheckResult } from '../files/branchSetups.ts';
import type { KnownOwnFiles } from '../files/knownOwnFiles.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import { effortText } from '../models/reasoningEffort.ts';

/** How many changed files are listed. */
const MAX_FILES = 200;

/** Undefined for a branch that works in the workspace, or whose files are on another machine. */
export async function readAttempt(
  ownFiles: Pick<OwnFiles, 'known'>,
  branch: BranchData,
  isWriting: boolean,
): Promise<AttemptView | undefined> {
  const known = await ownFiles.known();
  const record = await known?.recordAt(branch);
  if (!known || !record) return undefined;
  const setup = await known.setups.read(record.id);
  const lines = known.progress.linesOf(record.id);
  if (!lines && record.state === 'open') void known.progress.count(record.id);
  // While they are written, each change would have all of them read again.
  const changed = isWriting ? [] : await known.progress.changedFiles(record.id);
  return {
    isOpen: record.state === 'open',
    ...(lines ? { lines } : {}),
    changed: changed.slice(0, MAX_FILES),
    more: Math.max(0, changed.length - MAX_FILES),
    ...(setup.effort === undefined ? {} : { effort: effortText(setup.effort) }),
    ...(setup.hint === undefined ? {} : { hint: setup.hint }),
    ...(setup.check ? { check: checkView(known, record.id, setup.check, isWriting) } : {}),
  };
}

function checkView(
  known: KnownOwnFiles,
  id: string,
  { command, result }: NonNullable<BranchSetup['check']>,
  isWriting: boolean,
): AttemptView['check'] {
  if (known.progress.checks.isRunning(id)) return { command, state: 'running' };
  if (isWriting) return { command, state: 'waiting' };
  if (!result) return { command, state: 'none' };
  const { exitCode, duration, output } = result;
  return { command, state: stateOf(result), exitCode, duration, output };
}

function stateOf({ end, exitCode }: CheckResult): 'passed' | 'failed' | 'stopped' | 'late' {
  if (end !== 'ended') return end;
  return exitCode === 0 ? 'passed' : 'failed';
}
