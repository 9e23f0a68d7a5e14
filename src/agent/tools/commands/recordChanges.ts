import type { GuardedFiles } from '../../../platform/guardedFiles.ts';
import type { FoundChange, WorkspaceMoment } from '../../../platform/workspaceChanges.ts';
import type { FileWriter } from '../fileWriter.ts';
import type { ChangedByCommand } from './describeCommand.ts';

/**
 * Records with the conversation what has changed since `before`.
 * @returns undefined when it is not known
 */
export async function recordChanges(
  before: WorkspaceMoment,
  guarded: GuardedFiles,
  files: FileWriter | undefined,
): Promise<ChangedByCommand | undefined> {
  const found = await before.changes();
  if (!found) return undefined;
  const left = files ? await files.recordFound(found) : found;
  const opened = guarded.folders();
  const shown = ({ folder, path }: FoundChange): string =>
    opened.length > 1 ? `${opened.find(({ uri }) => uri === folder)?.name ?? ''}/${path}` : path;
  return {
    recorded: found.filter((each) => !left.includes(each)).map(shown),
    lost: left.map(shown),
  };
}
