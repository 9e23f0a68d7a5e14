import type { BigIntStats, Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { FileKindError, type FileKind } from '../files.ts';

/** What stands at a path. */
interface Found {
  readonly kind: FileKind;
  readonly isLink: boolean;
  /** Of the file itself where a link leads to one. */
  readonly stats: BigIntStats;
}

/**
 * What stands at a path; undefined when the name is free. Nothing is opened: opening a pipe may never end, and opening
 * a device may already do something.
 * @throws FileKindError when it is below something that is not a folder
 */
export async function find(location: string): Promise<Found | undefined> {
  const own = await unless(['ENOENT'], lstat(location, { bigint: true })).catch(async (error: unknown) => {
    throw (hasCode(error, 'ENOTDIR') ? await folderProblem(path.dirname(location)) : undefined) ?? error;
  });
  if (!own) return undefined;
  if (!own.isSymbolicLink()) return { kind: kindOf(own), isLink: false, stats: own };
  const target = await unless(['ENOENT', 'ENOTDIR', 'ELOOP'], stat(location, { bigint: true }));
  return { kind: target ? kindOf(target) : 'dangling link', isLink: true, stats: target ?? own };
}

/**
 * A regular file, or the one that a link leads to; undefined when the name is free.
 * @throws FileKindError for anything else
 */
export async function findFile(location: string): Promise<Found | undefined> {
  const found = await find(location);
  if (found && found.kind !== 'file') throw new FileKindError(location, found.kind, 'file');
  return found;
}

/** What stands where a folder should be; undefined when it is a folder, or nothing. */
export async function folderProblem(folder: string): Promise<FileKindError | undefined> {
  const kind = (await find(folder))?.kind;
  return kind === undefined || kind === 'folder' ? undefined : new FileKindError(folder, kind, 'folder');
}

/** @param found not of a link */
export function kindOf(
  found: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>,
): Exclude<FileKind, 'link' | 'dangling link'> {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  if (found.isFIFO()) return 'pipe';
  return found.isSocket() ? 'socket' : 'device';
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** The result, or undefined for these errors. */
async function unless<T>(codes: string[], result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, ...codes)) return undefined;
    throw error;
  }
}
