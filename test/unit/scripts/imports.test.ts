import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const specifiers = /\bfrom\s+'(\.[^']+)'/g;

/** What each source imports of the others, types included; what it loads later, by `import()`, may lead back to it. */
async function readImports(): Promise<Map<string, string[]>> {
  const files = (await readdir('src', { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const imports = new Map<string, string[]>();
  for (const file of files) {
    const text = await readFile(path.join('src', file), 'utf8');
    const found = Array.from(text.matchAll(specifiers), ([, specifier = '']) =>
      path.join(path.dirname(file), specifier),
    );
    imports.set(
      file,
      found.filter((name) => files.includes(name)),
    );
  }
  return imports;
}

/** The first circle of what leads to what; undefined when there is none. */
function findCircle(leadsTo: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (name: string): string[] | undefined => {
    if (done.has(name)) return undefined;
    const at = way.indexOf(name);
    if (at >= 0) return [...way.slice(at), name];
    way.push(name);
    for (const next of leadsTo.get(name) ?? []) {
      const circle = visit(next);
      if (circle) return circle;
    }
    way.pop();
    done.add(name);
    return undefined;
  };
  for (const name of leadsTo.keys()) {
    const circle = visit(name);
    if (circle) return circle;
  }
  return undefined;
}

describe('the imports of the sources', () => {
  it('make no circle, types included', async () => {
    const imports = await readImports();
    assert.ok(
      imports.get(path.join('engine', 'contextEngine.ts'))?.includes(path.join('engine', 'store.ts')),
    );
    assert.equal(findCircle(imports)?.join(' → '), undefined);
  });

  it('come from files that no other shares its name with, but for entries', async () => {
    const names = [...(await readImports()).keys()].map((file) => path.basename(file));
    const entries = ['index.ts', 'main.tsx'];
    const twins = names.filter((name, index) => names.indexOf(name) !== index && !entries.includes(name));
    assert.deepEqual(twins, []);
  });

  it('are known to make one where they do', () => {
    const circle = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    assert.deepEqual(findCircle(circle), ['b', 'd', 'b']);
  });
});
