import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonValue } from '../../../src/engine/json.ts';
import { textOf, type UIMessage } from '../../../src/engine/uiMessage.ts';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { excerptOf, indexedMessageText, visibleText } from '../../../src/store/common/messageContent.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const part = fc.oneof(
  text.map((text) => ({ type: 'text' as const, text })),
  text.map((text) => ({ type: 'reasoning' as const, text })),
  text.map((text) => ({
    type: 'text' as const,
    text,
    providerMetadata: { offshoot: { reminder: true } },
  })),
);
const message = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  parts: fc.array(part, { maxLength: 4 }),
});

describe('the index of what messages say', () => {
  /** SQLite compares the index with the texts it was made of; it throws when they differ. */
  const checkIndex = (connection: Connection): void => {
    connection.execute("INSERT INTO messageTexts(messageTexts) VALUES ('integrity-check')");
  };

  it('follows the messages, whatever they hold, also when they go', async function () {
    this.timeout(60_000);
    const sqlite = await loadSqlite(sqliteWasm);
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 8 }), async (messages) => {
        const connection = new Connection(sqlite);
        migrate(connection);
        const database = new MemoryDatabase(connection);
        const store = new SqlContextStore({
          open: () => Promise.resolve(database),
          blobs: new MemoryBlobStore(),
        });
        await store.createChat({ id: 'chat', userId: 'ann' });
        await store.saveMessages({
          chatId: 'chat',
          branch: 'main',
          expectedHead: null,
          onHeadConflict: 'error',
          newBranchAt: undefined,
          activate: true,
          messages: messages.map(({ role, parts }, index) => ({
            id: `m${index}`,
            name: role,
            type: 'message',
            // Plain data of strings, arrays and objects.
            data: { id: `m${index}`, role, parts },
            invocationId: undefined,
            replaces: undefined,
            effects: undefined,
          })),
          shared: { user: new Map(), app: new Map(), userId: 'ann', artifacts: [] },
        });
        checkIndex(connection);
        await store.deleteChat('chat');
        await store.trash.empty();
        checkIndex(connection);
        assert.deepEqual(connection.all('SELECT docid FROM messageTexts'), []);
        await store.close();
      }),
      { numRuns: 100 },
    );
  });

  it('reads the texts that are shown, and nothing of what cannot be read', () => {
    fc.assert(
      fc.property(message, ({ role, parts }) => {
        const whole: UIMessage = { id: 'm', role, parts };
        const data = JSON.parse(JSON.stringify(whole)) as JsonValue;
        assert.equal(visibleText({ type: 'message', data }), textOf(whole));
        assert.equal(indexedMessageText('internal', JSON.stringify(data)), '');
      }),
    );
    for (const damaged of ['', '{', 'null', '[]', '{"id":1}', null, 7]) {
      assert.equal(indexedMessageText('message', damaged), '');
    }
    assert.equal(indexedMessageText('message', '"plain words"'), 'plain words');
  });
});

describe('the beginning of what a message says', () => {
  /** As it is defined: on one line, and if there is more, cut off at 199 units with no half pair. */
  const defined = (whole: string): string => {
    const line = whole.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim();
    if (line.length <= 200 && whole.length <= 2_000) return line;
    return `${line.slice(0, 199).replace(/[\ud800-\udbff]$/, '')}…`;
  };
  const space = fc.constantFrom(
    ...['  ', '\n', '\t', '\u00a0', '\u2028', '\ufeff'],
    ...[' '.repeat(90), '\n'.repeat(2_100)],
  );
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('word', 'a', '🌲', 'é'.repeat(30), 'x'.repeat(199)) },
    { weight: 4, arbitrary: fc.constant(' ') },
    { weight: 1, arbitrary: space },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
  );

  it('is the same however much of the text is looked at', () => {
    const texts = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (whole) => {
        assert.equal(excerptOf(whole), defined(whole));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is the same at every length around the limits', () => {
    for (const around of [199, 200, 201, 255, 256, 257, 1_999, 2_000, 2_001]) {
      for (const unit of ['x', 'x ', ' x', '🌲', 'x  ', '\n']) {
        for (const before of ['', ' ', 'y']) {
          const whole = `${before}${unit.repeat(around)}`.slice(0, around + before.length);
          assert.equal(excerptOf(whole), defined(whole));
          assert.equal(excerptOf(`${whole} end`), defined(`${whole} end`));
        }
      }
    }
  });
});
