import { SharedBacking } from '../store/sharedBacking.ts';
import type { StoreBacking } from '../store/storeSession.ts';

// Two stores on one file have to work, for a program may make one wherever it needs it and close none. Only one can
// write the file, so within a process they share it. That is state of the whole process, the only one there is here: it
// has to be found by stores that know nothing of each other, also when this module was loaded twice under different
// addresses, so it hangs on the global object, under a name that says how what is shared looks. What remains of a file
// that is closed is a few hundred bytes; another process, or another thread, is kept out by the lock.

const NAME = Symbol.for('offshoot.openDatabases.1');

/** What this process has opened, or may open, by the real path of each file. */
function openDatabases(): Map<string, SharedBacking> {
  const global: { [NAME]?: Map<string, SharedBacking> } & object = globalThis;
  const known = global[NAME];
  if (known) return known;
  const databases = new Map<string, SharedBacking>();
  global[NAME] = databases;
  return databases;
}

/** What stores on this file share. @param make when it is the first of them */
export function sharedBacking(realPath: string, make: () => StoreBacking): SharedBacking {
  const databases = openDatabases();
  const known = databases.get(realPath);
  if (known) return known;
  const shared = new SharedBacking(make());
  databases.set(realPath, shared);
  return shared;
}
