import { SharedBacking } from '../store/sharedBacking.ts';
import type { StoreBacking } from '../store/storeSession.ts';

// Two stores on one file must work, because a program may make a store in several places and close none. Only one can
// write the file, so within a process they share it. This is the only process-wide state here: independent stores
// must find it, even when this module was loaded twice under different addresses, so it is stored on the global
// object, under a name that includes the version of its layout. A closed file leaves a few hundred bytes; the lock
// excludes other processes and threads.

const NAME = Symbol.for('offshoot.openDatabases.1');

/** The files this process has opened, or may open, by real path. */
function openDatabases(): Map<string, SharedBacking> {
  const global: { [NAME]?: Map<string, SharedBacking> } & object = globalThis;
  const known = global[NAME];
  if (known) return known;
  const databases = new Map<string, SharedBacking>();
  global[NAME] = databases;
  return databases;
}

/** The state that stores on this file share. @param make called for the first of them */
export function sharedBacking(realPath: string, make: () => StoreBacking): SharedBacking {
  const databases = openDatabases();
  const known = databases.get(realPath);
  if (known) return known;
  const shared = new SharedBacking(make());
  databases.set(realPath, shared);
  return shared;
}
