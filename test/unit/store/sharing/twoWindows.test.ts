import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { HeadConflictError, MessageNotFoundError } from '../../../../src/engine/errors.ts';
import type { StoreChange } from '../../../../src/engine/graph.ts';
import { textOf, type UIMessage } from '../../../../src/engine/uiMessage.ts';
import type { DurableContextStore } from '../../../../src/store/durableContextStore.ts';
import { StorageWriteError, type StorageAccess } from '../../../../src/store/durable/storageErrors.ts';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import type { LogFile } from '../../../../src/host/files.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { until } from '../../../fixtures/until.ts';
import { checkTurns, saveTurns } from '../contract/grafts.ts';

describe('two windows of one folder', () => {
  let place: StoragePlace;
  let first: DurableContextStore;
  let second: DurableContextStore;
  const accesses: StorageAccess['kind'][] = [];

  beforeEach(async () => {
    place = await StoragePlace.create();
    first = place.open();
    await say(first, 'one');
    accesses.length = 0;
    second = place.open({ onDidChangeAccess: ({ kind }) => accesses.push(kind) });
    await second.listChats();
  });
  afterEach(async () => {
    await place[Symbol.asyncDispose]();
    assert.deepEqual([place.errors, place.reports], [[], []]);
  });

  const engineIn = (store: DurableContextStore, chatId = 'chat'): ContextEngine =>
    new ContextEngine({ store, chatId, userId: 'ann' });

  it('both write, and each reads at once what it wrote and soon what the other did', async () => {
    for (let turn = 0; turn < 5; turn++) {
      await say(second, `second ${turn}`);
      assert.equal((await storedTexts(second)).at(-1), `second ${turn}`);
      assert.equal((await storedTexts(first)).at(-1), `second ${turn}`);
      await say(first, `first ${turn}`);
      await until(async () => (await storedTexts(second)).at(-1) === `first ${turn}`, 'the second to see it');
    }
    assert.deepEqual([first.isWriter, second.isWriter], [true, false]);
    assert.deepEqual([first.isReadOnly, second.isReadOnly], [false, false]);
    assert.deepEqual(accesses, ['through-writer']);
  });

  it('have the turns of engines in both on one path', async function () {
    this.timeout(60_000);
    await Promise.all([
      saveTurns(first, 'a', 10, 'both'),
      saveTurns(second, 'b', 10, 'both'),
      saveTurns(second, 'c', 10, 'both'),
    ]);
    await checkTurns(first, ['a', 'b', 'c'], 10, 'both');
  });

  it('see at once why their writes are refused', async () => {
    const append = async (
      store: DurableContextStore,
      id: string,
      expectedHead: string | null,
    ): Promise<void> => {
      const message = { id, name: 'user', type: 'message', data: null, invocationId: undefined } as const;
      await store.saveMessages({
        chatId: 'chat',
        branch: 'main',
        expectedHead,
        onHeadConflict: 'error',
        newBranchAt: undefined,
        activate: false,
        messages: [{ ...message, replaces: undefined, effects: undefined }],
      });
    };
    const headIn = async (store: DurableContextStore): Promise<string | null> =>
      (await store.getBranch('chat', 'main'))?.headMessageId ?? null;
    let head = await headIn(first);
    await until(async () => (await headIn(second)) === head, 'the second to see it');
    for (let turn = 0; turn < 5; turn++) {
      const [, refused] = await Promise.allSettled([
        append(first, `first ${turn}`, head),
        append(second, `second ${turn}`, head),
      ]);
      assert.ok(refused.status === 'rejected' && refused.reason instanceof HeadConflictError);
      head = `first ${turn}`;
      assert.equal(await headIn(second), head);
    }
  });

  it('are told what the other changed', async () => {
    const heard: string[] = [];
    const hear =
      (who: string) =>
      ({ kind, chatId }: StoreChange): void =>
        void heard.push(`${who} ${kind} ${chatId}`);
    first.onDidChange(hear('first'));
    second.onDidChange(hear('second'));
    await second.createChat({ id: 'a', userId: 'ann' });
    assert.deepEqual(heard.splice(0).sort(), ['first chat a', 'second chat a']);
    await first.createChat({ id: 'b', userId: 'ann' });
    await until(() => heard.length === 2, 'the second to hear it');
    assert.deepEqual(heard.sort(), ['first chat b', 'second chat b']);
  });

  it('are told how far an answer has come that the other writes, and not of their own', async () => {
    const heard: [string, StoreChange][] = [];
    first.onDidChange((change) => void heard.push(['first', change]));
    second.onDidChange((change) => void heard.push(['second', change]));
    const draft = (id: string): UIMessage => ({ id, role: 'assistant', parts: [] });
    const saved = { kind: 'draft', chatId: 'chat', branch: 'main', change: 'saved' } as const;
    await second.saveDraft({ chatId: 'chat', branch: 'main', message: draft('a') });
    assert.deepEqual(heard.splice(0), [['first', saved]]);
    await first.saveDraft({ chatId: 'chat', branch: 'main', message: draft('b') });
    await until(() => heard.length === 1, 'the second to hear it');
    assert.deepEqual(heard.splice(0), [['second', saved]]);
    assert.equal((await second.listDrafts())[0]?.message.id, 'b');
    await second.deleteDraft('chat', 'main');
    assert.deepEqual(heard, [['first', { ...saved, change: 'removed' }]]);
  });

  it('write one chat at once: each is refused what the other was faster with, and loses nothing', async () => {
    const engines = [engineIn(first), engineIn(second)];
    for (const engine of engines) await engine.resolve();
    const outcomes = await Promise.allSettled(
      engines.map((engine, index) => engine.set(user(`by ${index}`), assistant('answer')).save()),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 1);
    assert.ok(refused[0]?.status === 'rejected' && refused[0].reason instanceof HeadConflictError);
    const loser = engines[outcomes.findIndex(({ status }) => status === 'rejected')];
    await loser?.resolve();
    await loser?.save();
    for (const engine of engines) await engine.close();
    const texts = await storedTexts(second);
    assert.deepEqual([texts.includes('by 0'), texts.includes('by 1')], [true, true]);
  });

  it('count together, whichever is asked', async () => {
    await first.createChat({ id: 'counted', userId: 'ann', metadata: { visits: 0 } });
    await until(async () => (await second.getChat('counted')) !== undefined, 'the second to see it');
    const visit = (store: DurableContextStore): Promise<unknown> =>
      store.updateChat('counted', ({ metadata }) => ({
        metadata: { visits: Number(metadata['visits']) + 1 },
      }));
    await Promise.all(Array.from({ length: 30 }, (_, index) => visit(index % 2 === 0 ? first : second)));
    assert.equal((await second.getChat('counted'))?.metadata['visits'], 30);
  });

  it('get errors of the same classes, which say the same', async () => {
    const errors = await Promise.all(
      [first, second].map(async (store) => {
        await assert.rejects(store.setCheckpoint('chat', 'here', 'nowhere'), MessageNotFoundError);
        return store.setCheckpoint('chat', 'here', 'nowhere').catch((error: unknown) => error);
      }),
    );
    const [one, other] = errors.map((error) => {
      assert.ok(error instanceof MessageNotFoundError);
      const { name, code, messageId, message } = error;
      return { name, code, messageId, message };
    });
    assert.deepEqual(other, one);
  });

  it('save what is large', async () => {
    // Of characters of several bytes that are no words, whose index would take most of the time.
    const text = `${'€'.repeat(99)} `.repeat(30_000);
    await say(second, text);
    assert.equal((await storedTexts(first)).at(-1), text);
    assert.equal((await storedTexts(second)).at(-1), text);
  });

  it('take over from each other without a save that is refused', async () => {
    const ending = new AbortController();
    const saves: string[] = [];
    const saving = (async () => {
      const engine = engineIn(second, 'other');
      while (!ending.signal.aborted || saves.length < 50) {
        saves.push(`save ${saves.length}`);
        await engine.set(user(saves.at(-1) ?? '')).save();
      }
      await engine.close();
    })();
    await until(() => saves.length > 5, 'some saves');
    await first.close();
    ending.abort();
    await saving;
    assert.equal(second.isWriter, true);
    const engine = engineIn(second, 'other');
    assert.deepEqual((await engine.resolve()).messages.map(textOf), saves);
    assert.deepEqual(accesses, ['through-writer', 'writer']);
  });

  it('tell which answers are being written, and which were cut off', async () => {
    const message: UIMessage = { id: 'answer', role: 'assistant', parts: [] };
    await second.saveDraft({ chatId: 'chat', branch: 'main', message });
    assert.deepEqual(
      (await first.listDrafts()).map(({ isBeingWritten }) => isBeingWritten),
      [true],
    );
    assert.deepEqual(
      (await second.listDrafts()).map(({ isBeingWritten }) => isBeingWritten),
      [false],
    );
    await first.saveDraft({ chatId: 'chat', branch: 'main', message });
    await until(
      async () => (await second.listDrafts())[0]?.isBeingWritten === true,
      'the second to see whose it is',
    );
    assert.deepEqual(
      (await first.listDrafts()).map(({ isBeingWritten }) => isBeingWritten),
      [false],
    );
  });

  it('do without each other where they cannot reach each other', async () => {
    const alone = place.open({ platform: { channels: undefined } });
    await assert.rejects(say(alone, 'refused'), { code: 'read-only' });
    await say(second, 'two');
    await until(async () => (await storedTexts(alone)).at(-1) === 'two', 'it to be seen anyway');
  });
});

describe('a window that writes for another', () => {
  it('says what went wrong on its disk', async () => {
    await using place = await StoragePlace.create();
    let isBroken = false;
    const files = new (class extends NodeFiles {
      override async openLog(path: string): Promise<LogFile> {
        const log = await super.openLog(path);
        const append = log.append.bind(log);
        log.append = (bytes) => (isBroken ? Promise.reject(new Error('a bad disk')) : append(bytes));
        return log;
      }
    })();
    const first = place.open({ platform: { files } });
    await say(first, 'one');
    const second = place.open();
    await say(second, 'two');
    isBroken = true;
    await assert.rejects(say(second, 'lost'), StorageWriteError);
    isBroken = false;
    await say(second, 'three');
    assert.deepEqual(await storedTexts(second), ['one', 'two', 'three']);
  });
});
