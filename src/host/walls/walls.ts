/** What a program in a sandbox finds of the machine. All paths are absolute and real; nothing else exists in it. */
export interface Walls {
  /** Files and folders that may be read. */
  readonly readable: readonly string[];
  /** Links at the root, such as `/bin`, and where they lead. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** Folders that may be written below. */
  readonly writable: readonly string[];
  /** Files and folders below the writable ones that may only be read. */
  readonly kept: readonly string[];
  /** Empty folders with protected names, where there were none: so no others can be made. */
  readonly held: readonly string[];
  /** Files and folders that may not be read, although they are below others that may. */
  readonly hiddenFiles: readonly string[];
  readonly hiddenFolders: readonly string[];
  /** The folder that stands for the temporary one. */
  readonly temporary: string;
}

/** Whether a path is another one, or below it. */
export function isAtOrBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

/** The folders between a writable one and what is kept below it, without both. */
export function foldersAbove({ kept, writable }: Pick<Walls, 'kept' | 'writable'>): readonly string[] {
  const found = new Set<string>();
  for (const each of kept) {
    const isWritable = (folder: string): boolean => writable.includes(folder);
    for (let at = parentOf(each); at !== '/' && !isWritable(at); at = parentOf(at)) found.add(at);
  }
  return [...found].filter((folder) => writable.some((each) => isAtOrBelow(each, folder)));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
