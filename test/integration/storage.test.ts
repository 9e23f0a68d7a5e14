import assert from 'node:assert/strict';
import { readUIMessage, textOf } from '../../src/engine/uiMessage.ts';
import { useOpenedStorage } from './openedStorage.ts';
import { ask, setSetting } from './support.ts';

describe('storage in the extension host', () => {
  const storage = useOpenedStorage();

  it('has the conversation when its files are opened again', async () => {
    const { api, host, path, open } = storage();
    const { parts } = api;
    await setSetting('demo.pace', 0);
    try {
      await parts.current.startNew();
      await ask({ parts }, 'Will this last?');
    } finally {
      await setSetting('demo.pace', undefined);
    }
    await parts.conversations.createCheckpoint('lasting');
    const { files } = host;
    const folder = host.pathOf(parts.folder.toString());
    for (const { name } of await files.list(folder)) {
      // What says who writes is not what was written.
      if (/\.(sock|lock)$/.test(name)) continue;
      const bytes = await files.read(files.join(folder, name));
      if (bytes) await files.write(path(name), [bytes]);
    }
    const store = open();
    const chatId = await parts.current.chatId();
    const checkpoint = await store.getCheckpoint(chatId, 'lasting');
    assert.ok(checkpoint);
    const [question, ...rest] = await store.getPath(chatId, checkpoint.messageId);
    const read = readUIMessage(question?.data);
    assert.equal(read && textOf(read), 'Will this last?');
    assert.equal(rest.length, 1);
  });

  it('sets damaged files aside, says so, and starts with new ones next to them', async () => {
    const { banners, host, path, open } = storage();
    await host.files.write(path('offshoot.db'), [new TextEncoder().encode('no database')]);
    const store = open();
    await store.createChat({ id: 'new', userId: 'local' });
    const [banner] = banners.all();
    assert.equal(banner?.severity, 'warning');
    const kept = /offshoot\.db\.damaged-[^\s,]+/.exec(banner.text)?.[0];
    assert.ok(kept);
    assert.equal(new TextDecoder().decode(await host.files.read(path(kept))), 'no database');
  });
});
