import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { link, open, rename, rm, rmdir, symlink, unlink, type FileHandle } from 'node:fs/promises';
import {
  WorkspaceFileError,
  type ExpectedFile,
  type FileContent,
  type FileIdentity,
  type FileLocation,
  type RecoveredWrite,
  type WorkspaceFiles,
} from '../workspaceFiles.ts';
import type { WriteJournal } from '../writeJournal.ts';
import { hasModes, modeFor, OWNER, permissionsOf } from './fileModes.ts';
import { recoverWrite, writeInPlace, type Place } from './inPlace.ts';
import { hasCode, type OpenFolder } from './openFolder.ts';
import { identityOf, type PathGuard } from './pathGuard.ts';
import { refuseCompletion } from './repositories.ts';

export class NodeWorkspaceFiles implements WorkspaceFiles {
  constructor(
    private readonly guard: PathGuard,
    private readonly journal: WriteJournal,
  ) {}

  read(file: FileLocation): Promise<FileContent | undefined> {
    return this.guard.inFolderOf(file, {}, async (folder, name) => {
      if ((await folder.stat(name))?.isDirectory()) return undefined;
      if (!(await plainFile(folder, name, file))) return undefined;
      return readIn(folder, name, file);
    });
  }

  readEntry(file: FileLocation): Promise<FileContent | undefined> {
    return this.guard.inFolderOf(file, {}, async (folder, name): Promise<FileContent | undefined> => {
      const found = await folder.stat(name);
      if (found?.isDirectory()) return { bytes: new Uint8Array(), mode: modeOf(found), kind: 'folder' };
      if (found?.isSymbolicLink()) {
        return { bytes: await folder.readLink(name), mode: undefined, kind: 'link' };
      }
      return (await plainFile(folder, name, file)) ? readIn(folder, name, file) : undefined;
    });
  }

  async isFolder(file: FileLocation): Promise<boolean> {
    const found = await this.guard.inFolderOf(file, {}, (folder, name) => folder.stat(name));
    return found?.isDirectory() ?? false;
  }

  async checkWrite(file: FileLocation): Promise<void> {
    await this.guard.checkWrite(file);
  }

  async write(
    file: FileLocation,
    content: FileContent,
    tag: string,
    expected?: ExpectedFile,
  ): Promise<string[]> {
    const made: string[] = [];
    try {
      await this.guard.inFolderOf(file, { made, identity: expected?.identity }, async (folder, name) => {
        const place = { folder, name, file };
        const before = await writableEntry(place, expected);
        if (content.kind === 'link') await putLink(place, content, tag, expected);
        else if (before?.isFile()) await this.overwrite(place, content, expected);
        else await putFile(place, content, tag, expected);
      });
    } catch (error) {
      await this.removeMade(file, made);
      throw error;
    }
    return made;
  }

  async remove(file: FileLocation, expected?: ExpectedFile): Promise<void> {
    await this.guard.inFolderOf(file, { identity: expected?.identity }, async (folder, name) => {
      const place = { folder, name, file };
      if (!(await writableEntry(place, expected))) return;
      await refuseOther(place, expected);
      await unmounted(file, () => unlink(folder.at(name)));
    });
  }

  async move(
    from: FileLocation,
    to: FileLocation,
    expected: ExpectedFile,
    target?: FileIdentity,
  ): Promise<string[]> {
    const made: string[] = [];
    try {
      const isMoved = await this.guard.inFolderOf(to, { made, identity: target }, (folder, name) =>
        this.guard.inFolderOf(from, { identity: expected.identity }, async (source, sourceName) => {
          await refuseOther({ folder: source, name: sourceName, file: from }, expected);
          await refuseCompletion(folder, name, 'file', to.path);
          await moveFile({ folder: source, name: sourceName, file: from }, { folder, name, file: to });
          return true;
        }),
      );
      if (isMoved !== true) throw new WorkspaceFileError('changed', from.path);
    } catch (error) {
      await this.removeMade(to, made);
      throw error;
    }
    return made;
  }

  async makeFolder({ folder, path }: FileLocation, mode?: number): Promise<string[]> {
    const made: string[] = [];
    // The folders of a file are made first.
    await this.guard.inFolderOf({ folder, path: `${path}/any` }, { made }, async (opened) => {
      if (mode !== undefined && hasModes && made.includes(path)) await opened.setMode(mode | OWNER);
    });
    return made;
  }

  async removeEmptyFolder(location: FileLocation): Promise<void> {
    await this.guard.inFolderOf(location, {}, async (folder, name) => {
      if (!(await folder.stat(name))?.isDirectory()) return;
      try {
        await rmdir(folder.at(name));
      } catch (error) {
        // Where something is mounted there, it stays as well.
        if (!hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'EBUSY')) throw error;
      }
    });
  }

  async sweep(file: FileLocation, tag: string): Promise<void> {
    await this.guard.inFolderOf(file, {}, (folder, name) =>
      rm(folder.at(temporaryName(name, tag)), { force: true }),
    );
  }

  async recover(): Promise<readonly RecoveredWrite[]> {
    const recovered: RecoveredWrite[] = [];
    for (const left of await this.journal.left()) {
      const write = await recoverWrite(left, this.guard);
      if (write) recovered.push(write);
    }
    return recovered;
  }

  private async overwrite(place: Place, content: FileContent, expected?: ExpectedFile): Promise<void> {
    const refuse = (found: BigIntStats, bytes: Uint8Array): void => {
      if (expected && !isExpected(found, bytes, expected)) {
        throw new WorkspaceFileError('changed', place.file.path);
      }
    };
    await writeInPlace(place, content, refuse, this.journal);
  }

  private async removeMade({ folder }: FileLocation, made: readonly string[]): Promise<void> {
    for (const path of made.toReversed()) {
      try {
        await this.removeEmptyFolder({ folder, path });
      } catch {
        // Why the file was not written is more important; an empty folder stays.
        return;
      }
    }
  }
}

/** Undefined when there is nothing. @throws WorkspaceFileError when it is no regular file */
async function plainFile(
  folder: OpenFolder,
  name: string,
  { path: shownPath }: FileLocation,
): Promise<BigIntStats | undefined> {
  const found = await folder.stat(name);
  if (found && !found.isFile()) throw new WorkspaceFileError('not-a-file', shownPath);
  return found;
}

/** As {@link plainFile}, or the link that is expected there. */
async function writableEntry(
  { folder, name, file }: Place,
  expected: ExpectedFile | undefined,
): Promise<BigIntStats | undefined> {
  const found = await folder.stat(name);
  const isLink = expected?.isLink === true && found?.isSymbolicLink() === true;
  if (found && !found.isFile() && !isLink) throw new WorkspaceFileError('not-a-file', file.path);
  return found;
}

async function readIn(folder: OpenFolder, name: string, file: FileLocation): Promise<FileContent> {
  await using handle = await folder.openFile(name);
  if (!handle) throw new WorkspaceFileError('not-a-file', file.path);
  const found = await handle.stat({ bigint: true });
  return { bytes: Uint8Array.from(await handle.readFile()), mode: modeOf(found) };
}

function modeOf(found: BigIntStats): number | undefined {
  return hasModes ? permissionsOf(found) : undefined;
}

/** @throws WorkspaceFileError when the file is another one than before, or its content differs */
async function refuseOther(place: Place, expected: ExpectedFile | undefined): Promise<void> {
  if (!expected) return;
  const found = await writableEntry(place, expected);
  const bytes = found && (await entryBytes(place, found));
  const isSame =
    found && bytes
      ? isExpected(found, bytes, expected)
      : expected.hash === null && expected.identity?.file === undefined;
  if (!isSame) throw new WorkspaceFileError('changed', place.file.path);
}

async function entryBytes({ folder, name, file }: Place, found: BigIntStats): Promise<Uint8Array> {
  return found.isSymbolicLink() ? folder.readLink(name) : (await readIn(folder, name, file)).bytes;
}

function isExpected(
  found: BigIntStats,
  bytes: Uint8Array,
  { hash, identity, isLink = false }: ExpectedFile,
): boolean {
  if (identity && identityOf(found) !== identity.file) return false;
  return found.isSymbolicLink() === isLink && sha256(bytes) === hash;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Makes a file, or puts one in the place of a link. */
async function putFile(
  place: Place,
  content: FileContent,
  tag: string,
  expected: ExpectedFile | undefined,
): Promise<void> {
  const { folder, name, file } = place;
  const temporary = folder.at(temporaryName(name, tag));
  // Does not follow a link or overwrite an existing file.
  const handle = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    // A private file must never be readable by others, not even while it is written; its final mode is set below.
    content.mode === undefined ? 0o666 : 0o600,
  );
  try {
    await writeAll(handle, content);
    await refuseCompletion(folder, name, 'file', file.path);
    await refuseOther(place, expected);
    // A new file never replaces anything, not even a file made a moment ago.
    if (!isNew(expected) || !(await linked(temporary, folder.at(name), file))) {
      await rename(temporary, folder.at(name));
    } else await unlink(temporary);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a link, or puts one in the place of a file or of another link. What it leads to is not looked at. */
async function putLink(
  place: Place,
  { bytes }: FileContent,
  tag: string,
  expected: ExpectedFile | undefined,
): Promise<void> {
  const { folder, name, file } = place;
  await refuseCompletion(folder, name, 'file', file.path);
  await refuseOther(place, expected);
  const target = Buffer.from(bytes);
  try {
    if (isNew(expected)) {
      await symlink(target, folder.at(name));
      return;
    }
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? new WorkspaceFileError('changed', file.path, { cause: error }) : error;
  }
  const temporary = folder.at(temporaryName(name, tag));
  await symlink(target, temporary);
  try {
    await unmounted(file, () => rename(temporary, folder.at(name)));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function isNew(expected: ExpectedFile | undefined): boolean {
  return expected?.hash === null;
}

/** The file keeps its identity, and with it all that belongs to it. */
async function moveFile(from: Place, to: Place): Promise<void> {
  const [source, target] = [from.folder.at(from.name), to.folder.at(to.name)];
  if (await linked(source, target, to.file)) {
    try {
      await unmounted(from.file, () => unlink(source));
    } catch (error) {
      await unlink(target);
      throw error;
    }
    return;
  }
  // Here a file that is made at this very moment would be replaced: there is no other call.
  if (await to.folder.stat(to.name)) throw new WorkspaceFileError('changed', to.file.path);
  await unmounted(from.file, () => rename(source, target));
}

/** Gives a file a second name, which must be free; false where the file system does not support hard links. */
async function linked(existing: string, name: string, file: FileLocation): Promise<boolean> {
  try {
    await link(existing, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new WorkspaceFileError('changed', file.path, { cause: error });
    if (hasCode(error, 'EXDEV')) throw new WorkspaceFileError('other-disk', file.path, { cause: error });
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL')) return false;
    throw error;
  }
}

async function unmounted(file: FileLocation, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (hasCode(error, 'EBUSY')) throw new WorkspaceFileError('mounted', file.path, { cause: error });
    if (hasCode(error, 'EXDEV')) throw new WorkspaceFileError('other-disk', file.path, { cause: error });
    throw error;
  }
}

async function writeAll(handle: FileHandle, content: FileContent): Promise<void> {
  try {
    await handle.writeFile(content.bytes);
    if (hasModes) {
      const usual = permissionsOf(await handle.stat({ bigint: true }));
      await handle.chmod(modeFor(content, undefined, usual));
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Short enough for any file system, and next to the file, so that it can be renamed into place. */
function temporaryName(name: string, tag: string): string {
  return `.${name.slice(0, 40)}.${tag}.offshoot`;
}
