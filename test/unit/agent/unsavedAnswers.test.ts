import assert from 'node:assert/strict';
import { answerMetadataOf } from '../../../src/agent/run/answerMetadata.ts';
import {
  recoverDrafts,
  type AnswerKeeper,
  type AnswerKeeping,
} from '../../../src/agent/run/recoverAnswers.ts';
import { Runs, type Run } from '../../../src/agent/run/runs.ts';
import { createAgentWrites } from '../../../src/conversation/agentWrites.ts';
import type { NewDraft, SavedMessages, SaveMessages } from '../../../src/engine/store.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { answer, finish, pause, say } from '../../fixtures/openaiServer.ts';
import { CHAT, FragileStore, newWorld, USER, type World } from '../../worlds/agentWorld.ts';

const long = 'x'.repeat(5_000);

/** A store that saves, and then says that it could not. */
class DeafStore extends FragileStore {
  isDeaf = false;

  override async saveMessages(request: SaveMessages): Promise<SavedMessages> {
    const saved = await super.saveMessages(request);
    if (this.isDeaf) throw new Error('the answer was lost');
    return saved;
  }
}

/** Keeps answers as VS Code's memory does. */
class Keeper implements AnswerKeeper {
  private readonly kept = new Map<string, NewDraft>();
  readonly keeping: AnswerKeeping = {
    isEmpty: () => this.kept.size === 0,
    open: () => Promise.resolve(this),
  };

  list(): NewDraft[] {
    return [...this.kept.values()];
  }

  keep(draft: NewDraft): void {
    this.kept.set(draft.message.id, draft);
  }

  forget(messageId: string): void {
    this.kept.delete(messageId);
  }
}

/** An answer whose draft was saved when it was `long`, and whose end was not. */
async function unsavedIn(world: World, store: FragileStore, break_: () => void): Promise<Run> {
  const run = await world.ask('first');
  await store.draftTried();
  break_();
  world.server.release();
  await run.done;
  return run;
}

describe('an answer that could not be saved', () => {
  const script = [[say(long), pause(), say('!'), finish()], answer('ok'), answer('again')];

  it('stays as it is, says so, and is saved when that is possible again', async () => {
    const store = new FragileStore();
    await using world = await newWorld({ store, script });
    const run = await unsavedIn(world, store, () => (store.isFull = true));
    assert.deepEqual([run.status, run.error?.code, run.isUnsaved], ['failed', 'not-saved', false]);
    assert.equal(world.runs.failed(CHAT, 'main'), run);
    assert.equal(textOf(run.message()), `${long}!`);
    await assert.rejects(world.runs.saveAgain(CHAT, 'main'));
    assert.equal(await world.runs.saveAllAgain(), 0);
    assert.equal(await world.runs.recover(), 0, 'its draft is not taken for one that was left behind');
    assert.equal(world.runs.failed(CHAT, 'main'), run);

    store.isFull = false;
    // The button and the connection that is back at once.
    await Promise.all([world.runs.saveAgain(CHAT, 'main'), world.runs.saveAllAgain()]);
    assert.equal(world.runs.failed(CHAT, 'main'), undefined);
    assert.deepEqual(await world.texts(), ['first', `${long}!`]);
    const { status, error } = await world.lastMetadata();
    assert.deepEqual([status, error], ['complete', undefined]);
    assert.deepEqual(await store.listDrafts(CHAT), []);
    await world.answered('second');
    assert.deepEqual((await world.texts()).slice(2), ['second', 'ok']);
    assert.doesNotMatch(world.log.lines.join('\n'), /xx/);
  });

  it('is saved before the next question, which is refused as long as it cannot be', async () => {
    const store = new FragileStore();
    await using world = await newWorld({ store, script });
    const run = await unsavedIn(world, store, () => (store.isFull = true));
    await assert.rejects(world.ask('second'), /disk full/);
    assert.equal(world.runs.failed(CHAT, 'main'), run);
    store.isFull = false;
    await world.answered('second');
    assert.deepEqual(await world.texts(), ['first', `${long}!`, 'second', 'ok']);
  });

  it('is not saved twice where only the answer of the store was lost', async () => {
    const store = new DeafStore();
    await using world = await newWorld({ store, script });
    const run = await unsavedIn(world, store, () => (store.isDeaf = true));
    assert.equal(run.error?.code, 'not-saved');
    store.isDeaf = false;
    await world.runs.saveAllAgain();
    assert.deepEqual(await world.texts(), ['first', `${long}!`]);
    assert.equal((await store.listBranches(CHAT)).length, 1);
    assert.deepEqual(await store.listDrafts(CHAT), []);
  });

  it('is whole next to its draft, where another window took that for one that was left behind', async () => {
    for (const isFull of [true, false]) {
      const store = new FragileStore();
      await using world = await newWorld({ store, script });
      const run = await unsavedIn(world, store, () => (store.isFull = true));
      const writes = createAgentWrites(store, USER, () => assert.fail());
      store.isFull = false;
      const others = { store, writes, log: world.log, isBeingWritten: () => false };
      assert.equal(await recoverDrafts(others, await store.listDrafts(CHAT)), 1);
      store.isFull = isFull;
      if (isFull) await assert.rejects(world.runs.saveAgain(CHAT, 'main'));
      store.isFull = false;
      await world.runs.saveAgain(CHAT, 'main');
      assert.deepEqual(await world.texts(), ['first', long]);
      const branches = await store.listBranches(CHAT);
      const sibling = branches.find(({ name }) => name !== 'main') ?? assert.fail();
      assert.deepEqual(await world.texts(sibling.name), ['first', `${long}!`]);
      const last = (await world.path(sibling.name)).at(-1) ?? assert.fail();
      assert.equal(answerMetadataOf(last)?.status, 'complete');
      assert.notEqual(last.id, run.messageId);
    }
  });

  it('is whole as well where that happened while it was still written', async () => {
    const store = new FragileStore();
    await using world = await newWorld({ store, script });
    const run = await world.ask('first');
    await store.draftTried();
    const writes = createAgentWrites(store, USER, () => assert.fail());
    const others = { store, writes, log: world.log, isBeingWritten: () => false };
    assert.equal(await recoverDrafts(others, await store.listDrafts(CHAT)), 1);
    world.server.release();
    await run.done;
    assert.equal(run.status, 'complete');
    const branches = await store.listBranches(CHAT);
    const sibling = branches.find(({ name }) => name !== 'main') ?? assert.fail();
    assert.deepEqual(await world.texts(sibling.name), ['first', `${long}!`]);
  });

  it('goes with its chat', async () => {
    const [store, keeper] = [new FragileStore(), new Keeper()];
    await using world = await newWorld({ store, script, keeping: keeper.keeping });
    await unsavedIn(world, store, () => (store.isFull = true));
    assert.equal(keeper.list().length, 1);
    await store.deleteChat(CHAT);
    assert.equal(world.runs.failed(CHAT, 'main'), undefined);
    assert.equal(await world.runs.saveAllAgain(), 0);
    assert.equal(keeper.list().length, 0);
  });

  it('is kept outside the store as well, and not any more once it is saved', async () => {
    const [store, keeper] = [new FragileStore(), new Keeper()];
    await using world = await newWorld({ store, script, keeping: keeper.keeping });
    await unsavedIn(world, store, () => (store.isFull = true));
    assert.deepEqual(
      keeper.list().map(({ message }) => textOf(message)),
      [`${long}!`],
    );
    store.isFull = false;
    await world.runs.saveAllAgain();
    assert.deepEqual(keeper.list(), []);
    assert.equal(await world.runs.recover(), 0);
    assert.deepEqual(await world.texts(), ['first', `${long}!`]);
  });

  it('outlives its window: the next one saves it whole, and not its draft', async () => {
    for (const wasDraftSaved of [false, true]) {
      const [store, keeper] = [new FragileStore(), new Keeper()];
      await using world = await newWorld({ store, script, keeping: keeper.keeping });
      await unsavedIn(world, store, () => (store.isFull = true));
      store.isFull = false;
      const others = {
        store,
        log: world.log,
        isBeingWritten: () => false,
        writes: createAgentWrites(store, USER, () => assert.fail()),
      };
      if (wasDraftSaved) await recoverDrafts(others, await store.listDrafts(CHAT));
      const { writes, log } = others;
      const next = new Runs({ store, writes, log, keeping: keeper.keeping, fragments: () => [] });
      store.isFull = true;
      assert.equal(await next.recover(), 0);
      assert.equal(keeper.list().length, 1, 'it stays until it is saved');
      store.isFull = false;
      assert.equal(await next.recover(), 1);
      assert.deepEqual([keeper.list(), await store.listDrafts(CHAT)], [[], []]);
      const branches = (await store.listBranches(CHAT)).map(({ name }) => name);
      const whole = wasDraftSaved ? (branches.find((name) => name !== 'main') ?? assert.fail()) : 'main';
      assert.deepEqual(await world.texts(whole), ['first', `${long}!`]);
      assert.equal((await world.lastMetadata(whole)).status, 'complete');
      assert.equal(await next.recover(), 0);
      next.dispose();
    }
  });
});
