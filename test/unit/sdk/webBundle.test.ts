import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

const bundle = path.join(process.cwd(), 'dist', 'extensionWeb.js');

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

/** Anything of VS Code: it can be called, extended and looked into. */
function anything(): object {
  const target = function (this: unknown): void {
    // Whatever it is called for.
  };
  return new Proxy(target, {
    apply: anything,
    get: (of, name): unknown => {
      if (name === Symbol.toPrimitive) return () => 'anything';
      return name in of || name === '__esModule' ? Reflect.get(of, name) : anything();
    },
  });
}

describe('dist/extensionWeb.js', () => {
  it('asks for no module but that of VS Code, and is small enough to be fetched', async () => {
    const text = await readFile(bundle, 'utf8');
    const asked = new Set(Array.from(text.matchAll(/\brequire\(("[^"]*")\)/gu), ([, name]) => name));
    assert.deepEqual([...asked], ['"vscode"']);
    // The launcher of the MCP server is a text that is written to a file, where there is Node.
    const imported = Array.from(text.matchAll(/\bimport\(([^)]+)\)(?!\.href)/gu), ([, name]) => name).filter(
      (name) => name !== 'pathToFileURL(found',
    );
    assert.deepEqual(imported, ['`${dist}/tokenizer.mjs`'], 'what is fetched is fetched by its address');
    assert.ok(gzipSync(text).byteLength < 1_600_000, 'not even made small it may weigh more');
  });

  it('is loaded with what a worker has, and nothing of Node', async () => {
    const text = await readFile(bundle, 'utf8');
    const given = Object.fromEntries(ofWorkers.map((name) => [name, Reflect.get(globalThis, name)]));
    const module = { exports: {} as Record<string, unknown> };
    const required: string[] = [];
    const require = (name: string): unknown => {
      required.push(name);
      return anything();
    };
    const context = createContext(given);
    runInContext('globalThis.self = globalThis', context);
    const run = runInContext(`(module, exports, require) => {${text}\n}`, context) as (
      ...given: unknown[]
    ) => void;
    run(module, module.exports, require);
    assert.deepEqual(Object.keys(module.exports).sort(), ['activate', 'deactivate']);
    assert.ok(required.every((name) => name === 'vscode'));
  });
});
