// npm run bench: builds one benchmark and runs it with the Node that the extension has.
//   node scripts/bench.mjs engine
import { importBundled } from './bundled.mjs';
import { continueWithModernNode } from './node22.mjs';

await continueWithModernNode();
const name = process.argv[2] ?? 'engine';
await importBundled(`bench/${name}.ts`, `bench/${name}.mjs`);
