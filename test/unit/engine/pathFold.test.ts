import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/emitter.ts';
import type { MessageData, StoreChange } from '../../../src/engine/graph.ts';
import { PathFold, type PathStore } from '../../../src/engine/pathFold.ts';

function message(id: string, parentId: string | null, text: string): MessageData {
  return {
    id,
    chatId: 'chat',
    parentId,
    depth: 1,
    name: 'user',
    type: 'message',
    createdAt: 0,
    data: { id, role: 'user', parts: [{ type: 'text', text }] },
    effects: undefined,
    invocationId: id,
    replaces: undefined,
  };
}

describe('what is folded along a path', () => {
  it('is read again when something was deleted between the reading of a part and its use', async () => {
    const changes = new Emitter<StoreChange>();
    let isDeleted = false;
    const [first, second] = [message('1', null, 'kept'), message('2', '1', 'before')];
    const again = [message('1', null, 'of another chat'), message('2', '1', 'after')];
    const store: PathStore = {
      onDidChange: changes.event,
      findCommonAncestor: () => Promise.resolve(first),
      getPath: (_, id) => Promise.resolve(id === '1' ? [first] : isDeleted ? again : [first, second]),
      getPathAfter: () => {
        const part = Promise.resolve([second]);
        // After the fold has got it, and before it goes on.
        queueMicrotask(() =>
          queueMicrotask(() => {
            isDeleted = true;
            changes.fire({ kind: 'chat', chatId: 'chat', change: 'deleted' });
          }),
        );
        return part;
      },
    };
    const fold = new PathFold(store, ({ id, data }) => ({ id, data }));
    await fold.read('chat', '1');
    const steps = await fold.read('chat', '2');
    assert.ok(isDeleted);
    assert.deepEqual(
      steps.map(({ data }) => data),
      again.map(({ data }) => data),
    );
    fold.dispose();
  });

  it('is known by its id only where it is on the way that was read last', async () => {
    const changes = new Emitter<StoreChange>();
    const ways: Record<string, MessageData[]> = {
      b: [message('a', null, ''), message('b', 'a', '')],
      c: [message('a', null, ''), message('c', 'a', '')],
    };
    const store: PathStore = {
      onDidChange: changes.event,
      findCommonAncestor: () => Promise.resolve(ways['b']?.[0]),
      getPath: (_, id) => Promise.resolve(ways[id] ?? []),
      getPathAfter: (_, __, id) => Promise.resolve((ways[id] ?? []).slice(1)),
    };
    const fold = new PathFold(store, ({ id }) => ({ id }));
    const ids = async (head: string): Promise<string[]> =>
      (await fold.read('chat', head)).map(({ id }) => id);
    assert.deepEqual(await ids('b'), ['a', 'b']);
    assert.deepEqual(await ids('c'), ['a', 'c']);
    assert.equal(fold.known('chat', 'b'), undefined);
    assert.deepEqual(fold.known('chat', 'c'), { id: 'c' });
    assert.deepEqual(await ids('a'), ['a']);
    assert.deepEqual(await ids('b'), ['a', 'b']);
    fold.dispose();
  });
});
