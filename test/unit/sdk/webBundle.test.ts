import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext, type Context } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { Part, Parts, RequirePart } from '../../../src/host/browser/fetchedParts.ts';
import { anything } from '../../fixtures/anything.ts';

const [entry, start, later] = [
  'extensionWeb.js',
  'extensionWeb-start.cjs',
  'extensionWeb-later.cjs',
] as const;
const files: readonly string[] = [entry, start, later];

const read = (file: string): Promise<string> => readFile(path.join(process.cwd(), 'dist', file), 'utf8');

/** What a worker of a browser has, as far as the bundle asks while it is loaded. */
const ofWorkers = [
  ...['TextEncoder', 'TextDecoder', 'URL', 'URLSearchParams', 'AbortController', 'AbortSignal', 'Event'],
  ...['EventTarget', 'ReadableStream', 'TransformStream', 'WritableStream', 'Headers', 'Request', 'Response'],
  ...[
    'crypto',
    'performance',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'queueMicrotask',
  ],
  ...['structuredClone', 'atob', 'btoa', 'fetch', 'DOMException', 'Blob', 'WebAssembly', 'navigator'],
] as const;

function worker(): Context {
  const given = Object.fromEntries(ofWorkers.map((name) => [name, Reflect.get(globalThis, name)]));
  const context = createContext(given);
  runInContext('globalThis.self = globalThis', context);
  return context;
}

/** What a file of the bundle exports, run as VS Code runs the first. */
function exportsOf(text: string, context: Context, require: (name: string) => unknown): unknown {
  const module = { exports: {} as unknown };
  const run = runInContext(`(module, exports, require) => {${text}\n}`, context) as Part;
  run(module, module.exports, require as RequirePart);
  return module.exports;
}

/** The parts of the first file, without what fetches the others. */
const partsAlone = (text: string): string =>
  text.replace(/^const runtime = [\s\S]*$/mu, 'module.exports = parts;');

describe('the bundle for browsers', () => {
  it('asks for no module but that of VS Code, and for no file but its own', async () => {
    const texts = await Promise.all(files.map(read));
    const names = new Set(
      texts.flatMap((text) => Array.from(text.matchAll(/^"([^"]+)": function \(/gmu), ([, name]) => name)),
    );
    assert.ok(names.size > 20);
    for (const text of texts) {
      const asked = new Set(Array.from(text.matchAll(/\brequire\("([^"]*)"\)/gu), ([, name]) => name));
      assert.deepEqual(
        [...asked].filter((name) => !names.has(name)),
        ['vscode'].filter((name) => asked.has(name)),
      );
      for (const [, file = '', name] of text.matchAll(/\brequire\.later\("([^"]*)"(?:, ?"([^"]*)")?\)/gu)) {
        assert.ok(
          name === undefined ? file === 'tokenizer.cjs' : files.includes(file) && names.has(name),
          file,
        );
      }
      // The launcher of the MCP server is a text that is written to a file, where there is Node; the first script
      // of the page, which is one as well, imports the others (as `e`).
      const imported = Array.from(text.matchAll(/\bimport\(([^)]+)\)(?!\.href)/gu), ([, name]) => name);
      assert.deepEqual(
        imported.filter((name = '') => !/^pathToFileURL\(found$|^\w+\.href$|^e$/u.test(name)),
        [],
      );
    }
  });

  it('has three files, of which the first two are small', async () => {
    const [first, second, third] = await Promise.all(files.map(read));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const size = (text: string): number => gzipSync(text).byteLength;
    // Not made small, as they are here, they weigh more than what is published.
    assert.ok(size(first) < 20_000, `${size(first)} bytes: VS Code waits for it before it shows a page`);
    assert.ok(size(second) < 500_000, `${size(second)} bytes: a conversation waits for it`);
    assert.ok(size(first) + size(second) + size(third) < 1_600_000);
    assert.ok(!first.includes('invalid_union'), 'zod');
    for (const text of ['vercel.ai.error', 'anthropic-beta', 'Entrée invalide'])
      assert.ok(!second.includes(text), text);
    assert.ok(third.includes('vercel.ai.error'), 'the AI SDK');
  });

  it('is loaded with what a worker has, and nothing of Node', async () => {
    const required: string[] = [];
    const exported = exportsOf(await read(entry), worker(), (name) => {
      required.push(name);
      return anything();
    });
    assert.deepEqual(Object.keys(exported as object).sort(), ['activate', 'deactivate']);
    assert.ok(required.every((name) => name === 'vscode'));
  });

  /** All parts, run when they are asked for. */
  async function allParts(later: RequirePart['later']): Promise<{ names: string[]; require: RequirePart }> {
    const context = worker();
    const parts = new Map<string, Part>();
    for (const file of files) {
      const found = exportsOf(partsAlone(await read(file)), context, anything) as Parts;
      for (const [name, part] of Object.entries(found)) parts.set(name, part);
    }
    const modules = new Map<string, { exports: unknown }>();
    const require: RequirePart = Object.assign(
      (name: string): unknown => {
        const part = parts.get(name);
        if (!part) {
          assert.equal(name, 'vscode');
          return anything();
        }
        const known = modules.get(name);
        if (known) return known.exports;
        const module = { exports: {} as unknown };
        modules.set(name, module);
        part(module, module.exports, require);
        return module.exports;
      },
      { later },
    );
    return { names: [...parts.keys()], require };
  }

  it('runs with that to its last part', async () => {
    const { names, require } = await allParts(() =>
      Promise.reject(new Error('Nothing asks before it is used.')),
    );
    for (const name of names) require(name);
  });

  it('fetches the tokenizer again when it could not be fetched', async () => {
    const asked: string[] = [];
    const { names, require } = await allParts((file) => {
      asked.push(file);
      return asked.length === 1
        ? Promise.reject(new Error('No connection'))
        : Promise.resolve({ countTokens: (text: string) => text.length });
    });
    const [load] = names.flatMap((name) => {
      const found: unknown = Reflect.get(require(name) as object, 'loadTokenizer');
      return typeof found === 'function' ? [found as () => Promise<(text: string) => number>] : [];
    });
    assert.ok(load);
    await assert.rejects(load(), /No connection/u);
    assert.equal((await load())('four'), 4);
    assert.deepEqual(asked, ['tokenizer.cjs', 'tokenizer.cjs']);
  });
});
