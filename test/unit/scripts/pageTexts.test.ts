import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const call = /\bt\(\s*'((?:\\.|[^'\\])*)'/g;

/** The texts in the sources of a folder. */
async function textsIn(folder: string, skipped?: string): Promise<Set<string>> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const sources = await Promise.all(
    files
      .filter((name) => skipped === undefined || !name.startsWith(skipped))
      .map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  return new Set(
    sources.flatMap((source) =>
      Array.from(source.matchAll(call), ([, text = '']) => text.replaceAll(/\\(.)/g, '$1')),
    ),
  );
}

async function listOf(entry: string): Promise<Set<string>> {
  const read: unknown = JSON.parse(
    await readFile(path.join('dist', 'webview', 'texts', `${entry}.json`), 'utf8'),
  );
  assert.ok(Array.isArray(read));
  return new Set(read.map(String));
}

function lacking(wanted: ReadonlySet<string>, given: ReadonlySet<string>): string[] {
  return [...wanted].filter((text) => !given.has(text));
}

describe('the texts that a page is given', () => {
  it('are all that its sources ask for', async () => {
    const chat = await textsIn('src/webview', 'graph');
    assert.ok(chat.size > 100, String(chat.size));
    assert.deepEqual(lacking(chat, await listOf('main')), []);
    const graph = await textsIn('src/webview/graph');
    assert.ok(graph.size > 10, String(graph.size));
    assert.deepEqual(lacking(graph, await listOf('graph')), []);
  });

  it('are none that only the host shows', async () => {
    const host = await textsIn('src/extension');
    const [chat, graph] = [await listOf('main'), await listOf('graph')];
    const onlyHost = [...host].filter((text) => !chat.has(text) && !graph.has(text));
    assert.ok(onlyHost.length > host.size / 2, `${onlyHost.length} of ${host.size}`);
    assert.ok(graph.size < chat.size);
  });
});
