import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { MessageTooLargeError } from '../../../src/engine/errors.ts';
import type { JsonValue } from '../../../src/engine/json.ts';
import { MAX_MESSAGE_BYTES, MAX_SAVE_LENGTH } from '../../../src/engine/limits.ts';
import type { PortableChat } from '../../../src/engine/portableChat.ts';
import { textMessage, textOf } from '../../../src/engine/uiMessage.ts';
import { loadSqlite } from '../../../src/store/sqlite/connection.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { addFunction } from '../../../src/store/sqlite/sqlFunctions.ts';
import { memoryStore, stores } from '../../fixtures/stores.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const entries = Object.entries as <K extends string, V>(record: Readonly<Record<K, V>>) => [K, V][];

/** A chat of one message, as a file would bring it. */
function chatOf(id: string, text: string): PortableChat {
  return {
    id,
    metadata: {},
    createdAt: 1,
    updatedAt: 1,
    messages: [
      {
        id: `${id}-message`,
        parentId: null,
        name: 'user',
        type: 'message',
        data: JSON.parse(JSON.stringify(textMessage(`${id}-message`, 'user', text))) as JsonValue,
        invocationId: `${id}-message`,
        createdAt: 1,
      },
    ],
    branches: [
      {
        name: 'main',
        headMessageId: `${id}-message`,
        forkMessageId: null,
        isActive: true,
        createdAt: 1,
      },
    ],
    checkpoints: [],
    events: [],
  };
}

async function textIn(store: ContextStore, chatId: string): Promise<string> {
  const branch = await store.getActiveBranch(chatId);
  const path = await store.getPath(chatId, branch?.headMessageId ?? '');
  return textOf(path.at(-1)?.data as never);
}

/** Ends with a word that stands nowhere else in it. */
const longTexts = {
  // Each character is a word of its own: three times as many bytes in the index.
  'two million Chinese characters': () => `${'语言模型的对话是一棵树'.repeat(182_000)} needle`,
  '30 MB of Latin letters': () => `${`${'x'.repeat(99)} `.repeat(300_000)}needle`,
  'just more than the stack': () => `${`${'x'.repeat(99)} `.repeat(53_000)}needle`,
} as const;

/** The long ones take seconds each, so that each is tried in one place. */
const triedIn: Readonly<Record<keyof typeof longTexts, readonly (keyof typeof stores)[]>> = {
  'two million Chinese characters': ['in a folder'],
  '30 MB of Latin letters': ['in memory'],
  'just more than the stack': ['in memory', 'in a folder'],
};

for (const [place, open] of Object.entries(stores)) {
  // What two windows send each other is tried where they are.
  if (place === 'through another window') continue;

  describe(`long texts in a store ${place}`, function () {
    this.timeout(120_000);
    let store: ContextStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const isFound = async (chatId: string, text: string): Promise<void> => {
      assert.ok((await textIn(store, chatId)) === text, 'the text is whole');
      const found = await store.searchMessages(chatId, 'needle');
      assert.deepEqual(
        found.map(({ message }) => message.chatId),
        [chatId],
      );
      assert.match(found[0]?.snippet ?? '', /\[needle\]$/);
    };
    const works = async (): Promise<void> => {
      const other = memoryStore();
      const context = new ContextEngine({ store: other, chatId: 'after', userId: 'ann' });
      await context.set(user('a question'), assistant('an answer')).save();
      assert.equal((await context.resolve()).messages.length, 2);
      await other.close();
    };

    for (const [name, make] of entries(longTexts)) {
      if (!triedIn[name].includes(place)) continue;

      it(`keeps and finds ${name}, saved or imported, until it leaves for good`, async () => {
        const context = new ContextEngine({ store, chatId: 'saved', userId: 'ann' });
        await context.set(user(make())).save();
        await context.close();
        await isFound('saved', make());
        // As a file would bring it.
        const chat = await store.exportChat('saved');
        await store.deleteChat('saved');
        await store.trash.empty();
        assert.deepEqual(await store.searchAllMessages('needle'), []);
        await store.importChats('ann', [chat]);
        await isFound('saved', make());
        await works();
      });
    }

    it('refuses a message over the limit before anything of it is stored', async () => {
      const context = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
      await context.set(user('a question', { id: 'q1' })).save();
      const tooLong = '"'.repeat(MAX_MESSAGE_BYTES / 2);
      context.set(user(tooLong, { id: 'q2' }));
      await assert.rejects(context.save(), (error) => {
        assert.ok(error instanceof MessageTooLargeError);
        assert.deepEqual([error.code, error.messageId], ['message-too-large', 'q2']);
        return true;
      });
      await assert.rejects(store.importChats('ann', [chatOf('b', 'short'), chatOf('c', tooLong)]), {
        code: 'message-too-large',
      });
      await assert.rejects(
        store.saveDraft({ chatId: 'chat', branch: 'main', message: textMessage('d', 'assistant', tooLong) }),
        { code: 'message-too-large' },
      );
      const path = await store.getPath('chat', 'q1');
      assert.deepEqual([path.length, (await store.listChats()).length], [1, 1]);
      assert.equal((await store.getBranch('chat', 'main'))?.headMessageId, 'q1');
      await works();
    });

    it('refuses what is more than can be saved at once', async () => {
      await store.createChat({ id: 'chat', userId: 'ann' });
      const half = 'x'.repeat(MAX_SAVE_LENGTH / 2);
      await assert.rejects(store.updateChat('chat', { title: 'T', metadata: { half, other: half } }), {
        code: 'save-too-large',
      });
      const chat = await store.getChat('chat');
      assert.deepEqual([chat?.title, chat?.metadata], [undefined, {}]);
    });
  });
}

describe('the length of a text', () => {
  it('makes no difference to finding it, fuzz around every bound', async function () {
    this.timeout(60_000);
    const store = memoryStore();
    // Of one, two, three and four bytes, with and without gaps of the index around them.
    const filler = fc.constantFrom('a', 'ä', '\u0000', '松', '🌲', 'word ', '한', '\u200b');
    const bounds = fc.constantFrom(16_384, 16_384 / 3, 16_384 / 2, 65_536, 1_000_000);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(filler, bounds, fc.integer({ min: -12, max: 12 }), async (unit, bound, more) => {
        const chatId = `chat-${++count}`;
        const text = `${unit.repeat(Math.max(1, Math.floor((bound + more) / unit.length)))} needle${count}`;
        await store.importChats('ann', [chatOf(chatId, text.replaceAll('\0', '\u0001'))]);
        const found = await store.searchAllMessages(`needle${count}`, { limit: 2 });
        assert.deepEqual(
          found.map(({ message }) => message.chatId),
          [chatId],
        );
      }),
      { numRuns: fuzzRuns(15) },
    );
    await store.close();
  });
});

describe('a function for SQL', () => {
  it('gives back texts of any length, and throws errors of any length', async () => {
    const sqlite = await loadSqlite(sqliteWasm);
    const database = new sqlite.Database();
    addFunction(database, 'repeated', (text, times) => String(text).repeat(Number(times)));
    addFunction(database, 'failing', (text, times) => {
      throw new Error(String(text).repeat(Number(times)));
    });
    for (const times of [0, 1, 5_461, 5_462, 16_384, 16_385, 1_800_000, 10_000_000]) {
      const [result] = database.exec(`SELECT length(CAST(repeated('树', ${times}) AS TEXT))`);
      assert.deepEqual(result?.values, [[times]]);
      assert.throws(() => database.exec(`SELECT failing('树', ${times})`));
    }
    assert.deepEqual(database.exec('SELECT 1')[0]?.values, [[1]]);
    database.close();
  });
});
