import assert from 'node:assert/strict';
import { answerMetadataOf } from '../../../src/agent/run/answerMetadata.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { sentPath } from '../../../src/engine/sentPath.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import { ChatBuilder } from '../../../src/importExport/chatBuilder.ts';
import { memoryStore } from '../../fixtures/stores.ts';

describe('a chat built from a session of another program', () => {
  it('can be imported, however long and alike the names in it are', async () => {
    const builder = new ChatBuilder(1);
    const parts = [{ type: 'text', text: 'x' }] as const;
    const question = { parentId: null, role: 'user', parts, createdAt: 1 } as const;
    const ends = [builder.add(question), builder.add(question), builder.add(question)];
    for (const end of ends) {
      builder.mark('🌲'.repeat(100), end, 1);
      builder.nameBranch(end, '🌲'.repeat(100));
    }
    const chat = builder.build(undefined, null, 1);
    const store = memoryStore();
    const [id = ''] = await store.importChats('ann', [chat]);
    assert.equal((await store.listCheckpoints(id)).length, 3);
    assert.equal((await store.listBranches(id)).length, 4);
    await store.close();
  });

  it('sends a model the summary, what stays, and what follows it', () => {
    const { builder, ids } = talk(4);
    const folded = builder.fold({
      key: 'sum',
      parentId: ids[3] ?? '',
      text: 'In short.',
      createdAt: 9,
      keptFrom: ids[2],
    });
    const next = builder.add({ key: 'next', parentId: folded, role: 'user', parts: PARTS, createdAt: 9 });
    const { messages } = builder.build(undefined, next, 9);
    const read = messages.flatMap(({ data }) => readUIMessage(data) ?? []);
    assert.deepEqual(
      sentPath(read).map(({ id }) => id),
      [folded, ids[2], ids[3], next],
    );
  });

  it('says of a stopped answer that it was, and of nothing else', () => {
    const { builder, ids } = talk(4);
    for (const id of [ids[0], ids[3], 'unknown']) builder.interrupt(id ?? '');
    const { messages } = builder.build(undefined, ids[3] ?? null, 9);
    assert.deepEqual(
      messages.map(({ data }) => answerMetadataOf(data as { readonly metadata?: unknown })?.status),
      [undefined, 'complete', undefined, 'interrupted'],
    );
  });

  it('with a summary after each message does not grow with the square of their number', () => {
    const builder = new ChatBuilder(9);
    let parentId: string | null = null;
    for (let at = 0; at < 1_000; at++) {
      parentId = builder.add({ key: `q${at}`, parentId, role: 'user', parts: PARTS, createdAt: 1 });
      const keptFrom = 'imported:q0';
      parentId = builder.fold({ key: `s${at}`, parentId, text: 'In short.', createdAt: 1, keptFrom });
    }
    const { messages } = builder.build(undefined, parentId, 9);
    const kept = messages.flatMap(({ data }) => {
      const read = readUIMessage(data);
      return (read && pathSummaryOf(read)?.source.kept) ?? [];
    });
    assert.ok(kept.length > 0 && kept.length <= 10_000, `${kept.length}`);
  });
});

const PARTS = [{ type: 'text', text: 'x' }] as const;

/** Questions and answers, one after another. */
function talk(count: number): { readonly builder: ChatBuilder; readonly ids: readonly string[] } {
  const builder = new ChatBuilder(9);
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const role = at % 2 === 0 ? 'user' : 'assistant';
    const shared = { parentId: ids.at(-1) ?? null, parts: PARTS, createdAt: at, model: 'm' };
    ids.push(builder.add({ key: `m${at}`, role, ...shared }));
  }
  return { builder, ids };
}
