import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, lastAssistantMessage, user } from '../../../src/engine/fragments/index.ts';
import { XmlRenderer } from '../../../src/engine/renderers/index.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('rewinding a session with its state and artifacts', () => {
  let store: SqlContextStore;
  let session: ContextEngine;

  const open = (chatId = 'session'): ContextEngine => new ContextEngine({ store, chatId, userId: 'ann' });
  const turn = async (id: string, state: Record<string, string>, artifacts: Record<string, string> = {}) => {
    session.set(user(`question ${id}`), assistant(`answer ${id}`));
    for (const [key, value] of Object.entries(state)) session.state.set(key, value);
    for (const [name, text] of Object.entries(artifacts)) {
      await session.artifacts.save(name, bytes(text), { mediaType: 'text/plain' });
    }
    await session.save({ invocationId: id });
  };
  const before = (invocationId: string) => session.rewindBefore({ invocationId });
  /** All there is at the head, seen by `engine`. */
  const seen = async (engine = session) => {
    const texts = (await engine.resolve()).messages.map(textOf);
    const artifacts: Record<string, string> = {};
    for (const { name } of await engine.artifacts.list()) {
      const { data } = (await engine.artifacts.load(name)) ?? {};
      artifacts[name] = new TextDecoder().decode(data);
    }
    return { texts, state: Object.fromEntries(await engine.state.entries()), artifacts };
  };
  const spoken = (...ids: string[]): string[] => ids.flatMap((id) => [`question ${id}`, `answer ${id}`]);

  beforeEach('three turns', async () => {
    store = memoryStore();
    session = open();
    await turn('1', { k1: 'v1' }, { f1: 'f1v0' });
    await turn('2', { k1: 'v2', k2: 'v2' }, { f1: 'f1v1', f2: 'f2v0' });
    await turn('3', { k2: 'v3' });
  });
  afterEach(() => store.close());

  const afterOne = { texts: spoken('1'), state: { k1: 'v1' }, artifacts: { f1: 'f1v0' } };
  const afterTwo = {
    texts: spoken('1', '2'),
    state: { k1: 'v2', k2: 'v2' },
    artifacts: { f1: 'f1v1', f2: 'f2v0' },
  };
  const afterThree = { ...afterTwo, texts: spoken('1', '2', '3'), state: { k1: 'v2', k2: 'v3' } };
  const nothing = { texts: [], state: {}, artifacts: {} };

  it('brings back what was there before the turn: what came later is absent, not empty', async () => {
    await before('2');
    assert.deepEqual(await seen(), afterOne);
    assert.equal(await session.state.get('k2'), undefined);
    assert.equal(await session.artifacts.load('f2'), undefined);
  });

  it('brings back the values of a turn, also of what was set again after it', async () => {
    await before('3');
    assert.deepEqual(await seen(), afterTwo);
  });

  it('goes before the first turn, to nothing at all', async () => {
    await before('1');
    assert.deepEqual(await seen(), nothing);
  });

  it('says which turn there is not', async () => {
    await assert.rejects(before('4'), {
      code: 'invocation-not-found',
      message: 'Invocation ID not found: 4',
    });
    assert.deepEqual(await seen(), afterThree);
  });

  it('does the same when it is done twice', async () => {
    await before('2');
    await before('2');
    assert.deepEqual(await seen(), afterOne);
  });

  it('rewinds a rewind', async () => {
    await before('3');
    await turn('4', { k3: 'new' });
    await before('4');
    assert.deepEqual(await seen(), afterTwo);
  });

  it('goes to a turn that was left behind: that is another branch', async () => {
    await before('2');
    await turn('4', { k4: 'new' });
    await before('3');
    assert.deepEqual(await seen(), afterTwo);
  });

  it('is taken back by switching to the branch it came from', async () => {
    await before('1');
    await session.switchBranch('main');
    assert.deepEqual(await seen(), afterThree);
  });

  it('leaves alone what is the user’s or everybody’s', async () => {
    await turn('4', { 'user:theme': 'dark', 'app:motd': 'hello' }, { 'user:notes': 'mine' });
    await before('1');
    assert.deepEqual(await seen(), {
      texts: [],
      state: { 'user:theme': 'dark', 'app:motd': 'hello' },
      artifacts: { 'user:notes': 'mine' },
    });
    const elsewhere = await seen(open('another'));
    assert.deepEqual(elsewhere.state, { 'user:theme': 'dark', 'app:motd': 'hello' });
    assert.deepEqual(elsewhere.artifacts, { 'user:notes': 'mine' });
  });

  it('never stores what is of one turn only', async () => {
    session.state.set('temp:step', 1);
    assert.equal(await session.state.get('temp:step'), 1);
    await session.set(user('more')).save();
    assert.equal(await session.state.get('temp:step'), undefined);
    assert.equal(await open().state.get('temp:step'), undefined);
  });

  it('keeps what the chat began with', async () => {
    session = open('fresh');
    session.state.set('given', 'at first');
    await session.save();
    await turn('a', { given: 'changed', other: 'x' });
    await before('a');
    assert.deepEqual(await seen(), { texts: [], state: { given: 'at first' }, artifacts: {} });
  });

  it('goes on from there with versions and values of its own', async () => {
    await before('2');
    await turn('2b', { k2: 'other' }, { f1: 'f1 other' });
    assert.deepEqual(await seen(), {
      texts: spoken('1', '2b'),
      state: { k1: 'v1', k2: 'other' },
      artifacts: { f1: 'f1 other' },
    });
    assert.equal((await session.artifacts.load('f1'))?.version, 1);
    await session.switchBranch('main');
    assert.deepEqual(await seen(), afterThree);
  });

  it('shows nothing that was rewound to any reader: prompt, count, estimate, snapshot, last answer', async () => {
    await before('2');
    assert.equal(await session.getTurnCount(), 1);
    session.set(lastAssistantMessage('better'));
    const { messages } = await session.resolve({ renderer: new XmlRenderer() });
    assert.deepEqual(messages.map(textOf), ['question 1', 'better']);
    const snapshot = await session.inspect({ modelId: 'openai:gpt-4o' });
    const { fragments, rendered } = snapshot;
    assert.doesNotMatch(JSON.stringify([fragments, rendered]), /question [23]|answer [23]/);
  });

  it('keeps every event in the log, and adds one that says from where and why', async () => {
    const earlier = await session.events();
    await before('2');
    const all = await session.events();
    assert.deepEqual(all.slice(0, earlier.length), earlier);
    assert.deepEqual(
      all.slice(earlier.length).map(({ kind, branch }) => [kind, branch]),
      [['rewound', 'main-v2']],
    );
    const { details } = all.at(-1) ?? {};
    assert.equal(details?.['from'], 'main');
    assert.equal(details['beforeInvocation'], '2');
  });

  it('is seen alike by an engine that opens the chat again', async () => {
    await before('3');
    assert.deepEqual(await seen(open()), await seen());
  });

  it('lets a turn that runs on another branch end where it began', async () => {
    const running = new ContextEngine({ store, chatId: 'session', userId: 'ann', branch: 'main' });
    running.set(user('still asking'));
    await before('2');
    running.state.set('k1', 'late');
    await running.set(assistant('late answer')).save();
    assert.deepEqual(await seen(), afterOne);
    assert.deepEqual((await seen(running)).texts.slice(-2), ['still asking', 'late answer']);
    assert.equal((await store.getActiveBranch('session'))?.name, 'main-v2');
  });
});
