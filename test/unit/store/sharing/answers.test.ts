import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../../src/engine/store.ts';
import { textOf } from '../../../../src/engine/uiMessage.ts';
import { cancelWhileWriting, endOf } from '../../../fixtures/answers.ts';
import { LeftRunning } from '../../../fixtures/leftRunning.ts';
import { AnsweringProcess, wordsUpTo } from '../../../fixtures/storage/answeringProcess.ts';
import { say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { stores } from '../../../fixtures/stores.ts';
import { until } from '../../../fixtures/until.ts';

const engineIn = (store: ContextStore): ContextEngine =>
  new ContextEngine({ store, chatId: 'chat', userId: 'ann' });

describe('an answer that several windows of one folder share', () => {
  let place: StoragePlace;
  let windows: ContextEngine[];
  beforeEach(async () => {
    place = await StoragePlace.create();
    const first = place.open();
    await say(first, 'question');
    const second = place.open();
    await second.listChats();
    windows = [engineIn(first), engineIn(second)];
    for (const each of windows) await each.resolve();
  });
  afterEach(async () => {
    for (const each of windows) await each.close();
    await place[Symbol.asyncDispose]();
    assert.deepEqual([place.errors, place.reports], [[], []]);
  });
  const both = (): readonly (readonly [ContextEngine, ContextEngine])[] => {
    const [first, second] = windows;
    assert.ok(first && second);
    return [
      [first, second],
      [second, first],
    ];
  };

  it('is begun by one of them, and reopened by one of them', async () => {
    for (const id of ['a', 'b', 'c', 'd']) {
      for (const begin of [
        (each: ContextEngine) => each.answers.open({ id }),
        (each: ContextEngine) => each.answers.reopen(id),
      ]) {
        const outcomes = await Promise.allSettled(windows.map(begin));
        const [won] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
        const [lost] = outcomes.flatMap((each) =>
          each.status === 'rejected' ? [each.reason as unknown] : [],
        );
        assert.ok(won && lost instanceof Error && 'code' in lost && lost.code === 'answer-running');
        await won.dispose();
        await until(
          async () =>
            (await Promise.all(windows.map((each) => each.answers.list({ status: 'interrupted' })))).every(
              (list) => list.some((answer) => answer.id === id),
            ),
          'both to see that it ended',
        );
      }
    }
  });

  it('is watched by one and canceled by it while the other writes', async () => {
    for (const [index, [writes, other]] of both().entries()) {
      await cancelWhileWriting(writes, other, `a${index}`);
    }
  });

  it('is completed for the other in the moment it is no draft any more', async () => {
    for (const [index, [writes, other]] of both().entries()) {
      const id = `a${index}`;
      const end = endOf(other, id);
      const answer = await writes.answers.open({ id });
      await answer.finish([{ type: 'text', text: 'all of it' }]);
      assert.deepEqual(await end, ['completed', 'all of it']);
    }
  });
});

describe('an answer whose process is killed', () => {
  const processes: AnsweringProcess[] = [];
  let place: StoragePlace;
  beforeEach(async () => {
    place = await StoragePlace.create();
  });
  afterEach(async () => {
    for (const each of processes.splice(0)) await each.kill();
    await place[Symbol.asyncDispose]();
  });
  const start = (how: 'open' | 'reopen' = 'open'): AnsweringProcess => {
    const child = new AnsweringProcess(place.folder, 'chat', 'a', how);
    processes.push(child);
    return child;
  };

  for (const [which, isWriter] of [
    ['that wrote for all', true],
    ['that wrote through another one', false],
  ] as const) {
    it(`is interrupted for who watches, with all that was stored, and goes on elsewhere: one ${which}`, async function () {
      this.timeout(60_000);
      const store = place.open();
      if (!isWriter) await say(store, 'question');
      const child = start();
      await until(() => child.count > 3, 'some words');
      const engine = engineIn(store);
      await engine.resolve();
      assert.equal(store.isWriter, !isWriter);
      const end = endOf(engine, 'a');
      await until(() => child.count > 6, 'more words');
      await child.kill();
      const [status, text = ''] = await end;
      const count = text.split(' ').length - 1;
      assert.deepEqual([status, text], ['interrupted', wordsUpTo(count)]);
      assert.ok(count >= child.count, `${count} of ${child.count} words that were stored`);
      const answer = await engine.answers.reopen('a');
      assert.equal(textOf(answer.message), text);
      answer.append('end');
      await answer.finish();
      assert.deepEqual(await endOf(engine, 'a'), ['completed', `${text}end`]);
      await engine.close();
    });
  }

  it('is canceled when a cancel comes later', async function () {
    this.timeout(60_000);
    const child = start();
    await until(() => child.count > 3, 'some words');
    await child.kill();
    const engine = engineIn(place.open());
    await until(async () => (await engine.answers.list({ status: 'interrupted' })).length === 1, 'its end');
    assert.equal(await engine.answers.cancel('a'), true);
    assert.equal((await endOf(engine, 'a'))[0], 'cancelled');
    await engine.close();
  });

  it('is canceled in a living process by another one', async function () {
    this.timeout(60_000);
    const engine = engineIn(place.open());
    const child = start();
    await until(() => child.count > 3, 'some words');
    await until(() => engine.answers.cancel('a'), 'the answer');
    await until(() => child.code, 'its end');
    assert.equal(child.code, 'answer-cancelled');
    assert.equal((await endOf(engine, 'a'))[0], 'cancelled');
    await engine.close();
  });

  it('is reopened by one of several processes', async function () {
    this.timeout(60_000);
    const first = start();
    await until(() => first.count > 0, 'a word');
    await first.kill();
    const others = [start('reopen'), start('reopen'), start('reopen')];
    await until(() => others.every((each) => each.code !== undefined || each.count > 0), 'their outcomes');
    assert.deepEqual(others.map(({ code = 'writes' }) => code).sort(), [
      'answer-running',
      'answer-running',
      'writes',
    ]);
  });
});

describe('after closing, nothing of an answer runs', () => {
  for (const [kind, open] of Object.entries(stores)) {
    for (const [what, close] of [
      [
        'its engine',
        (engine: ContextEngine, store: ContextStore) => engine.close().then(() => store.close()),
      ],
      ['its store', (_: ContextEngine, store: ContextStore) => store.close()],
    ] as const) {
      it(`that was written and watched in a store ${kind}, of which ${what} is closed first`, async () => {
        // What all stores of a kind share, such as a server, stays.
        await (await open()).close();
        using left = new LeftRunning();
        const store = await open();
        const engine = engineIn(store);
        await engine.set(user('question')).save();
        const answer = await engine.answers.open();
        answer.append('one');
        await answer.flush();
        // Waits to be stored.
        answer.append(' two');
        const states = engine.answers.watch('never');
        const waiting = assert.rejects(states.next(), { code: 'closed' });
        await close(engine, store);
        await waiting;
        assert.equal(answer.signal.aborted, true);
        await left.isNothing();
      });
    }
  }
});
