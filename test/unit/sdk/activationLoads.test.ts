import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const dist = path.join(process.cwd(), 'dist');

/** Texts that only these libraries have in them, which are loaded once there is something for them to do. */
const laterLibraries: Readonly<Record<string, string>> = {
  'the AI SDK': 'vercel.ai.error',
  'the part of it for Anthropic': 'anthropic-beta',
  'the client of PostgreSQL': 'application_name',
  'what signs for AWS': 'AWS4-HMAC-SHA256',
  'what reads skills': 'disable-model-invocation',
  'other languages of zod': 'Entrée invalide',
};

/** The same of those that showing the chat takes. */
const startLibraries: Readonly<Record<string, string>> = {
  'sql.js': 'sqlite3_prepare_v2',
  zod: 'invalid_union',
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
      /(\.then\(\(\) => )?require\("\.\/(extension-\w+\.cjs)"\)/g,
    )) {
      if (isLater === undefined) queue.push(file);
      else later.add(file);
    }
  }
  return { needed: texts.join('\n'), later };
}

/**
 * What activation may load, in bytes of a build that is not made small: VS Code and other extensions wait for it. What
 * reads the last conversation is included, which is shown before anything else is loaded.
 */
const MOST_AT_ACTIVATION = 36_500;

/**
 * What is loaded after it to show the chat and the tree, in one file: SQLite and what reads messages of the page
 * included, what makes names inert, a store that can do without threads and lock files and touches no file but its own,
 * what tells files of this machine from others, links, what other programs may ask, what shows that a chat is shared,
 * what keeps an answer visible that is saved while it is read, names that tell open folders apart, what tells which
 * editor has unsaved changes of a file, what finds the conversations of a project that is opened another way, what a
 * question says of its machine, what each provider of models and of clouds accepts, what holds spending below its caps,
 * what takes decisions about edits back and forth with the files, what tells whether a branch has files of its own, and
 * what calls and questions say of the sandbox of commands, and which custom agent is selected, whose model the chat
 * shows.
 */
const MOST_TO_START = 1_875_000;

describe('dist/extension.js', () => {
  it('loads at activation little more than the names of what there is', async () => {
    const { needed } = await readWithNeeded('extension.js');
    assert.ok(needed.length < MOST_AT_ACTIVATION, `${needed.length} bytes`);
    assert.deepEqual(foundIn(needed, { ...laterLibraries, ...startLibraries }), []);
  });

  it('starts with nothing that is needed later only', async () => {
    const { needed, later } = await started();
    assert.ok(needed.length < MOST_TO_START, `${needed.length} bytes`);
    assert.deepEqual(foundIn(needed, laterLibraries), []);
    assert.deepEqual(foundIn(needed, startLibraries), Object.keys(startLibraries));
    // Kept code cannot import: what is asked for later comes by `require`.
    assert.doesNotMatch(needed, /[^`.\w]import\(/u);
    assert.ok(later.size > 0);
  });

  it('comes with files that hold what is loaded later', async () => {
    const { later } = await started();
    const texts = await Promise.all([...later].map(async (file) => (await readWithNeeded(file)).needed));
    assert.ok(texts.some((text) => foundIn(text, laterLibraries).includes('the AI SDK')));
  });
});

/** What activation leaves for the moment after it. */
async function started(): Promise<{ needed: string; later: Set<string> }> {
  const [start, ...others] = (await readWithNeeded('extension.js')).later;
  assert.ok(start !== undefined && others.length === 0, 'one file leads to all the rest');
  return readWithNeeded(start);
}

function foundIn(text: string, libraries: Readonly<Record<string, string>>): string[] {
  return Object.keys(libraries).filter((name) => text.includes(libraries[name] ?? ''));
}
