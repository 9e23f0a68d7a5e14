import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { Host } from '../../host/hostMachine.ts';
import { StorageFiles } from '../../store/durable/storageFiles.ts';
import { WriterLock } from '../../store/durable/writerLock.ts';
import { workspacePlace } from './storageFolder.ts';

/** As long as chats are kept in the trash, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

class StoreInUseError extends OffshootError {
  constructor() {
    super('store-in-use', defineMessage('A window uses these conversations. Close it, and try again.'));
  }
}

/** A store that was removed: a folder with the name of its place and the time. */
export interface RemovedStore {
  /** Where it is kept. */
  readonly folder: vscode.Uri;
  /** Where it was. */
  readonly place: vscode.Uri;
  readonly removedAt: number;
}

/**
 * The trash for whole stores. VS Code has none on servers, and a store that was removed by mistake is found again by
 * looking where it was removed.
 */
export class RemovedStores {
  private readonly home: vscode.Uri;

  constructor(
    private readonly host: Pick<Host, 'isBrowser' | 'pathOf' | 'platformFor'>,
    private readonly globalStorage: vscode.Uri,
    private readonly now: () => number = Date.now,
  ) {
    this.home = vscode.Uri.joinPath(globalStorage, 'removed');
  }

  /** @param place the storage folder of a workspace @throws StoreInUseError */
  async remove(place: vscode.Uri): Promise<void> {
    const { files, owner } = this.host.platformFor(place.toString());
    const { lock: path } = new StorageFiles(files, this.host.pathOf(place.toString()));
    const lock = new WriterLock(files, path, owner);
    if (!(await lock.tryAcquire())) throw new StoreInUseError();
    try {
      await vscode.workspace.fs.createDirectory(this.home);
      const name = `${place.path.split('/').at(-2) ?? ''}.${this.now()}`;
      const removed = vscode.Uri.joinPath(this.home, name);
      await vscode.workspace.fs.rename(place, removed, { overwrite: false });
      // The lock went with the rest.
      await files.remove(new StorageFiles(files, this.host.pathOf(removed.toString())).lock);
    } finally {
      await lock.release();
    }
  }

  /** The last removed first. */
  async list(): Promise<RemovedStore[]> {
    if (this.host.isBrowser) return [];
    const { files } = this.host.platformFor(this.home.toString());
    const removed = (await files.names(this.host.pathOf(this.home.toString()))).flatMap((name) => {
      const [, workspace, time] = /^(.+)\.(\d+)$/u.exec(name) ?? [];
      if (workspace === undefined) return [];
      const place = workspacePlace(this.globalStorage, workspace);
      return [{ folder: vscode.Uri.joinPath(this.home, name), place, removedAt: Number(time) }];
    });
    return removed.sort((one, other) => other.removedAt - one.removedAt);
  }

  /** @throws what prevents it, such as a store that was made there since */
  async restore({ folder, place }: RemovedStore): Promise<void> {
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(place, '..'));
    await vscode.workspace.fs.rename(folder, place, { overwrite: false });
  }

  /** Deletes for good what has been there for 30 days. @returns how many */
  async tidy(): Promise<number> {
    const old = (await this.list()).filter(({ removedAt }) => this.now() - removedAt > KEPT_MS);
    for (const { folder } of old) await vscode.workspace.fs.delete(folder, { recursive: true });
    return old.length;
  }
}
