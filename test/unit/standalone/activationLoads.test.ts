import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const dist = path.join(process.cwd(), 'dist');

/** Texts that only these libraries have in them. */
const libraries = {
  'the AI SDK': 'vercel.ai.error',
  'the part of it for Anthropic': 'anthropic-beta',
  'sql.js': 'sqlite3_prepare_v2',
  'other languages of zod': 'Entrée invalide',
};

/** The file and those it cannot do without, as one text; and the ones it loads later. */
async function readWithNeeded(entry: string): Promise<{ needed: string; later: Set<string> }> {
  const seen = new Set<string>();
  const later = new Set<string>();
  const texts: string[] = [];
  const queue = [entry];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const text = await readFile(path.join(dist, name), 'utf8');
    texts.push(text);
    for (const [, isLater, file = ''] of text.matchAll(
      /(\.then\(\(\) => )?require\("\.\/(extension-\w+\.js)"\)/g,
    )) {
      if (isLater === undefined) queue.push(file);
      else later.add(file);
    }
  }
  return { needed: texts.join('\n'), later };
}

describe('dist/extension.js', () => {
  it('loads at activation nothing that is needed later only', async () => {
    const { needed, later } = await readWithNeeded('extension.js');
    const found = Object.entries(libraries).filter(([, text]) => needed.includes(text));
    assert.deepEqual(
      found.map(([name]) => name),
      [],
    );
    assert.ok(later.size > 0);
  });

  it('comes with files that hold what is loaded later', async () => {
    const { later } = await readWithNeeded('extension.js');
    const texts = await Promise.all([...later].map(async (file) => (await readWithNeeded(file)).needed));
    assert.ok(texts.some((text) => text.includes(libraries['the AI SDK'])));
  });
});
