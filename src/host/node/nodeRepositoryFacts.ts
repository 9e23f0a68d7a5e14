import { lstat, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { encodedPath } from '../fileUri.ts';
import type { RepositoryFacts } from '../folderFacts.ts';
import { pathOf, uriOf } from './fileUris.ts';
import { firstCommit } from './gitFiles.ts';
import { relativeParts } from './workspaceRoots.ts';

/** Undefined where there is no repository, or it can't be read. */
export async function nodeRepositoryFacts(uri: string): Promise<RepositoryFacts | undefined> {
  if (!uri.startsWith('file:')) return undefined;
  try {
    const real = await realpath(pathOf(uri));
    const found = await findRepository(real);
    if (!found) return undefined;
    const first = await firstCommit(real);
    return {
      common: uriOf(found.common),
      below: encodedPath(relativeParts(found.workTree, real).join('/')),
      ...(first === undefined ? {} : { first }),
    };
  } catch {
    return undefined;
  }
}

/** Where a repository is, as paths. */
export interface FoundRepository {
  readonly workTree: string;
  /** What git has of this work tree alone. */
  readonly own: string;
  /** What its work trees share. */
  readonly common: string;
}

/** That of the folder itself or the nearest one above it that has a `.git`. Starts no program. */
export async function findRepository(folder: string): Promise<FoundRepository | undefined> {
  for (let workTree = folder; ; workTree = path.dirname(workTree)) {
    const git = path.join(workTree, '.git');
    const found = await lstat(git).catch(() => undefined);
    const own = found?.isDirectory()
      ? git
      : found?.isFile()
        ? await leadsTo(git, /^gitdir: (.+)$/mu)
        : undefined;
    if (own !== undefined) {
      return {
        workTree,
        own,
        common: await realpath((await leadsTo(path.join(own, 'commondir'), /^(.+)$/mu)) ?? own),
      };
    }
    if (path.dirname(workTree) === workTree) return undefined;
  }
}

/** The path that is written in a file, taken from its folder. */
async function leadsTo(file: string, pattern: RegExp): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const written = pattern.exec(text)?.[1]?.trim();
  return written === undefined ? undefined : path.resolve(path.dirname(file), written);
}
