import { FileTooLargeError } from '../files.ts';
import type { GuardedFile, GuardedFiles, NamedFile } from '../guardedFiles.ts';
import type { OpenedFolder, WorkspaceFolder } from '../workspaceFiles.ts';
import { pathOf, uriOf } from './fileUris.ts';
import { PathGuard, type GuardedPath } from './pathGuard.ts';

export function onThisMachine(folders: readonly OpenedFolder[]): WorkspaceFolder[] {
  return folders.map(({ name, uri }) => ({ name, uri, root: pathOf(uri) }));
}

export class NodeGuardedFiles implements GuardedFiles {
  private readonly guard = new PathGuard(() => onThisMachine(this.folders()));

  constructor(readonly folders: () => readonly OpenedFolder[]) {}

  async resolve(named: NamedFile): Promise<GuardedFile> {
    return guardedFile(await this.guard.resolve(givenPath(named)));
  }

  async resolveForWriting(named: NamedFile): Promise<GuardedFile> {
    return guardedFile(await this.guard.resolveForWriting(givenPath(named)));
  }

  async nameable(uris: readonly string[]): Promise<Pick<GuardedFile, 'uri' | 'shown' | 'isSecret'>[]> {
    const found = await this.guard.nameable(uris.map((uri) => pathOf(uri)));
    return found.map(({ fsPath, shown, isSecret }) => ({ uri: uriOf(fsPath), shown, isSecret }));
  }

  read(at: GuardedFile, limit: number): Promise<Uint8Array> {
    return this.guard.withFile(at, async (file) => {
      const { size } = await file.stat();
      if (size > limit) throw new FileTooLargeError(at.shown, size, limit);
      return file.readFile();
    });
  }

  readStart(at: GuardedFile, length: number): Promise<{ bytes: Uint8Array; size: number }> {
    return this.guard.withFile(at, async (file) => {
      const { size } = await file.stat();
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, 0);
      return { bytes: buffer.subarray(0, bytesRead), size };
    });
  }

  list(at: GuardedFile): Promise<{ name: string; isFolder: boolean }[]> {
    return this.guard.list({ ...at, fsPath: pathOf(at.uri) });
  }
}

function givenPath(named: NamedFile): string {
  return typeof named === 'string' ? named : pathOf(named.uri);
}

function guardedFile({ fsPath, ...rest }: GuardedPath): GuardedFile {
  return { ...rest, uri: uriOf(fsPath) };
}
