import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const extension = path.join('src', 'extension');

/** Where two or more take the same, it may have a name; a name for each would say everything twice. */
const MOST_NAMED = 25;

/** What every room builds on has more than one thing to offer. */
const base = ['commands', 'manifest', 'ui'];

/** What a source imports of rooms, without what it only takes types of: the names, and the files they are from. */
async function readImports(file: string): Promise<{ readonly names: string[]; readonly from: string[] }> {
  const text = await readFile(path.join(extension, file), 'utf8');
  const names: string[] = [];
  const from: string[] = [];
  for (const [, list = '', room = '', name = ''] of text.matchAll(
    /^(?:import|export)\s+(?!type\b)([^;]*?)\s+from\s+'\.\/(\w+)\/(\w+)\.ts'/gm,
  )) {
    const values = list
      .replaceAll(/[{}]/g, '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '' && !each.startsWith('type '));
    if (base.includes(room) || values.length === 0) continue;
    names.push(...values);
    from.push(name);
  }
  return { names, from };
}

describe('the rooms of the extension', () => {
  it('have their commands in files that are named for what they are about', async () => {
    const { from } = await readImports('allCommands.ts');
    assert.ok(from.length > 8, String(from.length));
    assert.deepEqual(
      from.filter((file) => !file.endsWith('Commands')),
      [],
    );
  });

  it('are entered by what registers itself', async () => {
    const { names } = await readImports('offshoot.ts');
    assert.ok(names.length > 8, String(names.length));
    assert.deepEqual(
      names.filter((name) => !/^(?:register[A-Z]|[A-Z])\w*$/.test(name)),
      [],
    );
  });

  it('say what they take where they take it: few such shapes have a name', async () => {
    const files = (await readdir('src', { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(path.join('src', name), 'utf8')));
    const named = texts.flatMap((text) =>
      Array.from(
        text.matchAll(/^(?:export )?(?:interface|type) (\w+(?:Deps|Context))\b/gm),
        ([, name = '']) => name,
      ),
    );
    assert.ok(named.length <= MOST_NAMED, named.join(' '));
  });
});
