// npm run bench: builds one benchmark and runs it with the Node that the extension has.
//   node scripts/bench.mjs engine
import { build } from 'esbuild';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './host/paths.mjs';
import { continueWithModernNode } from './node22.mjs';

await continueWithModernNode();
const name = process.argv[2] ?? 'engine';
const outfile = path.join(root, 'out', 'bench', `${name}.mjs`);
await build({
  entryPoints: [path.join(root, 'bench', `${name}.ts`)],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
await import(pathToFileURL(outfile).href);
