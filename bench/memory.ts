// What messages take in memory (database, text index, and an engine that holds the whole path) compared with their
// JSON. Runs in a process of its own, before anything else is measured there.
//   npm run bench
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assistant, user } from '../src/engine/fragments/index.ts';
import { report } from './measure.ts';
import { emptyPlace, engineOf } from './place.ts';
import { SampleText } from './sampleText.ts';

setFlagsFromString('--expose-gc');
// What comes from another context is not typed.
const collect = runInNewContext('gc') as () => void;

/** Bytes that this process holds: objects, and buffers such as SQLite's. */
async function usedMemory(): Promise<number> {
  // Buffers are freed after the objects that held them.
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const place = await emptyPlace();
const sample = new SampleText();
const engine = engineOf(place);
await engine.set(user(sample.words(40)), assistant(sample.words(300))).save();
const before = await usedMemory();
for (let turn = 0; turn < 5_000; turn++) {
  engine.set(user(sample.words(40)), assistant(sample.words(300)));
  if (turn % 50 === 49) await engine.save();
}
const used = (await usedMemory()) - before;
// A message is a node of the graph: its id, its parent, its turn and its times are part of it.
const path = await place.store.getPath('chat', engine.headMessageId ?? '');
const json = path.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
const what =
  'memory of messages (questions of 40 words, answers of 300), held by an engine, against their JSON';
report(what, used / json, 3, '×');
