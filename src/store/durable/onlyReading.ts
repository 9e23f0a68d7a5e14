import type { Files } from '../../platform/files.ts';

/** A write was attempted where only reading is allowed: a bug of this program. */
class OnlyReadingError extends Error {
  constructor(what: string) {
    super(`A reader was to ${what}.`);
    this.name = 'OnlyReadingError';
  }
}

/** Files for code that must never write. Missing folders are not created, and access rights stay as they are. */
export function onlyReading(files: Files): Files {
  const refuse = (what: string) => () => Promise.reject(new OnlyReadingError(what));
  return {
    read: (path, options) => files.read(path, options),
    stamp: (path) => files.stamp(path),
    list: (folder) => files.list(folder),
    join: (folder, name) => files.join(folder, name),
    ensureFolder: () => Promise.resolve(),
    protect: () => Promise.resolve(),
    write: refuse('write a file'),
    replace: refuse('replace a file'),
    openLog: refuse('open a journal'),
    move: refuse('move a file'),
    remove: refuse('remove a file'),
    createExclusively: refuse('make a file'),
    touch: refuse('touch a file'),
  };
}
