import type { ContextAttachment } from '../../protocol/attachments.ts';

const MAX_FOLDERS = 5;

/** Attachments that exist once, by the words for them. */
const words = ['problems', 'changes'] as const;

/**
 * What the typed text may mean in addition to files.
 * @param paths the files that were found, as shown to the user
 */
export function proposeContext(
  hasFolder: boolean,
  paths: readonly string[],
  query: string,
): ContextAttachment[] {
  if (!hasFolder) return [];
  const wanted = query.toLowerCase();
  const ofWords = words.filter((word) => word.startsWith(wanted));
  const folders = wanted === '' ? [] : [...new Set(paths.flatMap(foldersOf))].filter(isMeant(wanted));
  return [
    ...ofWords.map((of): ContextAttachment => ({ type: 'context', of, name: '' })),
    ...folders
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
      .slice(0, MAX_FOLDERS)
      .map((name): ContextAttachment => ({ type: 'context', of: 'folder', name })),
  ];
}

export function mayMeanBranch(query: string): boolean {
  return ['branch', 'checkpoint'].some((word) => word.startsWith(query.toLowerCase()));
}

function isMeant(wanted: string): (folder: string) => boolean {
  return (folder) => folder.toLowerCase().includes(wanted.replace(/\/$/u, ''));
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
