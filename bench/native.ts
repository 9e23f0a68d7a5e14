// The engine compared with the statements of a plain one on native SQLite, on the same 10,000 messages, in turn. Both
// keep them in memory and sync nothing, and each gives back all that its call promises: the engine's messages are read,
// which copies them, and it writes an entry in its log for a checkpoint, which the plain one has not.
//   node scripts/bench.mjs native [resolve|graph|checkpoint|search]
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assistant, user } from '../src/engine/fragments/index.ts';
import { textOf, uiMessageSchema } from '../src/engine/uiMessage.ts';
import { NativeStore } from './baseline/nativeStore.ts';
import { middle, report } from './measure.ts';
import { emptyPlace, engineOf, text as shortText } from './place.ts';
import { SampleText } from './sampleText.ts';

const MESSAGES = 10_000;

setFlagsFromString('--expose-gc');
// What comes from another context is not typed.
const collect = runInNewContext('gc') as () => void;

/** Milliseconds of one call, which does not pay for what was left over by the one before. */
async function timed(work: () => unknown, calls: number): Promise<number> {
  collect();
  const start = performance.now();
  for (let call = 0; call < calls; call++) await work();
  return (performance.now() - start) / calls;
}

const wanted = process.argv.slice(3);

interface Pair {
  readonly name: string;
  readonly what: string;
  readonly ours: () => unknown;
  readonly native: () => unknown;
  /** How many are measured as one, where one is too short. */
  readonly calls?: number;
}

/** Both in turn, each of them first in every other round, after two rounds that do not count. */
async function compare(kind: string, { what, ours, native, calls = 1 }: Pair): Promise<void> {
  const rounds: { readonly ours: number; readonly native: number }[] = [];
  for (let round = -2; round < 21; round++) {
    const times = { ours: 0, native: 0 };
    const order = [
      ['ours', ours],
      ['native', native],
    ] as const;
    for (const [whose, work] of round % 2 === 0 ? order : order.toReversed()) {
      times[whose] = await timed(work, calls);
    }
    if (round >= 0) rounds.push(times);
  }
  const [mine, theirs] = [middle(rounds.map((each) => each.ours)), middle(rounds.map((each) => each.native))];
  report(
    `${what}, ${kind}`,
    ...([middle(rounds.map((each) => each.ours / each.native)), 1, '×'] as const),
    `${mine.toFixed(3)} ms against ${theirs.toFixed(3)} ms`,
  );
}

/** @param text of the message at an index; each has to have the word "the" */
async function measure(kind: string, text: (index: number) => string): Promise<void> {
  const place = await emptyPlace();
  const filling = engineOf(place);
  for (let index = 0; index < MESSAGES; index++) {
    filling.set(index % 2 === 0 ? user(text(index)) : assistant(text(index)));
  }
  await filling.save();
  const path = await place.store.getPath('chat', filling.headMessageId ?? '');
  const native = new NativeStore();
  native.createChat('chat');
  const messages = path.map(({ id, name, data }) => ({
    id,
    name,
    data: JSON.stringify(data),
    text: textOf(uiMessageSchema.parse(data)),
  }));
  native.save('chat', messages);

  const pairs: Pair[] = [
    {
      name: 'resolve',
      what: 'first resolve of a new engine',
      ours: async () => (await engineOf(place).resolve()).messages,
      native: () => native.resolve('chat'),
    },
    {
      name: 'graph',
      what: 'getGraph',
      ours: () => place.store.getGraph('chat'),
      native: () => native.getGraph('chat'),
    },
    {
      name: 'checkpoint',
      what: 'checkpoint',
      ours: () => filling.checkpoint('here'),
      native: () => native.checkpoint('chat', 'here'),
      calls: 200,
    },
    {
      name: 'search',
      what: 'a word of every message',
      ours: () => place.store.searchMessages('chat', '"the"', { limit: 20 }),
      native: () => native.search('chat', 'the', 20),
    },
    {
      name: 'search',
      what: 'what begins a word of every message',
      ours: () => place.store.searchMessages('chat', 'the', { limit: 20 }),
      native: () => native.search('chat', 'the*', 20),
    },
    {
      // The last word that is typed may go on: the engine also finds what begins with it, which is more to do.
      name: 'search',
      what: 'a word of every message as it is typed, compared with the word alone',
      ours: () => place.store.searchMessages('chat', 'the', { limit: 20 }),
      native: () => native.search('chat', 'the', 20),
    },
  ];
  for (const pair of pairs) {
    if (wanted.length === 0 || wanted.includes(pair.name)) await compare(kind, pair);
  }
  native.close();
  await place.store.close();
}

const sample = new SampleText();
await measure('short messages', (index) => `the ${index}: ${shortText}`);
await measure(
  'questions of 40 words and answers of 300',
  (index) => `the ${sample.words(index % 2 === 0 ? 40 : 300)}`,
);
