import type { FileVersion } from '../engine/effects.ts';
import { sha256 } from '../engine/bytes.ts';
import type { BlobStore } from '../engine/store.ts';
import type { FileContent, FileLocation, WorkspaceFiles } from '../host/workspaceFiles.ts';

/** Whether its owner may execute it: the only mode bit that is part of a version. */
const EXECUTABLE = 0o100;

export async function versionOf(content: FileContent): Promise<FileVersion>;
export async function versionOf(content: FileContent | undefined): Promise<FileVersion | null>;
export async function versionOf(content: FileContent | undefined): Promise<FileVersion | null> {
  if (!content) return null;
  const { bytes, mode, kind } = content;
  const hash = await sha256(bytes);
  return {
    hash,
    size: bytes.byteLength,
    ...(mode === undefined ? {} : { mode }),
    ...(kind === undefined ? {} : { kind }),
  };
}

/** The same kind with the same bytes and the same execute permission. Two folders are always the same. */
export function isSameVersion(a: FileVersion | null, b: FileVersion | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind !== b.kind) return false;
  return a.kind === 'folder' || (a.hash === b.hash && isExecutable(a) === isExecutable(b));
}

export function isFolder(version: FileVersion | null): boolean {
  return version?.kind === 'folder';
}

/** What is there, where it is to be compared with these versions: a folder counts only where one of them is one. */
export async function contentAt(
  files: Pick<WorkspaceFiles, 'readEntry'>,
  location: FileLocation,
  ...versions: readonly (FileVersion | null)[]
): Promise<FileContent | undefined> {
  const found = await files.readEntry(location);
  return found?.kind === 'folder' && !versions.some(isFolder) ? undefined : found;
}

/** The bytes of a version; undefined when they were not kept. */
export async function contentOf(
  { hash, mode, isKept, kind }: FileVersion,
  blobs: BlobStore,
): Promise<FileContent | undefined> {
  if (kind === 'folder') return { bytes: new Uint8Array(), mode, kind };
  if (isKept === false) return undefined;
  const bytes = await blobs.get(hash);
  // A blob damaged on disk counts as missing: only recorded content is ever written.
  if (!bytes || (await sha256(Uint8Array.from(bytes))) !== hash) return undefined;
  return { bytes: Uint8Array.from(bytes), mode, kind };
}

export function keyOf({ folder, path }: FileLocation): string {
  return JSON.stringify([folder, path]);
}

function isExecutable({ mode = 0 }: FileVersion): boolean {
  return (mode & EXECUTABLE) !== 0;
}
