import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import type { StoreChange } from '../../../../src/engine/graph.ts';
import { textMessage, textOf } from '../../../../src/engine/uiMessage.ts';
import { PostgresContextStore } from '../../../../src/store/postgres/postgresContextStore.ts';
import { SCHEMA_VERSION } from '../../../../src/store/postgres/schema/migrations.ts';
import { setUp, versionOf } from '../../../../src/store/postgres/setUp.ts';
import { cancelWhileWriting, endOf } from '../../../fixtures/answers.ts';
import { asAdmin, databases } from '../../../fixtures/postgres/databases.ts';
import { AnsweringProcess, wordsUpTo } from '../../../fixtures/storage/answeringProcess.ts';
import { until } from '../../../fixtures/until.ts';

describe('answers that several programs share in a store on a PostgreSQL server', () => {
  let url: (role?: string) => string;
  let stores: PostgresContextStore[];
  const opened: ContextEngine[] = [];
  beforeEach(async () => {
    url = await databases.create();
    stores = [1, 2].map(() => new PostgresContextStore({ connectionString: url(), userId: 'ann' }));
    await engineOf(0).set(user('question')).save();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
    await Promise.all(stores.map((each) => each.close()));
    databases.giveBack(url());
  });
  const engineOf = (index: number): ContextEngine => {
    const store = stores[index];
    assert.ok(store);
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    opened.push(engine);
    return engine;
  };

  it('are begun and reopened by one of them', async () => {
    const engines = [engineOf(0), engineOf(1), engineOf(0), engineOf(1)];
    for (const id of ['a', 'b', 'c']) {
      for (const begin of [
        (each: ContextEngine) => each.answers.open({ id }),
        (each: ContextEngine) => each.answers.reopen(id),
      ]) {
        const outcomes = await Promise.allSettled(engines.map(begin));
        const won = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
        const lost = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
        assert.equal(won.length, 1);
        for (const error of lost)
          assert.ok(error instanceof Error && 'code' in error && error.code === 'answer-running');
        await won[0]?.dispose();
      }
    }
  });

  it('are watched by one and canceled by it while the other writes', async () => {
    const [one, other] = [engineOf(0), engineOf(1)];
    for (const id of ['a', 'b', 'c']) {
      await cancelWhileWriting(one, other, id);
    }
  });

  it('are told of to the others, with their ids', async () => {
    const [one, other] = [engineOf(0), engineOf(1)];
    const heard: StoreChange[] = [];
    other.onDidChange((change) => void heard.push(change));
    await stores[1]?.listen();
    const answer = await one.answers.open({ id: 'a' });
    const draft = { kind: 'draft', chatId: 'chat', branch: 'main', answerId: 'a' };
    const begun = await until(() => heard.find(({ kind }) => kind === 'draft'), 'its beginning');
    assert.deepEqual(begun, { ...draft, change: 'saved' });
    await answer.finish([{ type: 'text', text: 'all of it' }]);
    await until(
      () => heard.some((change) => change.kind === 'draft' && change.change === 'removed'),
      'its end',
    );
    await until(
      () => heard.some((change) => change.kind === 'messages' && change.messageIds.includes('a')),
      'its message',
    );
  });

  it('are interrupted once their process is gone, and go on elsewhere', async function () {
    this.timeout(60_000);
    const child = new AnsweringProcess(url(), 'chat', 'a');
    const engine = engineOf(1);
    try {
      await until(() => child.count > 3, 'some words');
      // Alive as long as its process, whether it stores anything or not.
      await assert.rejects(engine.answers.reopen('a'), { code: 'answer-running' });
    } finally {
      await child.kill();
    }
    // Most of the time after which one that says nothing counts as gone.
    await databases.agePresence(url(), 13_000);
    const [status, text = ''] = await endOf(engine, 'a');
    const count = text.split(' ').length - 1;
    assert.deepEqual([status, text], ['interrupted', wordsUpTo(count)]);
    assert.ok(count >= child.count, `${count} of ${child.count} words that were stored`);
    const answer = await engine.answers.reopen('a');
    await answer.finish();
    assert.deepEqual(await endOf(engineOf(0), 'a'), ['completed', text]);
  });

  it('are canceled in another process', async function () {
    this.timeout(60_000);
    const child = new AnsweringProcess(url(), 'chat', 'a');
    try {
      await until(() => child.count > 3, 'some words');
      assert.equal(await engineOf(0).answers.cancel('a'), true);
      await until(() => child.code, 'its end');
      assert.equal(child.code, 'answer-cancelled');
    } finally {
      await child.kill();
    }
    assert.equal((await endOf(engineOf(1), 'a'))[0], 'cancelled');
  });

  it('are interrupted at once when the store of their writer is closed', async () => {
    const answer = await engineOf(0).answers.open({ id: 'a' });
    answer.append('some');
    const end = endOf(engineOf(1), 'a');
    await stores[0]?.close();
    assert.deepEqual(await end, ['interrupted', 'some']);
  });

  it('are written by those who may write to their chat, and seen by those who may read it', async () => {
    await databases.addPeople('ana', 'bob');
    const [ana, bob] = ['ana', 'bob'].map(
      (role) => new PostgresContextStore({ connectionString: url(role) }),
    );
    assert.ok(ana && bob);
    const engine = (store: PostgresContextStore, userId: string): ContextEngine => {
      const made = new ContextEngine({ store, chatId: 'of Ana', userId });
      opened.push(made);
      return made;
    };
    const own = engine(ana, 'ana');
    const answer = await own.answers.open({ id: 'a' });
    answer.append('some');
    await answer.flush();
    await assert.rejects(bob.listAnswers('of Ana'), { code: 'chat-not-found' });
    await assert.rejects(bob.cancelAnswer('of Ana', 'a'), { code: 'chat-not-found' });
    await ana.shareChat('of Ana', 'read');
    assert.deepEqual(
      (await bob.listAnswers('of Ana')).map(({ userId, message }) => [userId, message && textOf(message)]),
      [['ana', 'some']],
    );
    await assert.rejects(bob.cancelAnswer('of Ana', 'a'), { code: 'not-allowed' });
    const claim = (await bob.getAnswer('of Ana', 'a'))?.claim ?? '';
    const write = { chatId: 'of Ana', answerId: 'a', claim };
    await assert.rejects(bob.saveAnswer(write), { code: 'not-allowed' });
    await assert.rejects(bob.finishAnswer({ ...write, message: answer.message }), { code: 'not-allowed' });
    await ana.shareChat('of Ana', 'write');
    assert.equal(await bob.cancelAnswer('of Ana', 'a'), true);
    assert.deepEqual(await endOf(own, 'a'), ['cancelled', 'some']);
    const again = await engine(bob, 'bob').answers.reopen('a');
    await again.finish();
    assert.deepEqual([...(await ana.getAuthors('of Ana', ['a']))], [['a', 'bob']]);
    await Promise.all([ana.close(), bob.close()]);
  });
});

describe('tables of version 1 on a PostgreSQL server', () => {
  it('keep their drafts when they are brought to this version, also for a program that is at work', async () => {
    const server = await databases.started();
    const database = `answers_${process.pid}`;
    await asAdmin(server, 'postgres', (client) => client.query(`CREATE DATABASE ${database}`));
    const draft = JSON.stringify(textMessage('d', 'assistant', 'of version 1'));
    await asAdmin(server, database, async (client) => {
      await setUp(client, 1);
      const perform = 'SELECT offshoot.perform(gen_random_uuid(), false, $1, $2)';
      const chat = { id: 'chat', userId: 'ann', title: null, metadata: '{}' };
      await client.query(perform, ['createChat', JSON.stringify(chat)]);
      const write = { chatId: 'chat', branch: 'main', data: draft, client: crypto.randomUUID() };
      await client.query(perform, ['saveDraft', JSON.stringify(write)]);
      await setUp(client);
      assert.equal(await versionOf(client), SCHEMA_VERSION);
      // What a program of version 1 calls is there as before.
      const { rows } = await client.query('SELECT data FROM offshoot.list_drafts($1, NULL, NULL)', ['chat']);
      assert.deepEqual(rows, [{ data: draft }]);
      const later = JSON.stringify(textMessage('d', 'assistant', 'later'));
      await client.query(perform, ['saveDraft', JSON.stringify({ ...write, data: later })]);
    });
    const store = new PostgresContextStore({ connectionString: server.url(database) });
    assert.deepEqual(
      (await store.listDrafts('chat')).map(({ userId, message }) => [userId, textOf(message)]),
      [['ann', 'later']],
    );
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    const answer = await engine.answers.open({ id: 'a' });
    await answer.finish([{ type: 'text', text: 'all of it' }]);
    assert.equal((await engine.resolve()).messages.length, 1);
    assert.equal((await store.listDrafts('chat')).length, 1);
    await engine.close();
    await store.close();
  });
});
