// Writes the JSON Schema of exported conversations, which is made of what reads them.
//   node scripts/schema.mjs
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { importBundled } from './bundled.mjs';
import { root } from './host/paths.mjs';

const { conversationsJsonSchema } = await importBundled(
  'src/importExport/conversationsFile.ts',
  'schema.mjs',
);
const json = await format(JSON.stringify(conversationsJsonSchema()), { parser: 'json', printWidth: 110 });
await writeFile(path.join(root, 'schemas', 'conversations.schema.json'), json);
