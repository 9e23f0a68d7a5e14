import { lstat, rename } from 'node:fs/promises';
import path from 'node:path';
import { ASIDE } from '../../aside.ts';
import type { SetAside } from '../../sandbox.ts';
import { isAtOrBelow } from '../../walls/walls.ts';
import type { ProtectedPlaces } from './findWalls.ts';

/**
 * Gives what has come to be protected in the folders another name, so that nothing takes it for what it was called.
 * @param folders real paths
 * @param others what is not the command's there
 */
export async function setAside(
  folders: readonly string[],
  before: ProtectedPlaces,
  now: ProtectedPlaces,
  others: readonly string[],
): Promise<SetAside> {
  const known = new Set([...before.kept, ...others]);
  const found = [
    ...now.kept.filter((each) => !known.has(each)),
    ...[...now.links].flatMap(([each, target]) => (before.links.get(each) === target ? [] : [each])),
  ];
  const made: string[] = [];
  // Some patterns of names take it as well.
  for (const each of found.filter((file) => !isAside(file))) {
    const root = folders.find((folder) => isAtOrBelow(folder, each));
    // A repository by what is in it is none without this.
    const from = now.repositories.has(each) ? path.join(each, 'HEAD') : each;
    if (root !== undefined && (await isRenamed(from))) made.push(path.relative(root, each));
  }
  return { made, isCut: now.isCut };
}

function isAside(file: string): boolean {
  return /^(?:-\d+)?$/u.test(file.split(ASIDE).at(-1) ?? '');
}

async function isRenamed(from: string): Promise<boolean> {
  for (let count = 1; ; count += 1) {
    const to = `${from}${ASIDE}${count === 1 ? '' : `-${count}`}`;
    if (await isThere(to)) continue;
    return rename(from, to).then(
      () => true,
      // It has gone again.
      () => false,
    );
  }
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
