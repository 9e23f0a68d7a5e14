// npm run bench: builds benchmarks and runs them with the Node that the extension has, each in a process of its own. Ends
// with 1 when a figure was missed.
//   node scripts/bench.mjs engine,native,memory
import { spawnSync } from 'node:child_process';
import { importBundled } from './bundled.mjs';
import { continueWithModernNode } from './node22.mjs';

await continueWithModernNode();
const [, script = '', given = 'engine', ...rest] = process.argv;
const names = given.split(',');
if (names.length === 1) {
  await importBundled(`bench/${given}.ts`, `bench/${given}.mjs`);
} else {
  for (const name of names) {
    const { status } = spawnSync(process.execPath, [script, name, ...rest], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
