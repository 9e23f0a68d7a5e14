import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { user } from '../../src/engine/fragments/index.ts';
import { loadPicture } from '../../src/extension/pages/answersHost.ts';
import { writeConversations } from '../../src/importExport/conversationsFile.ts';
import { FolderFiles } from './folderFiles.ts';
import { offshoot, writableStore } from './support.ts';

describe('a picture that an answer names', () => {
  it('is the artifact in force at the head, and only where it is a picture', async () => {
    const api = await offshoot();
    const { parts } = api;
    const chatId = crypto.randomUUID();
    const engine = new ContextEngine({ store: writableStore(api), chatId, userId: api.parts.userId });
    const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
    await engine.artifacts.save('chart.png', Uint8Array.of(1), { mediaType: 'image/png' });
    await engine.artifacts.save('chart.png', bytes, { mediaType: 'image/png' });
    await engine.artifacts.save('drawing.svg', bytes, { mediaType: 'image/svg+xml' });
    await engine.artifacts.save('page.png', bytes, { mediaType: 'text/html' });
    await engine.set(user('Draw.')).save();
    await parts.current.open(chatId);
    assert.deepEqual(await loadPicture(parts, 'chart.png'), {
      address: 'data:image/png;base64,iVBORw==',
    });
    for (const name of ['drawing.svg', 'page.png', 'gone.png', '__proto__']) {
      assert.deepEqual(await loadPicture(parts, name), {});
    }
  });

  it('comes along with a chat that is imported', async () => {
    const api = await offshoot();
    const { parts } = api;
    const store = writableStore(api);
    const engine = new ContextEngine({ store, chatId: crypto.randomUUID(), userId: parts.userId });
    await engine.artifacts.save('dot.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), { mediaType: 'image/png' });
    await engine.set(user('Draw.')).save();
    const files = new FolderFiles('pictures-test');
    await parts.current.startNew();
    try {
      const written = await writeConversations(store, [engine.chatId], 0);
      await files.write('picture.json', written.replaceAll(engine.chatId, crypto.randomUUID()));
      await vscode.commands.executeCommand('offshoot.import', files.uri('picture.json'));
      assert.deepEqual(await loadPicture(parts, 'dot.png'), { address: 'data:image/png;base64,iVBORw==' });
    } finally {
      await engine.close();
      await files.remove();
    }
  });
});
