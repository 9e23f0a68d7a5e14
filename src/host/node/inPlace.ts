import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import {
  WorkspaceFileError,
  type FileContent,
  type FileLocation,
  type RecoveredWrite,
} from '../workspaceFiles.ts';
import type { DamagedWrite, LeftWrite, WriteJournal } from '../writeJournal.ts';
import { modeFor, permissionsOf, withoutExecution } from './fileModes.ts';
import { hasCode, type OpenFolder } from './openFolder.ts';
import { identityOf, type PathGuard } from './pathGuard.ts';

// A file that exists is never replaced by a new one: that would take its owner and group, its other names (hard links),
// its extended attributes and access lists, and it fails where the file itself is mounted. Node cannot see attributes
// and lists, so that no file can be shown to be without them: the rule has no exception. A write in place may stop
// half-way, which is why both versions are on the disk before it begins.

/** Written at once, in bytes. */
const STEP_BYTES = 1_000_000;

/** The owner may write. */
const WRITABLE = 0o200;

/** An entry of a folder. */
export interface Place {
  readonly folder: OpenFolder;
  readonly name: string;
  readonly file: FileLocation;
}

/** @param refuseOther throws where these are not the file and the bytes that may be written over */
export async function writeInPlace(
  place: Place,
  content: FileContent,
  refuseOther: (found: BigIntStats, bytes: Uint8Array) => void,
  journal: WriteJournal,
): Promise<void> {
  const { folder, name, file } = place;
  await using reading = await folder.openFile(name);
  if (!reading) throw new WorkspaceFileError('not-a-file', file.path);
  const found = await reading.stat({ bigint: true });
  const oldBytes = await reading.readFile();
  refuseOther(found, oldBytes);
  const oldMode = permissionsOf(found);
  const newMode = modeFor(content, found, withoutExecution(oldMode));
  const opened = { reading, found, mode: oldMode };
  const end = await journal.begin({
    location: { folder: file.folder, path: file.path },
    identity: identityOf(found),
    oldMode,
    newMode,
    oldBytes,
    newBytes: content.bytes,
  });
  let isTouched = false;
  try {
    await using writing = await openToWrite(place, opened);
    isTouched = true;
    await overwrite(writing, content.bytes, newMode);
  } catch (error) {
    // If it cannot be put back, the record stays, and the next start tries again.
    if (isTouched) await putBack(place, opened, oldBytes, oldMode);
    await end();
    throw error;
  }
  await end();
}

interface OpenedFile {
  readonly reading: FileHandle;
  readonly found: BigIntStats;
  /** Its permission bits. */
  readonly mode: number;
}

/** A read-only file is made writable: the user was asked about it. Its mode is set again after the last bytes. */
async function openToWrite({ folder, name, file }: Place, opened: OpenedFile): Promise<FileHandle> {
  const { reading, found, mode } = opened;
  try {
    return theSame(await folder.openToWrite(name, found), file);
  } catch (error) {
    if (hasCode(error, 'EROFS')) throw new WorkspaceFileError('read-only', file.path, { cause: error });
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
    if ((mode & WRITABLE) !== 0) throw notPermitted(file, error);
  }
  try {
    await reading.chmod(mode | WRITABLE);
  } catch (error) {
    throw notPermitted(file, error);
  }
  try {
    return theSame(await folder.openToWrite(name, found), file);
  } catch (error) {
    await reading.chmod(mode);
    throw hasCode(error, 'EACCES', 'EPERM') ? notPermitted(file, error) : error;
  }
}

function theSame(handle: FileHandle | undefined, { path }: FileLocation): FileHandle {
  if (!handle) throw new WorkspaceFileError('changed', path);
  return handle;
}

function notPermitted({ path }: FileLocation, cause: unknown): WorkspaceFileError {
  return new WorkspaceFileError('no-permission', path, { cause });
}

async function putBack(
  place: Place,
  opened: OpenedFile,
  oldBytes: Uint8Array,
  oldMode: number,
): Promise<void> {
  await using writing = await openToWrite(place, opened);
  await overwrite(writing, oldBytes, oldMode);
}

async function overwrite(handle: FileHandle, bytes: Uint8Array, mode: number): Promise<void> {
  let written = 0;
  while (written < bytes.byteLength) {
    const length = Math.min(STEP_BYTES, bytes.byteLength - written);
    const { bytesWritten } = await handle.write(bytes, written, length, written);
    written += bytesWritten;
  }
  await handle.truncate(bytes.byteLength);
  await setMode(handle, mode);
  await handle.sync();
}

/** Only the owner may set it, also to what it is. */
async function setMode(handle: FileHandle, wanted: number): Promise<void> {
  if (permissionsOf(await handle.stat({ bigint: true })) !== wanted) await handle.chmod(wanted);
}

/** Takes back a write that ended with its program. Undefined: its folder is not open now, so that it is left. */
export async function recoverWrite(
  left: LeftWrite | DamagedWrite,
  guard: PathGuard,
): Promise<RecoveredWrite | undefined> {
  if ('damaged' in left) return { path: '', outcome: 'damaged', kept: [left.damaged] };
  if (!guard.hasFolder(left.location)) return undefined;
  // A file that cannot be reached or written any more is reported with where its versions are.
  const { outcome, missing, found } = await takeBack(left, guard).catch(() => apart);
  const kept: string[] = [];
  for (const what of missing) {
    kept.push(await left.keep(what, what === 'old' ? left.oldBytes : left.newBytes));
  }
  if (found) kept.push(await left.keep('found', found));
  await left.end();
  return { path: left.location.path, outcome, kept };
}

interface TakenBack {
  readonly outcome: RecoveredWrite['outcome'];
  /** The versions that are not in the file. */
  readonly missing: readonly ('old' | 'new')[];
  /** What was in it, where that was neither of them. */
  readonly found?: Uint8Array;
}

const apart: TakenBack = { outcome: 'apart', missing: ['old', 'new'] };

async function takeBack(left: LeftWrite, guard: PathGuard): Promise<TakenBack> {
  const { location, identity, oldMode, newMode, oldBytes, newBytes } = left;
  const taken = await guard.inFolderOf(location, {}, async (folder, name): Promise<TakenBack> => {
    await using reading = await folder.openFile(name);
    if (!reading) return apart;
    const found = await reading.stat({ bigint: true });
    if (identityOf(found) !== identity) return apart;
    const bytes = await reading.readFile();
    if (isSame(bytes, newBytes)) {
      await setMode(reading, newMode);
      return { outcome: 'written', missing: ['old'] };
    }
    if (isSame(bytes, oldBytes)) {
      await setMode(reading, oldMode);
      return { outcome: 'undone', missing: ['new'] };
    }
    if (!isMixture(bytes, oldBytes, newBytes)) return apart;
    const opened = { reading, found, mode: permissionsOf(found) };
    await putBack({ folder, name, file: location }, opened, oldBytes, oldMode);
    return { outcome: 'undone', missing: ['new'], found: bytes };
  });
  return taken ?? apart;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Whether a file is what a write leaves that stops anywhere, in any order of its parts: no other program's work. */
function isMixture(bytes: Uint8Array, one: Uint8Array, other: Uint8Array): boolean {
  if (bytes.byteLength > Math.max(one.byteLength, other.byteLength)) return false;
  // After a power failure, what was not on the disk yet may be zeros.
  return bytes.every((byte, index) => byte === 0 || byte === one[index] || byte === other[index]);
}
