import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { BranchFilesLimits } from '../../branchFiles.ts';
import { BranchFilesError } from '../../branchFilesError.ts';
import { isInside } from '../workspaceRoots.ts';

/** Adds up what is to be copied. */
export class CopiedAmount {
  private files = 0;
  private bytes = 0;

  constructor(private readonly limits: Pick<BranchFilesLimits, 'maxFiles' | 'maxBytes'>) {}

  /** @throws BranchFilesError when it is more than the limits allow */
  add(bytes: number): void {
    const { maxFiles, maxBytes } = this.limits;
    this.files += 1;
    this.bytes += bytes;
    if (this.files > maxFiles) {
      throw new BranchFilesError('too-large', `more than ${maxFiles} files`);
    }
    if (this.bytes > maxBytes) {
      throw new BranchFilesError('too-large', `more than ${Math.round(maxBytes / 1_000_000)} MB`);
    }
  }
}

interface CopyOptions {
  readonly amount: CopiedAmount;
  /** Names that are not copied, in any folder. */
  readonly without: ReadonlySet<string>;
  /** A folder that is not copied, where the new one may be in. */
  readonly except: string;
  readonly signal?: AbortSignal | undefined;
}

/** Copies files, folders and links; where the disk can, copies share their blocks until one of them is changed. */
export async function copyFolder(from: string, to: string, options: CopyOptions): Promise<void> {
  const { amount, without, except, signal } = options;
  signal?.throwIfAborted();
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (without.has(entry.name) || isInside(except, source)) continue;
    if (entry.isDirectory()) await copyFolder(source, target, options);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) {
      amount.add((await lstat(source)).size);
      await copyOne(source, target);
    }
  }
}

/** With its time, as build tools compare them. */
async function copyOne(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_FICLONE);
  const { atime, mtime } = await lstat(source);
  await utimes(target, atime, mtime);
}

/** Copies a file or a folder that git ignores, if there is not too much in it. */
export async function copyIgnored(from: string, to: string, options: CopyOptions): Promise<void> {
  const found = await lstat(from);
  if (found.isDirectory()) {
    await copyFolder(from, to, options);
    return;
  }
  if (!found.isFile()) return;
  options.amount.add(found.size);
  await copyOne(from, to);
}
