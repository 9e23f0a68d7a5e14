import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { completesRepository, isStillInRepository, type LookInto } from '../gitRepository.ts';
import { WorkspaceFileError } from '../workspaceFiles.ts';
import type { OpenFolder } from './openFolder.ts';
import { relativeParts } from './workspaceRoots.ts';

/** @throws WorkspaceFileError when git would treat the folder as a repository with this in it */
export async function refuseCompletion(
  folder: OpenFolder,
  name: string,
  kind: 'folder' | 'file',
  shown: string,
): Promise<void> {
  if (await completesRepository(name, kind, lookInto(folder))) {
    throw new WorkspaceFileError('git-repository', shown);
  }
}

export function lookInto(folder: OpenFolder): LookInto {
  return async (name) => kindOf(await folder.stat(name));
}

function kindOf(found: BigIntStats | undefined): 'folder' | 'other' | undefined {
  return found && (found.isDirectory() ? 'folder' : 'other');
}

/** Whether a folder belongs to a repository, itself or through a parent; a nested work tree has its own `.git`. */
export async function isInRepository(real: string): Promise<boolean> {
  const { root } = path.parse(real);
  const parts = relativeParts(root, real);
  let inRepository = false;
  for (let depth = 0; depth <= parts.length; depth += 1) {
    const folder = path.join(root, ...parts.slice(0, depth));
    const look: LookInto = async (name) =>
      kindOf(await lstat(path.join(folder, name), { bigint: true }).catch(() => undefined));
    inRepository = await isStillInRepository(inRepository, look);
  }
  return inRepository;
}
