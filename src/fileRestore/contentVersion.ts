import type { FileVersion } from '../engine/effects.ts';
import { sha256 } from '../engine/sha256.ts';
import type { BlobStore } from '../engine/store.ts';
import type { FileContent, FileLocation } from '../platform/workspaceFiles.ts';

/** Whether its owner may run it: the one bit of a mode that belongs to what a file is. */
const EXECUTABLE = 0o100;

export async function versionOf(content: FileContent): Promise<FileVersion>;
export async function versionOf(content: FileContent | undefined): Promise<FileVersion | null>;
export async function versionOf(content: FileContent | undefined): Promise<FileVersion | null> {
  if (!content) return null;
  const { bytes, mode } = content;
  const hash = await sha256(bytes);
  return { hash, size: bytes.byteLength, ...(mode === undefined ? {} : { mode }) };
}

/** Whether two versions are the same file: the same bytes, and both may be run or neither. */
export function isSameVersion(a: FileVersion | null, b: FileVersion | null): boolean {
  if (a === null || b === null) return a === b;
  return a.hash === b.hash && isExecutable(a) === isExecutable(b);
}

/** The bytes of a version; undefined when they were not kept. */
export async function contentOf(
  { hash, mode, isKept }: FileVersion,
  blobs: BlobStore,
): Promise<FileContent | undefined> {
  if (isKept === false) return undefined;
  const bytes = await blobs.get(hash);
  // A blob that was damaged on the disk is none: nothing but what was recorded is ever written.
  if (!bytes || (await sha256(Uint8Array.from(bytes))) !== hash) return undefined;
  return { bytes: Uint8Array.from(bytes), mode };
}

/** A name for a file among all workspace folders. */
export function keyOf({ folder, path }: FileLocation): string {
  return JSON.stringify([folder, path]);
}

function isExecutable({ mode = 0 }: FileVersion): boolean {
  return (mode & EXECUTABLE) !== 0;
}
