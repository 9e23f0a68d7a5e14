// What durability costs in a browser, in a worker like the extension's, compared with the least the browser and SQLite
// need for the same, in the same run. `kills` kills 500 workers that save and looks for every acknowledged save.
//   npm run bench:web [-- storage|kills] [number of kills]
import { build } from 'esbuild';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadHost, root } from '../test/ui/support/host.ts';
import type { measures } from './web/measureStorage.ts';
import { middle, report, tell } from './measure.ts';

type Measures = typeof measures;

const types = new Map([
  ['.js', 'text/javascript'],
  ['.wasm', 'application/wasm'],
]);

/** Bundles what runs in the browser, and serves it. */
async function serve(folder: string): Promise<{ origin: string; close: () => void }> {
  const storage = path.join(root, 'test', 'browser', 'storage');
  await build({
    entryPoints: [
      path.join(root, 'bench', 'web', 'measureStorage.ts'),
      ...['windowScript', 'kills'].map((name) => path.join(storage, `${name}.ts`)),
    ],
    entryNames: '[name]',
    outdir: folder,
    ...({ bundle: true, splitting: true, minify: true, format: 'esm', platform: 'browser' } as const),
    ...({ target: 'chrome132', logLevel: 'warning' } as const),
    alias: { 'node:assert/strict': path.join(root, 'test', 'browser', 'assert.ts') },
    define: {
      'process.env.NODE_ENV': '"development"',
      'process.env.NODE_DEBUG': 'undefined',
      'process.stderr': 'undefined',
      global: 'globalThis',
    },
  });
  await copyFile(
    path.join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'),
    path.join(folder, 'sql-wasm.wasm'),
  );
  const server = createServer(({ url = '/' }, response) => {
    const name = path.basename(url);
    if (name === '') response.setHeader('Content-Type', 'text/html').end('<!doctype html>');
    else {
      readFile(path.join(folder, name)).then(
        (bytes) => {
          response.setHeader('Content-Type', types.get(path.extname(name)) ?? 'text/plain').end(bytes);
        },
        () => response.writeHead(404).end(),
      );
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { origin: `http://127.0.0.1:${address.port}/`, close: () => void server.close() };
}

const [, , , wanted = 'storage', kills = '500'] = process.argv;
const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-bench-'));
const server = await serve(folder);
const { launchWithProfile } = await loadHost();
const context = await launchWithProfile(path.join(folder, 'profile'));
const page = await context.newPage();
page.on('console', (message) => console.log(message.text()));

/** Measures in a new worker, which ends afterwards without being told. */
async function measured<N extends keyof Measures>(
  measure: N,
  name = '',
): Promise<Awaited<ReturnType<Measures[N]>>> {
  const answer = await page.evaluate(
    ([script, asked]) =>
      new Promise<{ result?: unknown; error?: string }>((resolve) => {
        const worker = new Worker(script, { type: 'module' });
        worker.onmessage = ({ data }: MessageEvent<{ result?: unknown; error?: string }>) => {
          worker.terminate();
          resolve(data);
        };
        worker.onerror = ({ message }) => resolve({ error: message });
        worker.postMessage(asked);
      }),
    ['/measureStorage.js', { measure, name }] as const,
  );
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.result as Awaited<ReturnType<Measures[N]>>;
}

async function measureStorage(): Promise<void> {
  const name = 'ten thousand';
  await measured('fill', name);
  const openings = [];
  for (let run = 0; run < 5; run++) openings.push(await measured('open', name));
  const opening = middle(openings.map((each) => each.opening));
  const least = middle(openings.map((each) => each.least));
  const megabytes = (openings[0]?.bytes ?? 0) / 1_000_000;
  report(
    'opening 10,000 messages',
    ...([opening, 1_000, 'ms'] as const),
    `${(opening / least).toFixed(1)} × reading the file of ${megabytes.toFixed(0)} MB and giving it to SQLite (${least.toFixed(0)} ms)`,
  );
  for (const [where, place] of [
    ['an empty storage', 'empty'],
    ['10,000 messages', name],
  ] as const) {
    const { saves, bare } = await measured('saves', place);
    const [save, put] = [middle(saves), middle(bare)];
    report(
      `a durable save of one message in ${where}`,
      ...([save, 10, 'ms'] as const),
      `${(save / put).toFixed(1)} × a bare put of the same bytes (${put.toFixed(2)} ms); the longest ${Math.max(...saves).toFixed(1)} ms`,
    );
  }
  const { busy, save } = await measured('snapshot', name);
  tell('the longest the thread is busy while snapshots are made of 10,000 messages', busy, 'ms');
  tell('the longest save during a snapshot', save, 'ms');
  for (const [what, times] of Object.entries(await measured('alternatives'))) {
    tell(what, middle(times), 'ms', `the longest ${Math.max(...times).toFixed(1)} ms`);
  }
}

async function measureKills(): Promise<void> {
  const start = performance.now();
  await page.addScriptTag({ url: '/kills.js', type: 'module' });
  const result = await page.evaluate(`window.kills(${Number(kills)}).then((each) => JSON.stringify(each))`);
  console.log(`ok: ${String(result)}; ${((performance.now() - start) / 1_000).toFixed(0)} s`);
}

try {
  await page.goto(server.origin);
  if (wanted === 'kills') await measureKills();
  else await measureStorage();
} finally {
  await context.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
}
