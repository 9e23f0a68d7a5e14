// The engine compared with the statements of a plain one on native SQLite, on the same 10,000 messages, in turn: both in
// memory, where neither syncs anything, and both in a file, where each syncs what it writes before it returns. Each gives
// back all that its call promises: the engine's messages are read, which copies them, and it writes an entry in its log
// for a checkpoint, which the plain one has not.
//   node scripts/bench.mjs native [resolve|open|graph|checkpoint|search] [memory|file]
import { cp, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ContextEngine } from '../src/engine/contextEngine.ts';
import type { PortableChat } from '../src/engine/portableChat.ts';
import type { ContextStore } from '../src/engine/store.ts';
import { textMessage } from '../src/engine/uiMessage.ts';
import { nodePlatform } from '../src/host/node/nodePlatform.ts';
import { DurableContextStore } from '../src/store/durableContextStore.ts';
import { sqliteWasm } from '../test/fixtures/wasm.ts';
import { NativeStore } from './baseline/nativeStore.ts';
import { middle, report, tell } from './measure.ts';
import { emptyPlace, text as shortText } from './place.ts';
import { SampleText } from './sampleText.ts';

const MESSAGES = 10_000;
const BRANCHES = 1_000;
const CHAT = 'chat';

setFlagsFromString('--expose-gc');
// What comes from another context is not typed.
const collect = runInNewContext('gc') as () => void;

/** Milliseconds of one call, which does not pay for what was left over by the one before, nor for `before`. */
async function timed(work: () => unknown, calls: number, before?: () => unknown): Promise<number> {
  await before?.();
  collect();
  const start = performance.now();
  for (let call = 0; call < calls; call++) await work();
  return (performance.now() - start) / calls;
}

const wanted = process.argv.slice(3);
const isWanted = (name: string, among: readonly string[]): boolean =>
  wanted.includes(name) || !among.some((each) => wanted.includes(each));

const ROWS = ['resolve', 'open', 'graph', 'checkpoint', 'search'] as const;
const PLACES = ['memory', 'file'] as const;

interface Pair {
  readonly name: (typeof ROWS)[number];
  readonly what: string;
  readonly ours: () => unknown;
  readonly native: () => unknown;
  /** How many are measured as one, where one is too short. */
  readonly calls?: number;
  /** What happens before each. */
  readonly before?: () => unknown;
  /** The ratio that is still met; without one, the figure is only printed. */
  readonly limit?: number;
}

/** Both in turn, each of them first in every other round, after two rounds that do not count. */
async function compare(kind: string, pair: Pair): Promise<void> {
  const { what, ours, native, calls = 1, before, limit } = pair;
  const rounds: { readonly ours: number; readonly native: number }[] = [];
  for (let round = -2; round < 21; round++) {
    const times = { ours: 0, native: 0 };
    const order = [
      ['ours', ours],
      ['native', native],
    ] as const;
    for (const [whose, work] of round % 2 === 0 ? order : order.toReversed()) {
      times[whose] = await timed(work, calls, before);
    }
    if (round >= 0) rounds.push(times);
  }
  const [mine, theirs] = [middle(rounds.map((each) => each.ours)), middle(rounds.map((each) => each.native))];
  const ratio = middle(rounds.map((each) => each.ours / each.native));
  const details = `${mine.toFixed(3)} ms against ${theirs.toFixed(3)} ms`;
  if (limit === undefined) tell(`${what}, ${kind}`, ratio, '×', details);
  else report(`${what}, ${kind}`, ratio, limit, '×', details);
}

/** Where both keep the chat. */
interface Sides {
  readonly store: ContextStore;
  readonly native: NativeStore;
  /** The least that a durable change needs here: one statement in a transaction, or a line that a thread syncs. */
  readonly least: () => unknown;
  /** Opens both again, reads the path, and closes them; only in files. */
  readonly reopen?: { readonly ours: () => Promise<unknown>; readonly native: () => unknown };
  close(): Promise<void>;
}

const engineOf = (store: ContextStore): ContextEngine =>
  new ContextEngine({ store, chatId: CHAT, userId: 'ann' });

const firstResolve = async (store: ContextStore): Promise<unknown> =>
  (await engineOf(store).resolve()).messages;

async function inMemory(chat: PortableChat): Promise<Sides> {
  const { store } = await emptyPlace();
  await store.importChats('ann', [chat]);
  const native = new NativeStore();
  fillNative(native, chat);
  const { connection } = await emptyPlace();
  connection.execute('CREATE TABLE least (key INTEGER PRIMARY KEY, value INTEGER)');
  connection.execute('INSERT INTO least VALUES (1, 0)');
  const least = 'UPDATE least SET value = value + 1 WHERE key = 1';
  return {
    store,
    native,
    least: () => connection.transact((transaction) => transaction.run(least)),
    close: async () => {
      native.close();
      await store.close();
    },
  };
}

/** As the published package opens a file, but that its journal is not merged while something is measured. */
function openFile(folder: string): DurableContextStore {
  return new DurableContextStore({
    folder,
    // Snapshots by this thread: the worker would have to be built first.
    platform: { ...nodePlatform('dist'), snapshots: undefined, wasm: sqliteWasm },
    journalLimit: Infinity,
    quietMs: 3_600_000,
    onRecovery: ({ outcome }) => {
      throw new Error(`The files are damaged: ${outcome}`);
    },
    onError: (error) => console.error(error),
  });
}

/** At equal durability: both sync each transaction. */
async function inFiles(chat: PortableChat): Promise<Sides> {
  const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-native-'));
  const [ours, again] = [path.join(folder, 'ours'), path.join(folder, 'again')];
  const file = path.join(folder, 'native.db');
  const filling = openFile(ours);
  await filling.importChats('ann', [chat]);
  // Closing merges the journal into the file.
  await filling.close();
  await cp(ours, again, { recursive: true });
  const store = openFile(ours);
  const native = new NativeStore(file, 'FULL');
  fillNative(native, chat);
  const log = await open(path.join(folder, 'log'), 'a');
  const line = new Uint8Array(500).fill(0x61);
  return {
    store,
    native,
    least: async () => {
      await log.write(line);
      await log.datasync();
    },
    reopen: {
      ours: async () => {
        const opened = openFile(again);
        await firstResolve(opened);
        await opened.close();
      },
      native: () => {
        const opened = new NativeStore(file, 'FULL');
        opened.resolve(CHAT);
        opened.close();
      },
    },
    close: async () => {
      await log.close();
      native.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function fillNative(native: NativeStore, { messages, branches }: PortableChat): void {
  const rows = messages.map(({ id, parentId, name, data }) => ({
    id,
    parentId,
    name,
    data: JSON.stringify(data),
    text: textOfMessage(data),
  }));
  native.fill(CHAT, rows, branches);
}

/** All of them have one part. */
function textOfMessage(data: unknown): string {
  return (data as { parts: [{ text: string }] }).parts[0].text;
}

/**
 * @param text of the message at an index; each has to have the word "the"
 * @param branches how many there are next to the active one, each with a message of its own
 */
function makeChat(text: (index: number) => string, branches: number): PortableChat {
  const messages: PortableChat['messages'] = [];
  const sides: PortableChat['branches'] = [];
  const every = branches === 0 ? Infinity : Math.floor(MESSAGES / branches);
  let headId: string | null = null;
  let turn = '';
  const add = (parentId: string | null, role: 'user' | 'assistant'): string => {
    const id = crypto.randomUUID();
    if (role === 'user' || turn === '') turn = id;
    const data = textMessage(id, role, text(messages.length));
    // Plain data of strings, arrays and objects.
    const plain = JSON.parse(JSON.stringify(data)) as PortableChat['messages'][number]['data'];
    const createdAt = messages.length;
    messages.push({ id, parentId, name: role, type: 'message', data: plain, invocationId: turn, createdAt });
    return id;
  };
  for (let asksNext = true; messages.length < MESSAGES; asksNext = !asksNext) {
    const isAside = headId !== null && messages.length % every === every - 1;
    if (isAside) {
      const headMessageId = add(headId, 'assistant');
      const name = `aside ${sides.length}`;
      const createdAt = messages.length;
      sides.push({ name, headMessageId, forkMessageId: headId, isActive: false, createdAt });
    } else headId = add(headId, asksNext ? 'user' : 'assistant');
  }
  const main = { name: 'main', headMessageId: headId, forkMessageId: null, isActive: true, createdAt: 0 };
  return {
    ...{ id: CHAT, metadata: {}, createdAt: 0, updatedAt: 0 },
    ...{ messages, branches: [main, ...sides], checkpoints: [], events: [] },
  };
}

async function measure(kind: string, sides: Sides): Promise<void> {
  const { store, native, least } = sides;
  const engine = engineOf(store);
  await engine.resolve();
  const headId = engine.headMessageId ?? '';
  const calls = sides.reopen ? 20 : 200;
  const pairs: Pair[] = [
    {
      name: 'resolve',
      what: 'first resolve of a new engine',
      ours: () => firstResolve(store),
      native: () => native.resolve(CHAT),
      limit: 1,
    },
    {
      name: 'graph',
      what: 'getGraph',
      ours: () => store.getGraph(CHAT),
      native: () => native.getGraph(CHAT),
      limit: 1,
    },
    {
      name: 'checkpoint',
      what: 'checkpoint',
      ours: () => engine.checkpoint('here'),
      native: () => native.checkpoint(CHAT, 'here', headId),
      calls,
      // In a file, a thread writes and syncs, so that the program goes on: a way to it and back more than the plain one.
      limit: sides.reopen ? 1.2 : 1,
    },
    {
      // The plain one waits for the disk itself, and needs no WebAssembly: no checkpoint can cost less than this here.
      name: 'checkpoint',
      what: 'the least that a durable change needs',
      ours: least,
      native: () => native.checkpoint(CHAT, 'here', headId),
      calls,
    },
    {
      name: 'search',
      what: 'a word of every message',
      ours: () => store.searchMessages(CHAT, '"the"', { limit: 20 }),
      native: () => native.search(CHAT, 'the', 20),
      limit: 1,
    },
    {
      // What is kept of a chat from one search to the next is gone.
      name: 'search',
      what: 'a word of every message, after a change',
      before: async () => {
        await engine.checkpoint('here');
        native.checkpoint(CHAT, 'here', headId);
      },
      ours: () => store.searchMessages(CHAT, '"the"', { limit: 20 }),
      native: () => native.search(CHAT, 'the', 20),
      limit: 1.2,
    },
    {
      name: 'search',
      what: 'what begins a word of every message',
      ours: () => store.searchMessages(CHAT, 'the', { limit: 20 }),
      native: () => native.search(CHAT, 'the*', 20),
      limit: 1,
    },
    {
      // The last word that is typed may go on: the engine also finds what begins with it, which is more to do.
      name: 'search',
      what: 'a word of every message as it is typed, compared with the word alone',
      ours: () => store.searchMessages(CHAT, 'the', { limit: 20 }),
      native: () => native.search(CHAT, 'the', 20),
    },
    ...(sides.reopen
      ? [{ name: 'open', what: 'opening the file, first resolve, and closing', ...sides.reopen } as const]
      : []),
  ];
  for (const pair of pairs) if (isWanted(pair.name, ROWS)) await compare(kind, pair);
  await engine.close();
  await sides.close();
}

const sample = new SampleText();
const short = (index: number): string => `the ${index}: ${shortText}`;
const long = (index: number): string => `the ${sample.words(index % 2 === 0 ? 40 : 300)}`;
const chats = [
  ['short messages', makeChat(short, 0)],
  ['short messages, 1,000 branches', makeChat(short, BRANCHES)],
  ['questions of 40 words and answers of 300', makeChat(long, 0)],
] as const;
for (const [what, chat] of chats) {
  if (isWanted('memory', PLACES)) await measure(`${what}, in memory`, await inMemory(chat));
  if (isWanted('file', PLACES)) await measure(`${what}, in a file`, await inFiles(chat));
}
