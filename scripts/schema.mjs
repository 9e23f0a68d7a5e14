// Writes the JSON Schema of exported conversations, which is made of what reads them.
//   node scripts/schema.mjs
import { build } from 'esbuild';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { root } from './host/paths.mjs';

const outfile = path.join(root, 'out', 'schema.mjs');
await build({
  entryPoints: [path.join(root, 'src', 'exchange', 'jsonSchema.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
});
const { conversationsJsonSchema } = await import(pathToFileURL(outfile).href);
const json = await format(JSON.stringify(conversationsJsonSchema()), { parser: 'json', printWidth: 110 });
await writeFile(path.join(root, 'schemas', 'conversations.schema.json'), json);
