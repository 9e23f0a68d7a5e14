import type { BigIntStats } from 'node:fs';
import type { FileContent } from '../workspaceFiles.ts';

/** Whether the owner may run a file is part of its content; the other bits are up to the user. */
export const EXECUTABLE = 0o100;
const ANY_EXECUTABLE = 0o111;
const PERMISSIONS = 0o777;
/** Runs as its owner or group, or is kept from others in its folder: no version has these bits. */
export const SPECIAL = 0o7000;
/** The owner of a folder may use it. */
export const OWNER = 0o700;

/** Windows has no such bits. */
export const hasModes = process.platform !== 'win32';

export function permissionsOf({ mode }: Pick<BigIntStats, 'mode'>): number {
  return Number(mode) & PERMISSIONS;
}

/** Whether a new file in its place would be like it: of this user, with one name. Attributes cannot be seen here. */
export function isPlain({
  mode,
  nlink,
  uid,
  gid,
}: Readonly<Record<'mode' | 'nlink' | 'uid' | 'gid', number | bigint>>): boolean {
  if (Number(nlink) > 1) return false;
  if (!hasModes) return true;
  const isOwn = Number(uid) === process.geteuid?.() && Number(gid) === process.getegid?.();
  return isOwn && (Number(mode) & SPECIAL) === 0;
}

export function withoutExecution(mode: number): number {
  return mode & ~ANY_EXECUTABLE;
}

/** The mode of the previous file if its executable bit is the same; otherwise the wanted one, or the usual one. */
export function modeFor({ mode }: FileContent, before: BigIntStats | undefined, usual: number): number {
  const modeBefore = before && permissionsOf(before);
  const isSame = modeBefore !== undefined && ((mode ?? 0) & EXECUTABLE) === (modeBefore & EXECUTABLE);
  return isSame ? modeBefore : (mode ?? usual);
}
