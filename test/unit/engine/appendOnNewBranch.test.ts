import assert from 'node:assert/strict';
import { appendOnNewBranch } from '../../../src/engine/appendOnNewBranch.ts';
import type { NewMessage, SaveMessages } from '../../../src/engine/store.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const message = (id: string): NewMessage => ({
  id,
  name: 'user',
  type: 'message',
  invocationId: undefined,
  replaces: undefined,
  effects: undefined,
  data: { id, role: 'user', parts: [{ type: 'text', text: id }] },
});

describe('messages on a new branch', () => {
  it('are one transaction with their entry in the log, and touch nothing that is shared', async () => {
    const store = memoryStore();
    await store.createChat({ id: 'chat', userId: 'me' });
    const first: SaveMessages = {
      chatId: 'chat',
      branch: 'main',
      expectedHead: null,
      onHeadConflict: 'error',
      activate: true,
      newBranchAt: undefined,
      messages: [message('one'), message('two')],
      shared: { userId: 'me', user: new Map([['user:tone', 'brief']]), app: new Map(), artifacts: [] },
    };
    const { branch: from } = await store.saveMessages(first);
    const made = await appendOnNewBranch(store, {
      from,
      at: 'one',
      why: 'copy',
      activate: false,
      messages: [message('three')],
      event: { kind: 'cherry-picked', details: { left: 'main' } },
    });
    assert.deepEqual([made.name, made.headMessageId, made.isActive], ['main-v2', 'three', false]);
    assert.deepEqual((await store.getBranch('chat', 'main'))?.headMessageId, 'two');
    assert.deepEqual(
      await store.getSharedState({ scope: 'user', userId: 'me' }),
      new Map([['user:tone', 'brief']]),
    );
    const events = (await store.listEvents('chat', { limit: 3 })).map(
      ({ kind, branch, messageId, details }) => ({
        kind,
        branch,
        messageId,
        details,
      }),
    );
    assert.deepEqual(events, [
      { kind: 'branch-created', branch: 'main-v2', messageId: 'one', details: { from: 'main', why: 'copy' } },
      { kind: 'messages-saved', branch: 'main-v2', messageId: 'three', details: { messageIds: ['three'] } },
      { kind: 'cherry-picked', branch: 'main-v2', messageId: 'three', details: { left: 'main' } },
    ]);
    const refused = appendOnNewBranch(store, {
      from,
      at: 'gone',
      why: 'copy',
      activate: true,
      messages: [message('four')],
      event: { kind: 'cherry-picked', details: {} },
    });
    await assert.rejects(refused, { code: 'message-not-found' });
    assert.equal((await store.listBranches('chat')).length, 2);
    await store.close();
  });
});
