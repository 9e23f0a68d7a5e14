import type { FileVersion } from '../engine/effects.ts';
import { sha256 } from '../engine/bytes.ts';
import type { BlobStore } from '../engine/store.ts';
import type { FileContent, FileLocation } from '../host/workspaceFiles.ts';

/** Whether its owner may execute it: the only mode bit that is part of a version. */
const EXECUTABLE = 0o100;

export async function versionOf(content: FileContent): Promise<FileVersion>;
export async function versionOf(content: FileContent | undefined): Promise<FileVersion | null>;
export async function versionOf(content: FileContent | undefined): Promise<FileVersion | null> {
  if (!content) return null;
  const { bytes, mode } = content;
  const hash = await sha256(bytes);
  return { hash, size: bytes.byteLength, ...(mode === undefined ? {} : { mode }) };
}

/** The same bytes and the same execute permission. */
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
  // A blob damaged on disk counts as missing: only recorded content is ever written.
  if (!bytes || (await sha256(Uint8Array.from(bytes))) !== hash) return undefined;
  return { bytes: Uint8Array.from(bytes), mode };
}

export function keyOf({ folder, path }: FileLocation): string {
  return JSON.stringify([folder, path]);
}

function isExecutable({ mode = 0 }: FileVersion): boolean {
  return (mode & EXECUTABLE) !== 0;
}
