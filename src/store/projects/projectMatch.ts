import type { FolderFacts } from '../../host/folderFacts.ts';
import type { ProjectFolder, ProjectRecord } from './projectRecord.ts';

/**
 * `same`: no doubt that it is one folder, or one set of folders. `likely`: it may be a copy, a clone, or another folder
 * of the name. `part`: some folders of the one are folders of the other.
 */
export type MatchKind = 'same' | 'part' | 'likely';

type FileMatch = 'same' | 'likely' | 'different' | 'unknown';

/** Undefined: two folders that have nothing to do with each other. The same whichever of them was there first. */
export function matchFolders(one: ProjectFolder, other: ProjectFolder): 'same' | 'likely' | undefined {
  const file = matchFiles(one, other);
  const history = matchHistories(one, other);
  if (one.real === other.real) {
    // A folder that was made again in the place of another one, unless what is in it says otherwise.
    return file === 'different' && history !== 'same' ? 'likely' : 'same';
  }
  if (file === 'same') return 'same';
  return file === 'likely' || history !== undefined ? 'likely' : undefined;
}

function matchFiles(one: FolderFacts, other: FolderFacts): FileMatch {
  if (!one.file || !other.file || one.machine !== other.machine) return 'unknown';
  const isSameId = one.file.id === other.file.id;
  // Where a disk does not say when a folder was made, its id may be another one each time it is connected.
  if (one.file.born === '0' || other.file.born === '0') return isSameId ? 'likely' : 'unknown';
  if (!isSameId || one.file.born !== other.file.born) return 'different';
  // The number of a device may change with a restart, and a snapshot of a disk has the ids of the disk.
  return one.file.device === other.file.device ? 'same' : 'likely';
}

/** `likely`: one folder of git, which need not hold what it held before. */
function matchHistories(
  { git: one }: ProjectFolder,
  { git: other }: ProjectFolder,
): 'same' | 'likely' | undefined {
  if (!one || !other || one.below !== other.below) return undefined;
  if (one.first !== undefined && other.first !== undefined)
    return one.first === other.first ? 'same' : undefined;
  return one.common === other.common ? 'likely' : undefined;
}

/** @param folders that are open now */
export function matchProject(
  record: Pick<ProjectRecord, 'folders'>,
  folders: readonly ProjectFolder[],
): MatchKind | undefined {
  const left = new Set(record.folders);
  let matched = 0;
  let isLikely = false;
  for (const folder of folders) {
    const found = [...left].find((each) => matchFolders(each, folder) === 'same');
    if (found) {
      left.delete(found);
      matched += 1;
    } else isLikely ||= record.folders.some((each) => matchFolders(each, folder) !== undefined);
  }
  if (matched === 0) return isLikely ? 'likely' : undefined;
  return matched === folders.length && left.size === 0 ? 'same' : 'part';
}

/**
 * Texts of which a record that matches has at least one in its line: by them it is found without reading the others.
 * Ids may also stand in the lines of others, which do not match then.
 */
export function textsToFind({ real, file, git }: ProjectFolder): string[] {
  const member = (name: string, value: string): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return [
    member('real', real),
    ...(file ? [member('id', file.id)] : []),
    ...(git ? [member('common', git.common)] : []),
    ...(git?.first === undefined ? [] : [member('first', git.first)]),
  ];
}
