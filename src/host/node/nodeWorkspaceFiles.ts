import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { link, open, rename, rm, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import {
  WorkspaceFileError,
  type ExpectedFile,
  type FileContent,
  type FileLocation,
  type WorkspaceFiles,
} from '../workspaceFiles.ts';
import { hasCode, type OpenFolder } from './openFolder.ts';
import { identityOf, type PathGuard } from './pathGuard.ts';
import { refuseCompletion } from './repositories.ts';

/** Whether the owner may run a file is part of its content; the other bits are up to the user. */
const EXECUTABLE = 0o100;
const PERMISSIONS = 0o777;
const hasModes = process.platform !== 'win32';

export class NodeWorkspaceFiles implements WorkspaceFiles {
  constructor(private readonly guard: PathGuard) {}

  read(file: FileLocation): Promise<FileContent | undefined> {
    return this.guard.inFolderOf(file, {}, async (folder, name) => {
      if ((await folder.stat(name))?.isDirectory()) return undefined;
      if (!(await plainFile(folder, name, file))) return undefined;
      return readIn(folder, name, file);
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
        const before = await plainFile(folder, name, file);
        const temporary = folder.at(temporaryName(name, tag));
        // Does not follow a link or overwrite an existing file.
        const handle = await open(
          temporary,
          constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
          // A private file must never be readable by others, not even while it is written; its final mode is set
          // below.
          isModeKnown(content, before) ? 0o600 : 0o666,
        );
        try {
          await writeAll(handle, content, before);
          await refuseCompletion(folder, name, 'file', file.path);
          await refuseOther(folder, name, file, expected);
          await putInPlace(temporary, folder.at(name), file, { isNew: expected?.hash === null });
        } catch (error) {
          await rm(temporary, { force: true });
          throw error;
        }
      });
    } catch (error) {
      await this.removeMade(file, made);
      throw error;
    }
    return made;
  }

  async remove(file: FileLocation, expected?: ExpectedFile): Promise<void> {
    await this.guard.inFolderOf(file, { identity: expected?.identity }, async (folder, name) => {
      if (!(await plainFile(folder, name, file))) return;
      await refuseOther(folder, name, file, expected);
      await unlink(folder.at(name));
    });
  }

  async makeFolder({ folder, path }: FileLocation): Promise<void> {
    // The folders of a file are made first.
    await this.guard.inFolderOf({ folder, path: `${path}/any` }, { made: [] }, () => Promise.resolve());
  }

  async removeEmptyFolder(location: FileLocation): Promise<void> {
    await this.guard.inFolderOf(location, {}, async (folder, name) => {
      if (!(await folder.stat(name))?.isDirectory()) return;
      try {
        await rmdir(folder.at(name));
      } catch (error) {
        if (!hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
      }
    });
  }

  async sweep(file: FileLocation, tag: string): Promise<void> {
    await this.guard.inFolderOf(file, {}, (folder, name) =>
      rm(folder.at(temporaryName(name, tag)), { force: true }),
    );
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

async function readIn(folder: OpenFolder, name: string, file: FileLocation): Promise<FileContent> {
  await using handle = await folder.openFile(name);
  if (!handle) throw new WorkspaceFileError('not-a-file', file.path);
  const { mode } = await handle.stat();
  return {
    bytes: Uint8Array.from(await handle.readFile()),
    mode: hasModes ? mode & PERMISSIONS : undefined,
  };
}

/** @throws WorkspaceFileError when the file is another one than before, or its content differs */
async function refuseOther(
  folder: OpenFolder,
  name: string,
  file: FileLocation,
  expected: ExpectedFile | undefined,
): Promise<void> {
  if (!expected) return;
  const found = await plainFile(folder, name, file);
  const { hash, identity } = expected;
  const isSameFile = !identity || (found && identityOf(found)) === identity.file;
  const holds = found ? sha256((await readIn(folder, name, file)).bytes) : null;
  if (!isSameFile || holds !== hash) throw new WorkspaceFileError('changed', file.path);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A new file never replaces anything, not even a file made a moment ago. */
async function putInPlace(
  temporary: string,
  target: string,
  file: FileLocation,
  { isNew }: { isNew: boolean },
): Promise<void> {
  if (isNew && (await linked(temporary, target, file))) return unlink(temporary);
  await rename(temporary, target);
}

/** Gives a file a second name, which must be free; false where the file system does not support hard links. */
async function linked(existing: string, name: string, file: FileLocation): Promise<boolean> {
  try {
    await link(existing, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new WorkspaceFileError('changed', file.path, { cause: error });
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL')) return false;
    throw error;
  }
}

async function writeAll(
  handle: FileHandle,
  content: FileContent,
  before: BigIntStats | undefined,
): Promise<void> {
  try {
    await handle.writeFile(content.bytes);
    if (hasModes) await handle.chmod(modeFor(content, before, (await handle.stat()).mode));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether the mode is that of the previous file, or the wanted one; otherwise it is the default for new files. */
function isModeKnown({ mode }: FileContent, before: BigIntStats | undefined): boolean {
  return mode !== undefined || (before !== undefined && (Number(before.mode) & EXECUTABLE) === 0);
}

/** The mode of the previous file if its executable bit is the same; otherwise the wanted one. */
function modeFor({ mode }: FileContent, before: BigIntStats | undefined, usual: number): number {
  const modeBefore = before && Number(before.mode);
  const isSame = modeBefore !== undefined && ((mode ?? 0) & EXECUTABLE) === (modeBefore & EXECUTABLE);
  if (isSame) return modeBefore & PERMISSIONS;
  return mode ?? usual & PERMISSIONS;
}

/** Short enough for any file system, and next to the file, so that it can be renamed into place. */
function temporaryName(name: string, tag: string): string {
  return `.${name.slice(0, 40)}.${tag}.offshoot`;
}
