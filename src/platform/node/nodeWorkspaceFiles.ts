import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, rename, rm, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import {
  isGitName,
  pathParts,
  WorkspaceFileError,
  type FileContent,
  type FileLocation,
  type WorkspaceFiles,
} from '../workspaceFiles.ts';
import { hasCode, NotAFolderError, OpenFolder } from './openFolder.ts';

export interface WorkspaceFolder {
  readonly uri: string;
  readonly fsPath: string;
}

/** Whether its owner may run a file is part of what it is; the other bits are the person's own affair. */
const EXECUTABLE = 0o100;
const PERMISSIONS = 0o777;
const hasModes = process.platform !== 'win32';

/** Files of the workspace folders on this machine, by Node. */
export class NodeWorkspaceFiles implements WorkspaceFiles {
  /** @param folders asked for at each use: they come and go */
  constructor(private readonly folders: () => readonly WorkspaceFolder[]) {}

  async locate(file: FileLocation): Promise<FileLocation> {
    const folder = this.folders().find(({ uri }) => uri === file.folder);
    if (!folder) throw new WorkspaceFileError('outside-workspace', file.path);
    const real = await resolveLinks(path.join(folder.fsPath, ...pathParts(file.path)), file);
    const inFolders = await Promise.all(
      this.folders().map(async ({ uri, fsPath }) => ({ uri, root: await realpath(fsPath) })),
    );
    // Of folders within each other, the inner one has it.
    const [inner] = inFolders
      .filter(({ root }) => isBelow(real, root))
      .sort((a, b) => b.root.length - a.root.length);
    if (!inner) throw new WorkspaceFileError('outside-workspace', file.path);
    const location = {
      folder: inner.uri,
      path: path.relative(inner.root, real).split(path.sep).join('/'),
    };
    pathParts(location.path);
    return location;
  }

  read(file: FileLocation): Promise<FileContent | undefined> {
    return this.inFolderOf(file, { make: false }, async (folder, name) => {
      if ((await folder.stat(name))?.isDirectory()) return undefined;
      if (!(await plainFile(folder, name, file))) return undefined;
      const handle = await open(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const found = await handle.stat();
        if (!found.isFile()) throw new WorkspaceFileError('not-a-file', file.path);
        return {
          bytes: Uint8Array.from(await handle.readFile()),
          mode: hasModes ? found.mode & PERMISSIONS : undefined,
        };
      } finally {
        await handle.close();
      }
    });
  }

  async isFolder(file: FileLocation): Promise<boolean> {
    const found = await this.inFolderOf(file, { make: false }, (folder, name) => folder.stat(name));
    return found?.isDirectory() ?? false;
  }

  async write(file: FileLocation, content: FileContent, tag: string): Promise<string[]> {
    const made: string[] = [];
    await this.inFolderOf(file, { make: true, made }, async (folder, name) => {
      const before = await plainFile(folder, name, file);
      const temporary = folder.at(temporaryName(name, tag));
      // Not through a link, and not over anything that is there.
      const handle = await open(
        temporary,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        // A private file is never open to others, not even while it is written; the mode it gets is set below.
        isModeKnown(content, before) ? 0o600 : 0o666,
      );
      try {
        await writeAll(handle, content, before);
        await rename(temporary, folder.at(name));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    });
    return made;
  }

  async remove(file: FileLocation): Promise<void> {
    await this.inFolderOf(file, { make: false }, async (folder, name) => {
      if (await plainFile(folder, name, file)) await unlink(folder.at(name));
    });
  }

  async removeEmptyFolder(location: FileLocation): Promise<void> {
    await this.inFolderOf(location, { make: false }, async (folder, name) => {
      if (!(await folder.stat(name))?.isDirectory()) return;
      try {
        await rmdir(folder.at(name));
      } catch (error) {
        if (!hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
      }
    });
  }

  async sweep(file: FileLocation, tag: string): Promise<void> {
    await this.inFolderOf(file, { make: false }, (folder, name) =>
      rm(folder.at(temporaryName(name, tag)), { force: true }),
    );
  }

  /** Works in the folder a file lies in; undefined when there is none and none shall be made. */
  private async inFolderOf<T>(
    file: FileLocation,
    { make, made }: { make: boolean; made?: string[] },
    work: (folder: OpenFolder, name: string) => Promise<T>,
  ): Promise<T | undefined> {
    const parts = pathParts(file.path);
    const name = parts.pop() ?? '';
    const workspace = this.folders().find(({ uri }) => uri === file.folder);
    if (!workspace) throw new WorkspaceFileError('outside-workspace', file.path);
    let folder = await OpenFolder.root(workspace.fsPath);
    try {
      if (folder.path.split(path.sep).some(isGitName)) {
        throw new WorkspaceFileError('git-repository', file.path);
      }
      await refuseRepository(folder, file);
      for (const [index, part] of parts.entries()) {
        if (make && !(await folder.stat(part))) {
          await folder.make(part);
          made?.push(parts.slice(0, index + 1).join('/'));
        }
        const inside = await folder.enter(part);
        if (!inside) return undefined;
        await folder.close();
        folder = inside;
        await refuseRepository(folder, file);
      }
      return await work(folder, name);
    } catch (error) {
      if (!(error instanceof NotAFolderError)) throw error;
      // Below a file there is nothing.
      if (!error.isLink && !make) return undefined;
      throw new WorkspaceFileError(error.isLink ? 'outside-workspace' : 'not-a-file', file.path);
    } finally {
      await folder.close();
    }
  }
}

/** Resolves the links of what exists of a path, and leaves the rest as it is. */
async function resolveLinks(whole: string, file: FileLocation): Promise<string> {
  const rest: string[] = [];
  for (let existing = whole; ; existing = path.dirname(existing)) {
    try {
      return path.join(await realpath(existing), ...rest);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      const found = await lstat(existing).catch(() => undefined);
      // A link that leads to nothing: what is made through it would be elsewhere.
      if (found) throw new WorkspaceFileError('outside-workspace', file.path);
      rest.unshift(path.basename(existing));
    }
  }
}

function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

/** The file if it is one; undefined when there is nothing. */
async function plainFile(
  folder: OpenFolder,
  name: string,
  { path: said }: FileLocation,
): Promise<Stats | undefined> {
  const found = await folder.stat(name);
  if (found && !found.isFile()) throw new WorkspaceFileError('not-a-file', said);
  return found;
}

/** A repository that does not lie in a folder `.git` is known by what lies in it. */
async function refuseRepository(folder: OpenFolder, file: FileLocation): Promise<void> {
  const [head, objects, refs] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => folder.stat(name)),
  );
  if (head && objects?.isDirectory() && refs?.isDirectory()) {
    throw new WorkspaceFileError('git-repository', file.path);
  }
}

async function writeAll(handle: FileHandle, content: FileContent, before: Stats | undefined): Promise<void> {
  try {
    await handle.writeFile(content.bytes);
    if (hasModes) await handle.chmod(modeOf(content, before, await handle.stat()));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether the mode is that of the file before, or the wanted one; else it is what files get that are new. */
function isModeKnown({ mode }: FileContent, before: Stats | undefined): boolean {
  return mode !== undefined || (before !== undefined && (before.mode & EXECUTABLE) === 0);
}

/** The mode of the file that was there as long as it says the same about running it; else the wanted one. */
function modeOf({ mode }: FileContent, before: Stats | undefined, usual: Stats): number {
  const isSame = before && ((mode ?? 0) & EXECUTABLE) === (before.mode & EXECUTABLE);
  if (isSame) return before.mode & PERMISSIONS;
  return mode ?? usual.mode & PERMISSIONS;
}

/** Short enough for any file system, and beside the file, so that a rename can put it in its place. */
function temporaryName(name: string, tag: string): string {
  return `.${name.slice(0, 40)}.${tag}.offshoot`;
}
