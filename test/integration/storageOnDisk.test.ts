import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstat, mkdir, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { until } from '../fixtures/until.ts';
import { useOpenedStorage } from './openedStorage.ts';

describe('storage on the disk', () => {
  const storage = useOpenedStorage();

  it('only shows what there is where nothing can be written, says why, and works once it can', async function () {
    this.timeout(20_000);
    const { banners, path, open } = storage();
    const store = open();
    await store.createChat({ id: 'old', userId: 'local' });
    await rm(path('.'), { recursive: true, maxRetries: 9 });
    await assert.rejects(store.createChat({ id: 'refused', userId: 'local' }), { code: 'storage-cleared' });
    assert.ok(await store.getChat('old'));
    assert.match(banners.all()[0]?.text ?? '', /cannot be written to/);
    await assert.rejects(store.createChat({ id: 'new', userId: 'local' }), { code: 'read-only' });
    await mkdir(path('.'));
    await until(() => !store.isReadOnly, 'it to be tried again');
    await until(() => banners.all()[0]?.id === 'recovery', 'it to be told');
    await store.createChat({ id: 'new', userId: 'local' });
  });

  it('is not opened where a folder stands in the place of a file, and is once that is gone', async () => {
    const { path, open } = storage();
    await mkdir(path('offshoot.db.0.journal'));
    const store = open();
    await assert.rejects(store.listChats(), { code: 'not-a-file' });
    await rm(path('offshoot.db.0.journal'), { recursive: true });
    await store.createChat({ id: 'new', userId: 'local' });
  });

  it('is neither exported to a pipe nor imported from one, which would never end', async () => {
    // Windows has no such names.
    if (process.platform === 'win32') return;
    const pipe = storage().path('export.json');
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    await vscode.commands.executeCommand('offshoot.exportAll', vscode.Uri.file(pipe));
    await vscode.commands.executeCommand('offshoot.import', vscode.Uri.file(pipe));
    assert.ok((await lstat(pipe)).isFIFO());
  });
});
