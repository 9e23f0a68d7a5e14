import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RemovedStores } from '../../src/extension/storage/removedStores.ts';
import { workspacePlace } from '../../src/extension/storage/storageFolder.ts';
import { WriterLock } from '../../src/store/durable/writerLock.ts';
import { offshoot } from './support.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('a store that is removed', () => {
  let home: vscode.Uri;
  let place: vscode.Uri;
  let global: vscode.Uri;
  let now: number;

  beforeEach(async () => {
    const { parts } = await offshoot();
    home = vscode.Uri.joinPath(parts.folder, '..', `removed-test-${crypto.randomUUID()}`);
    global = vscode.Uri.joinPath(home, 'globalStorage', 'vendor.offshoot');
    place = workspacePlace(global, '5f9b8f9c');
    now = Date.now();
    await vscode.workspace.fs.createDirectory(global);
    await vscode.workspace.fs.createDirectory(place);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(place, 'offshoot.db'), new Uint8Array([1, 2, 3]));
  });
  afterEach(() => vscode.workspace.fs.delete(home, { recursive: true }));

  const removedStores = async (): Promise<RemovedStores> =>
    new RemovedStores((await offshoot()).parts.host, global, () => now);
  const isThere = async (): Promise<boolean> => {
    const { host } = (await offshoot()).parts;
    return (await host.files.names(host.pathOf(place.toString()))).includes('offshoot.db');
  };

  it('is kept, can be restored, and is deleted after 30 days', async () => {
    const removed = await removedStores();
    await removed.remove(place);
    assert.equal(await isThere(), false);
    const [kept, ...others] = await removed.list();
    assert.ok(kept);
    assert.deepEqual([kept.place.toString(), kept.removedAt, others.length], [place.toString(), now, 0]);

    await removed.restore(kept);
    assert.ok(await isThere());
    assert.deepEqual(await removed.list(), []);

    await removed.remove(place);
    now += 29 * DAY_MS;
    assert.equal(await removed.tidy(), 0);
    now += 2 * DAY_MS;
    assert.equal(await removed.tidy(), 1);
    assert.deepEqual(await removed.list(), []);
  });

  it('stays where a window uses it, and where one was made in its place since', async () => {
    const { host } = (await offshoot()).parts;
    const removed = await removedStores();
    const lock = new WriterLock(
      host.files,
      host.pathOf(vscode.Uri.joinPath(place, 'offshoot.db.lock').toString()),
      {
        ...host.owner,
        pid: 1,
      },
    );
    assert.ok(await lock.tryAcquire());
    await assert.rejects(removed.remove(place), { code: 'store-in-use' });
    assert.ok(await isThere());
    await lock.release();

    await removed.remove(place);
    const [kept] = await removed.list();
    assert.ok(kept);
    await vscode.workspace.fs.createDirectory(place);
    await assert.rejects(removed.restore(kept));
    assert.equal((await removed.list()).length, 1);
  });
});
