import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import * as engine from '../../../src/engine/index.ts';
import { memoryStore } from '../../fixtures/memoryStore.ts';

const root = path.resolve('src', 'engine');

/** Examples that stand in documentation comments as fenced TypeScript. */
async function examples(): Promise<{ readonly where: string; readonly source: string }[]> {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts')).sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(root, file), 'utf8');
      return [...text.matchAll(/^ *\* ```ts\n([\s\S]*?)^ *\* ```/gm)].map(([, body = ''], index) => ({
        where: `${file}, example ${index + 1}`,
        source: body.replaceAll(/^ *\* ?/gm, ''),
      }));
    }),
  );
  return found.flat();
}

describe('the examples in the documentation of the engine', () => {
  it('do what they say', async () => {
    const all = await examples();
    assert.ok(all.length >= 12, `only ${all.length} were found`);
    const names = { assert, ...engine, InMemoryContextStore: memoryStore };
    const wrap = (source: string): string => `return (async () => {\n${source}\n})();`;
    for (const { where, source } of all) {
      const { outputText } = ts.transpileModule(wrap(source), {
        compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
      });
      // An example is a program; there is no other way to run one that is found as text.
      // eslint-disable-next-line @typescript-eslint/no-implied-eval
      const run = new Function(...Object.keys(names), outputText) as (...given: unknown[]) => Promise<void>;
      await assert.doesNotReject(run(...Object.values(names)), where);
    }
  });
});
