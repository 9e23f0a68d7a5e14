import { uriBelow } from '../../../host/fileUri.ts';
import type { GuardedFiles } from '../../../host/guardedFiles.ts';
import type { FileContent, FileLocation, WorkspaceMoment } from '../../../host/workspaceFiles.ts';
import type { FileWriter } from '../tool.ts';

/** What a command did to the open folders, as the user names the files. */
export interface ChangedByCommand {
  readonly recorded: readonly string[];
  /** They cannot be restored. */
  readonly lost: readonly string[];
  /** Their owner, permissions or other attributes changed, which are not restored. */
  readonly attributes: readonly string[];
  /** They were not looked into, or are too large to be kept. */
  readonly unwatched: readonly string[];
}

/**
 * Records what changed, so that it can be undone.
 * @param isPassing whether an empty folder there comes and goes with what runs
 * @returns undefined when it is not known
 */
export async function recordChanges(
  before: WorkspaceMoment,
  guarded: Pick<GuardedFiles, 'folders'>,
  files: FileWriter | undefined,
  isPassing: (uri: string) => boolean = () => false,
): Promise<ChangedByCommand | undefined> {
  const changes = await before.changes();
  if (!changes) return undefined;
  const { attributes, unwatched } = changes;
  const found = changes.found.filter(
    (each) =>
      !(
        (isFolder(each.before) || isFolder(each.after)) &&
        (each.before === null || each.after === null) &&
        isPassing(uriBelow(each.folder, each.path))
      ),
  );
  const left = files ? await files.recordFound(found) : found;
  const shown = namesIn(guarded);
  const nameOf = (change: (typeof found)[number]): string =>
    `${shown(change)}${isFolder(change.before) || isFolder(change.after) ? '/' : ''}`;
  return {
    recorded: found.filter((each) => !left.includes(each)).map(nameOf),
    lost: left.map(nameOf),
    attributes: attributes.map(shown),
    unwatched: unwatched.map(shown),
  };
}

/** How files are named to the user: with the folder's name if several are open. */
export function namesIn(guarded: Pick<GuardedFiles, 'folders'>): (file: FileLocation) => string {
  const opened = guarded.folders();
  return ({ folder, path }) => {
    const name = opened.find(({ uri }) => uri === folder)?.name ?? '';
    if (path === '') return opened.length > 1 ? name : '.';
    return opened.length > 1 ? `${name}/${path}` : path;
  };
}

function isFolder(content: FileContent | null | 'unknown'): boolean {
  return content !== null && content !== 'unknown' && content.kind === 'folder';
}

const MAX_NAMED = 20;

/** @param changed undefined: not known */
export function describeChanges(changed: ChangedByCommand | undefined, hasEnded: boolean): string[] {
  if (!changed) {
    return [
      '[The workspace has too many files to tell which the command changed. A rewind does not restore them.]',
    ];
  }
  const { recorded, lost, attributes, unwatched } = changed;
  return [
    ...note('Files it changed', recorded),
    ...note('It also changed these, which a rewind does not restore', lost),
    ...note('A rewind does not restore the owner, permissions and other attributes of these', attributes),
    ...note('Not watched: what it changed in these is not known, or is not restored by a rewind', unwatched),
    ...(hasEnded ? [] : ['[What it changes while nobody waits for it is not restored by a rewind.]']),
  ];
}

function note(about: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - MAX_NAMED;
  return [`[${about}: ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}]`];
}
