import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { OffshootError } from '../../../src/engine/errors.ts';
import {
  assistant,
  everyNTurns,
  hint,
  lastAssistantMessage,
  reminder,
  role,
  user,
} from '../../../src/engine/fragments/index.ts';
import { modelTextOf } from '../../../src/engine/uiMessage.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { memoryStore } from '../../fixtures/memoryStore.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** A call of the engine; what it returns is comparable: no ids and times that are made up. */
type Call = (engine: ContextEngine) => unknown;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const plain = { mediaType: 'text/plain' };
const model = { modelId: 'openai:gpt-4o' };
const change = { folder: 'file:///w', before: null, after: null, at: 1 };

/** Those that come at once. */
const setters: Readonly<Record<string, Call>> = {
  'set(user)': (engine) => void engine.set(user('new', { id: 'n1' })),
  'set(role, user)': (engine) => void engine.set(role('R'), user('both', { id: 'b1' })),
  'set(said again)': (engine) => void engine.set(user('pending again', { id: 'p1' })),
  'set(edit)': (engine) => void engine.set(user('q1 again', { id: 'q1' })),
  'set(edit of another branch)': (engine) => void engine.set(assistant('other again', { id: 'o1' })),
  'set(last answer)': (engine) => void engine.set(lastAssistantMessage('last again')),
  'set(reminder)': (engine) => void engine.set(reminder('remember')),
  'set(standing reminder)': (engine) => void engine.set(reminder('each', { when: everyNTurns(1) })),
  'set(hint)': (engine) => void engine.set(hint('H')),
  'state.set': (engine) => engine.state.set('k', 'B'),
  'state.set(user:)': (engine) => engine.state.set('user:k', 'B'),
  'state.set(temp:)': (engine) => engine.state.set('temp:k', 'B'),
  'state.delete': (engine) => engine.state.delete('kept'),
  'files.add': (engine) => engine.files.add({ ...change, path: 'b.ts' }),
  'pending.remove': (engine) => engine.pending.remove('p1'),
};

/** Those one waits for. */
const calls: Readonly<Record<string, Call>> = {
  save: async (engine) => {
    const { branch, messageIds, artifacts } = await engine.save();
    return { branch, count: messageIds.length, artifacts };
  },
  resolve: async (engine) => {
    const { systemPrompt, messages } = await engine.resolve();
    return [systemPrompt, ...messages.map(modelTextOf)];
  },
  rewind: async (engine) => (({ name, clearedPending }) => [name, clearedPending])(await engine.rewind('q1')),
  rewindBefore: async (engine) => (await engine.rewindBefore('a1')).name,
  restore: async (engine) => (await engine.restore('point')).name,
  switchBranch: async (engine) => (await engine.switchBranch('side')).clearedPending,
  btw: async (engine) => (await engine.btw()).name,
  checkpoint: async (engine) => (await engine.checkpoint('new point')).name,
  updateChat: async (engine) => (await engine.updateChat({ metadata: { a: 1 } })).metadata['a'],
  trackUsage: (engine) => engine.trackUsage({ inputTokens: 1 }),
  getTurnCount: (engine) => engine.getTurnCount(),
  inspect: async (engine) => {
    const { rendered, fragments, estimate } = await engine.inspect(model);
    const texts = [...fragments.persisted, ...fragments.pending].map(modelTextOf);
    return [rendered, texts, estimate.tokens];
  },
  'state.get': (engine) => engine.state.get('k'),
  'state.entries': async (engine) => Object.fromEntries(await engine.state.entries()),
  'artifacts.save': (engine) => engine.artifacts.save('f', bytes('B'), plain),
  'artifacts.save(user:)': (engine) => engine.artifacts.save('user:f', bytes('B'), plain),
  'artifacts.load': async (engine) => (await engine.artifacts.load('f'))?.version,
  'artifacts.list': (engine) => engine.artifacts.list(),
};

/** All pairs take a minute; these are the ones that share most with others. */
const isThorough = fuzzRuns(1) > 1;
const most = new Set(['save', 'resolve', 'rewind', 'state.entries', 'artifacts.save']);

describe('whatever is called while a call of the engine is on its way', () => {
  let store: SqlContextStore;
  let runs = 0;
  beforeEach(() => {
    store = memoryStore();
  });
  afterEach(() => store.close());

  for (const [name, first] of Object.entries(calls)) {
    if (!isThorough && !most.has(name)) continue;
    it(`fuzz: ${name} and any other call do as if one came after the other, and nothing is lost`, async function () {
      this.timeout(60_000);
      for (const [otherName, other] of Object.entries({ ...setters, ...calls })) {
        if (!isThorough && otherName in calls && !most.has(otherName)) continue;
        const serial = [await inTurn(first, other), await inTurn(other, first, true)];
        for (let at = 0; ; at++) {
          const { outcome, points } = await interleaved(first, other, at);
          if (at >= points) break;
          assert.ok(
            serial.includes(outcome),
            `${otherName} at wait ${at} of ${name}:\n${outcome}\nand neither\n${serial.join('\nnor\n')}`,
          );
        }
      }
    });
  }

  async function inTurn(one: Call, two: Call, isSwapped = false): Promise<string> {
    const { engine, observe } = await prepared(store);
    const results = [await settled(one, engine), await settled(two, engine)];
    return observe(isSwapped ? results.reverse() : results);
  }

  /** Calls `other` when `first` comes to its wait number `at`. */
  async function interleaved(
    first: Call,
    other: Call,
    at: number,
  ): Promise<{ outcome: string; points: number }> {
    let points = 0;
    let isWatching = false;
    let second: Promise<unknown> | undefined;
    const gated = withGates(store, () => {
      if (isWatching && points === at) second = settled(other, engine);
      if (isWatching) points += 1;
    });
    const { engine, observe } = await prepared(gated);
    isWatching = true;
    const result = await settled(first, engine);
    isWatching = false;
    return { outcome: await observe([result, await second]), points };
  }

  /** A chat with something on two branches, and something of everything pending. */
  async function prepared(
    on: SqlContextStore,
  ): Promise<{ engine: ContextEngine; observe: (results: unknown) => Promise<string> }> {
    runs += 1;
    const [chatId, userId] = [`chat-${runs}`, `user-${runs}`];
    const engine = new ContextEngine({ store: on, chatId, userId });
    engine.state.set('k', 'saved');
    engine.state.set('kept', 1);
    await engine.artifacts.save('f', bytes('0'), plain);
    engine.set(user('q1', { id: 'q1' }), assistant('a1', { id: 'a1' }));
    await engine.save();
    await engine.checkpoint('point');
    await store.createBranch({ chatId, name: 'side', headMessageId: 'q1', from: 'main' });
    const side = new ContextEngine({ store, chatId, userId, branch: 'side' });
    await side.set(assistant('other', { id: 'o1' })).save();
    await side.close();
    engine.set(user('pending', { id: 'p1' }));
    engine.state.set('k', 'A');
    engine.state.set('user:k', 'A');
    engine.state.set('temp:k', 'A');
    await engine.artifacts.save('f', bytes('1'), plain);
    engine.files.add({ ...change, path: 'a.ts' });
    const observe = async (results: unknown): Promise<string> => {
      const waiting = engine.pending.list().map(modelTextOf);
      const temporary = await engine.state.get('temp:k');
      await engine.save();
      const seen = {
        results,
        waiting,
        temporary: temporary ?? null,
        resolved: await calls['resolve']?.(engine),
        state: await engine.state.entries(),
        artifacts: await engine.artifacts.list(),
        usage: engine.chat?.metadata ?? {},
        branches: [] as unknown[],
        checkpoints: (await store.listCheckpoints(chatId)).map(({ name }) => name),
      };
      for (const { name, headMessageId, isActive } of await store.listBranches(chatId)) {
        const path = headMessageId === null ? [] : await store.getPath(chatId, headMessageId);
        seen.branches.push([name, isActive, path.map(({ data, effects }) => [textIn(data), effects])]);
      }
      await engine.close();
      return JSON.stringify(seen, (_, value: unknown) => value ?? null);
    };
    return { engine, observe };
  }
});

function textIn(data: unknown): string {
  return data === null ? '' : modelTextOf(data as Parameters<typeof modelTextOf>[0]);
}

/** A refusal is a result, too. */
async function settled(call: Call, engine: ContextEngine): Promise<unknown> {
  try {
    return await call(engine);
  } catch (error) {
    if (error instanceof OffshootError) return error.code;
    throw error;
  }
}

/** The store, with a wait before and after each of its calls. */
function withGates<T extends object>(target: T, pass: () => void): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'blobs') return withGates(value as object, pass);
      if (typeof value !== 'function' || name === 'onDidChange') return value;
      return async (...given: unknown[]) => {
        await Promise.resolve();
        pass();
        const result: unknown = await (value as (...all: unknown[]) => unknown).apply(target, given);
        pass();
        return result;
      };
    },
  });
}
