import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Banners } from '../../src/extension/ui/banners.ts';
import { nodeHost } from '../../src/platform/node/nodeHost.ts';
import { openStorage } from '../../src/extension/storage/openStorage.ts';
import { readUIMessage, textOf } from '../../src/engine/uiMessage.ts';
import type { ContextStore } from '../../src/engine/store.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, setSetting } from './support.ts';
import { editorFiles } from '../../src/extension/workspaceFiles/editorFiles.ts';

describe('storage in the extension host', () => {
  let folder: string;
  let banners: Banners;
  let log: vscode.LogOutputChannel;
  const stores: ContextStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-storage-'));
    banners = new Banners();
    log = vscode.window.createOutputChannel('Offshoot Storage Test', { log: true });
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    banners.dispose();
    log.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (): ContextStore => {
    const extensionUri = vscode.extensions.getExtension('offshoot.offshoot')?.extensionUri;
    assert.ok(extensionUri);
    const store = openStorage({
      host: nodeHost({
        dist: vscode.Uri.joinPath(extensionUri, 'dist').toString(),
        appRoot: vscode.env.appRoot,
        editorFiles,
      }),
      folder: vscode.Uri.file(folder),
      others: [],
      isShared: false,
      banners,
      log,
      onDidRefresh: () => undefined,
      onAsk: () => Promise.resolve(null),
      loadRecovery: () => import('../../src/extension/storage/reportRecovery.ts'),
    });
    stores.push(store);
    return store;
  };

  it('has the conversation again when its files are opened anew', async () => {
    const { parts } = await offshoot();
    await setSetting('demo.pace', 0);
    try {
      await parts.current.startNew();
      await ask({ parts }, 'Shall this last?');
    } finally {
      await setSetting('demo.pace', undefined);
    }
    await parts.conversations.createCheckpoint('lasting');
    // A socket cannot be copied.
    await cp(parts.folder.fsPath, folder, { recursive: true, filter: (file) => !file.endsWith('.sock') });
    const store = open();
    const chatId = await parts.current.chatId();
    const checkpoint = await store.getCheckpoint(chatId, 'lasting');
    assert.ok(checkpoint);
    const [question, ...rest] = await store.getPath(chatId, checkpoint.messageId);
    const read = readUIMessage(question?.data);
    assert.equal(read && textOf(read), 'Shall this last?');
    assert.equal(rest.length, 1);
  });

  it('sets damaged files aside, says so, and begins anew beside them', async () => {
    await writeFile(path.join(folder, 'offshoot.db'), 'no database');
    const store = open();
    await store.createChat({ id: 'new', userId: 'local' });
    const [banner] = banners.all();
    assert.equal(banner?.severity, 'warning');
    const kept = /offshoot\.db\.damaged-\S+/.exec(banner.text)?.[0];
    assert.ok(kept);
    assert.equal(await readFile(path.join(folder, kept), 'utf8'), 'no database');
  });

  it('only shows what there is where nothing can be written, says why, and works once it can', async function () {
    this.timeout(20_000);
    // A folder stands where a file has to be.
    await mkdir(path.join(folder, 'offshoot.db.0.journal'));
    const store = open();
    assert.deepEqual(await store.listChats(), []);
    assert.match(banners.all()[0]?.text ?? '', /cannot be written to/);
    await assert.rejects(store.createChat({ id: 'new', userId: 'local' }), { code: 'read-only' });
    await rm(path.join(folder, 'offshoot.db.0.journal'), { recursive: true });
    await until(() => !store.isReadOnly, 'it to be tried again');
    assert.deepEqual(banners.all(), []);
    await store.createChat({ id: 'new', userId: 'local' });
  });
});
