import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { Connection, loadSqlite } from '../../../src/store/sqlite/connection.ts';
import { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, MemoryDatabase } from '../../../src/store/sqlite/inMemory.ts';
import { migrate } from '../../../src/store/sqlite/schema.ts';
import { matchExpression } from '../../../src/store/common/searchText.ts';
import { readSnippets } from '../../../src/store/sqlite/search.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

const words = fc.array(fc.constantFrom('tree', 'three', 'the', 'branch', '分支'), { maxLength: 200 });
const query = fc.constantFrom(
  'th',
  'tree',
  'the branch',
  '"the tree"',
  'three* the tree',
  '分支',
  'branch tree th',
);

describe('the ranking of what was found', () => {
  const withStore = async (
    test: (connection: Connection, store: SqlContextStore) => Promise<void>,
  ): Promise<void> => {
    const connection = new Connection(await loadSqlite(sqliteWasm));
    migrate(connection);
    const store = new SqlContextStore({
      open: () => Promise.resolve(new MemoryDatabase(connection)),
      blobs: new MemoryBlobStore(),
    });
    await test(connection, store);
    await store.close();
  };

  /** By the figures that FTS4 gives of every hit, as the formula is written in books. */
  const ranked = (connection: Connection, searched: string): { id: string; rank: number }[] => {
    const rows = connection.all(
      `SELECT m.key, m.id, matchinfo(messageTexts, 'pcnalx') AS info
        FROM messageTexts JOIN messages m ON m.key = messageTexts.docid WHERE messageTexts MATCH ?`,
      [matchExpression(searched) ?? ''],
    );
    const hits = rows.map(({ key, id, info }) => {
      const figures = info instanceof Uint8Array ? [...new Uint32Array(info.slice().buffer)] : [];
      const [phrases = 0, , texts = 0, average = 0, length = 0, ...counts] = figures;
      let rank = 0;
      for (let phrase = 0; phrase < phrases; phrase++) {
        const [found = 0, , textsWith = 0] = counts.slice(phrase * 3, phrase * 3 + 3);
        const rarity = Math.log(1 + (texts - textsWith + 0.5) / (textsWith + 0.5));
        rank += (rarity * found * 2.2) / (found + 1.2 * (0.25 + (0.75 * length) / Math.max(1, average)));
      }
      return { key: Number(key), id: String(id), rank };
    });
    return hits.sort((a, b) => b.rank - a.rank || b.key - a.key).map(({ id, rank }) => ({ id, rank }));
  };

  it('is that of all hits, however few of them are asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 12 }), query, (texts, searched) =>
        withStore(async (connection, store) => {
          for (const [index, text] of texts.entries()) {
            const engine = new ContextEngine({ store, chatId: `chat-${index % 2}`, userId: 'ann' });
            await engine.set((index % 3 === 0 ? user : assistant)(text.join(' '))).save();
          }
          const all = ranked(connection, searched);
          for (const limit of [1, 3, 50]) {
            const found = await store.searchAllMessages(searched, { limit });
            const shown = found.map(({ message, rank }) => ({ id: message.id, rank: rank.toFixed(9) }));
            const expected = all.map(({ id, rank }) => ({ id, rank: rank.toFixed(9) }));
            assert.deepEqual(shown, expected.slice(0, limit));
          }
          const ofOne = await store.searchMessages('chat-0', searched);
          const inChat = new Set((await store.getGraph('chat-0')).nodes.map(({ id }) => id));
          assert.deepEqual(
            ofOne.map(({ message }) => message.id),
            all.filter(({ id }) => inChat.has(id)).map(({ id }) => id),
          );
        }),
      ),
      { numRuns: 30 },
    );
  });

  it('shows the same places by the whole index as by one of what was found alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: 1, maxLength: 8 }),
        query,
        fc.nat(),
        (texts, searched, which) =>
          withStore(async (connection, store) => {
            const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
            for (const text of texts) engine.set(user(text.join(' ')));
            await engine.save();
            const expression = matchExpression(searched) ?? '';
            const matching = 'SELECT docid FROM messageTexts WHERE messageTexts MATCH ?';
            const hits = connection.all(matching, [expression]).map(({ docid }) => Number(docid));
            const keys = hits.filter((_, index) => (which >> index) % 2 === 0);
            const before = connection.export();
            const places = [0, Infinity].map((count) =>
              readSnippets(connection, { expression, keys, words: 1, hits: count }, ['[', ']']),
            );
            assert.deepEqual(places[1], places[0]);
            assert.deepEqual(new Set(places[0]?.keys()), new Set(keys));
            // Nothing of it is in the file.
            assert.deepEqual(connection.export(), before);
          }),
      ),
      { numRuns: 30 },
    );
  });

  it('is of the newest, where a word stands in more messages than can be ranked while one types', async function () {
    this.timeout(60_000);
    await withStore(async (connection, store) => {
      await new ContextEngine({ store, chatId: 'chat', userId: 'ann' }).set(user('often')).save();
      // The first one is the best, for being the shortest.
      connection.execute(`
        WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
        INSERT INTO messages (key, chatKey, id, parentKey, depth, name, type, data, invocationId, createdAt)
          SELECT i, 1, 'm-' || i, i - 1, i, 'user', 'message', '"often said"', 'i', 0 FROM n;
        INSERT INTO messageTexts (docid, text) SELECT rowid, text FROM indexedTexts WHERE rowid > 1`);
      const [first, second] = await store.searchMessages('chat', 'often', { limit: 2 });
      assert.deepEqual([first?.message.id, second?.message.id], ['m-20001', 'm-20000']);
    });
  });
});
