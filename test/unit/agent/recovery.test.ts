import assert from 'node:assert/strict';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { answerMetadataOf } from '../../../src/agent/run/answerMetadata.ts';
import type { UIMessage } from '../../../src/engine/uiMessage.ts';
import { finish, hang, pause, say, type Script } from '../../fixtures/openaiServer.ts';
import {
  CHAT,
  FragileStore,
  ManualScheduler,
  MemoryLog,
  newWorld,
  type World,
} from '../../worlds/agentWorld.ts';
import { crash, restarted } from '../../worlds/crash.ts';

/** A run that got as far as `text`, had it saved as a draft, and will never be saved itself. */
async function crashed(store: FragileStore, text: string, branch = 'main'): Promise<World> {
  const scheduler = new ManualScheduler();
  const world = await newWorld({ store, scheduler, script: [[say(text), hang()]] });
  const run = await world.ask('q', branch);
  await world.arrived(run, text);
  await crash(world, store, scheduler);
  await world.server.close();
  return world;
}

describe('after a crash', () => {
  it('the draft becomes an interrupted answer on its branch', async () => {
    const store = new FragileStore();
    const world = await crashed(store, 'Half an answer');
    assert.deepEqual(await world.texts(), ['q']);
    assert.equal(await restarted(store).recover(), 1);
    assert.deepEqual(await world.texts(), ['q', 'Half an answer']);
    const { status, error, modelId } = await world.lastMetadata();
    assert.deepEqual(
      [status, error?.code, modelId],
      ['interrupted', 'restarted', 'openai-compatible:test-model'],
    );
    assert.deepEqual(await store.listDrafts(), []);
    await store.close();
  });

  it('recovering twice, also at once, adds nothing', async () => {
    const store = new FragileStore();
    const world = await crashed(store, 'Half');
    const again = restarted(store);
    const counts = await Promise.all([again.recover(), restarted(store).recover()]);
    await again.recover();
    assert.ok(counts[0] + counts[1] >= 1);
    assert.deepEqual(await world.texts(), ['q', 'Half']);
    assert.equal((await store.listBranches(CHAT)).length, 1);
    await store.close();
  });

  it('a draft whose answer had been saved is dropped', async () => {
    const store = new FragileStore();
    const world = await crashed(store, 'Half');
    const [draft] = await store.listDrafts();
    assert.ok(draft);
    await world
      .engine()
      .set(assistant({ ...draft.message, parts: [{ type: 'text', text: 'Whole' }] }))
      .save();
    assert.equal(await restarted(store).recover(), 0);
    assert.deepEqual(await world.texts(), ['q', 'Whole']);
    assert.deepEqual(await store.listDrafts(), []);
    await store.close();
  });

  it('an answer whose branch has gone on since gets a branch of its own, and the active one stays', async () => {
    const store = new FragileStore();
    const world = await crashed(store, 'Half');
    await world.engine().set(user('next')).save();
    assert.equal(await restarted(store).recover(), 1);
    assert.deepEqual(await world.texts('main'), ['q', 'next']);
    assert.deepEqual(await world.texts('main-v2'), ['q', 'Half']);
    assert.equal((await store.getActiveBranch(CHAT))?.name, 'main');
    await store.close();
  });

  it('an answer follows its branch when that was renamed', async () => {
    const store = new FragileStore();
    const world = await crashed(store, 'Half');
    await store.renameBranch(CHAT, 'main', 'trunk');
    assert.equal(await restarted(store).recover(), 1);
    assert.deepEqual(await world.texts('trunk'), ['q', 'Half']);
    await store.close();
  });

  it('the answer that streams now is not taken for one left behind', async () => {
    const store = new FragileStore();
    const scheduler = new ManualScheduler();
    await using world = await newWorld({ store, scheduler, script: [[say('Half'), pause(), say('!')]] });
    const run = await world.ask('q');
    await world.arrived(run, 'Half');
    scheduler.pass(1_000);
    await store.draftTried();
    assert.equal(await world.runs.recover(), 0);
    assert.equal((await store.listDrafts()).length, 1);
    world.server.release();
    await run.done;
    assert.deepEqual(await world.texts(), ['q', 'Half!']);
  });

  it('an answer that a script fills is left to it, and kept when something is asked on its branch', async () => {
    const store = new FragileStore();
    await using world = await newWorld({ store, script: [[say('Done.')]] });
    const script = world.engine();
    const id = await script.continue(user('q'));
    await script.continue(assistant('Half', { id }));
    assert.equal(await restarted(store).recover(), 0);
    assert.equal(await script.continue(assistant('More than half', { id })), id);
    assert.equal(await restarted(store).recover(), 0);
    const run = await world.ask('next');
    await run.done;
    assert.deepEqual(await world.texts(), ['q', 'More than half', 'next', 'Done.']);
    assert.deepEqual(await store.listDrafts(), []);
    await assert.rejects(script.continue(assistant('Whole', { id })), { code: 'answer-not-open' });
  });

  it('an answer that was cut off before its first word leaves nothing', async () => {
    const store = new FragileStore();
    const world = await crashed(store, 'Half');
    const [draft] = await store.listDrafts();
    assert.ok(draft);
    const message = { ...draft.message, parts: [] };
    await store.saveDraft({ chatId: CHAT, branch: 'main', message });
    assert.equal(await restarted(store).recover(), 0);
    assert.deepEqual([await world.texts(), await store.listDrafts()], [['q'], []]);
    await store.close();
  });

  it('a draft that cannot be read as an answer is reported and kept', async () => {
    const store = new FragileStore();
    const world = await crashed(store, 'Half');
    const message: UIMessage = { id: 'strange', role: 'assistant', parts: [{ type: 'text', text: 'x' }] };
    await store.saveDraft({ chatId: CHAT, branch: 'main', message });
    const log = new MemoryLog();
    assert.equal(await restarted(store, { log }).recover(), 0);
    assert.match(log.lines.join('\n'), /error The draft strange could not be recovered/);
    assert.equal((await store.listDrafts()).length, 1);
    assert.deepEqual(await world.texts(), ['q']);
    await store.close();
  });
});

describe('the draft of an answer', () => {
  const streaming = async (script: Script) => {
    const store = new FragileStore();
    const scheduler = new ManualScheduler();
    const world = await newWorld({ store, scheduler, script });
    return { store, scheduler, world, run: await world.ask('q') };
  };

  it('is saved a second after text came, not before', async () => {
    const { store, scheduler, world, run } = await streaming([[say('Half'), hang()]]);
    await using _world = world;
    await world.arrived(run, 'Half');
    scheduler.pass(999);
    assert.deepEqual(store.draftLengths, []);
    scheduler.pass(1);
    await store.draftTried();
    assert.deepEqual(store.draftLengths, [4]);
  });

  it('is saved at once when much has come', async () => {
    const { store, world } = await streaming([[say('x'.repeat(5_000)), hang()]]);
    await using _world = world;
    await store.draftTried();
    assert.deepEqual(store.draftLengths, [5_000]);
  });

  it('is not saved again while nothing comes', async () => {
    const { store, scheduler, world } = await streaming([[say('x'.repeat(5_000)), hang()]]);
    await using _world = world;
    await store.draftTried();
    scheduler.pass(60_000);
    assert.deepEqual(store.draftLengths, [5_000]);
  });

  it('is an interrupted answer as it stands, and gone once the answer is saved', async () => {
    const { store, world, run } = await streaming([[say('x'.repeat(5_000)), pause(), say('!')]]);
    await using _world = world;
    await store.draftTried();
    const [draft] = await store.listDrafts();
    assert.equal(draft?.message.id, run.messageId);
    assert.equal(answerMetadataOf(draft.message)?.status, 'interrupted');
    world.server.release();
    await run.done;
    assert.deepEqual(await store.listDrafts(), []);
  });

  it('that cannot be saved does not end the answer', async () => {
    const { store, world, run } = await streaming([
      [pause(), say('x'.repeat(5_000)), pause('end'), finish()],
    ]);
    await using _world = world;
    store.isFull = true;
    world.server.release();
    await store.draftTried();
    store.isFull = false;
    world.server.release('end');
    await run.done;
    assert.equal((await world.texts()).at(-1)?.length, 5_000);
    assert.match(world.log.lines.join('\n'), /the draft could not be saved/);
  });
});
