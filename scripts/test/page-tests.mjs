// What runs tests in pages: a server for their files, and what tells how they went.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { browserTests } from './bundle-browser-tests.mjs';

/** @typedef {{ title: string, state: string, ms?: number, error?: string }} TestResult */

const types = new Map([
  ['.js', 'text/javascript'],
  ['.wasm', 'application/wasm'],
]);

/**
 * Serves pages and scripts, and the bundled tests.
 * @param {Record<string, string>} pages by their paths
 * @returns {Promise<{ port: number, close(): void }>}
 */
export async function servePages(pages) {
  const server = createServer(async ({ url = '/' }, response) => {
    // A page in a sandbox is of no site, and its scripts come from another one.
    response.setHeader('Access-Control-Allow-Origin', '*');
    const page = pages[url];
    if (page !== undefined) {
      response.setHeader('Content-Type', types.get(path.extname(url)) ?? 'text/html').end(page);
      return;
    }
    try {
      const file = path.join(browserTests, path.basename(url));
      response
        .setHeader('Content-Type', types.get(path.extname(file)) ?? 'text/plain')
        .end(await readFile(file));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The server has no port.');
  return { port: address.port, close: () => void server.close() };
}

/**
 * What runs a suite in a page or a module worker, and leaves the results in `results` there. A worker says so.
 * @param {string[]} modules with the tests
 * @param {string} grep
 */
export function runsSuites(modules, grep) {
  return `
  mocha.setup({ ui: 'bdd', reporter: 'min', timeout: 60_000 });
  ${grep && `mocha.grep(${JSON.stringify(grep)});`}
  ${modules.map((name) => `await import(${JSON.stringify(name)});`).join('\n')}
  const tests = [];
  const keep = (state) => (test, error) =>
    tests.push({ title: test.fullTitle(), state, ms: test.duration, error: error && String(error.stack) });
  mocha.run(() => { globalThis.results = tests; if (!globalThis.document) postMessage(tests); })
    .on('pass', keep('passed')).on('fail', keep('failed')).on('pending', keep('pending'));`;
}

/**
 * Waits until a page has results, or says what broke it.
 * @param {import('playwright-core').Page} tab
 * @param {string} address
 * @returns {Promise<{ tests: TestResult[], faults: string[] }>}
 */
export async function resultsOf(tab, address) {
  /** @type {string[]} */
  const faults = [];
  const broken = new Promise((resolve) => {
    tab.on('pageerror', (error) => {
      faults.push(String(error.stack));
      resolve(undefined);
    });
  });
  await tab.goto(address);
  const finished = tab.waitForFunction('window.results', undefined, { timeout: 0 });
  await Promise.race([finished, broken]).catch((error) => faults.push(String(error)));
  finished.catch(() => undefined);
  return { tests: (await tab.evaluate('window.results')) ?? [], faults };
}

/**
 * Tells how tests went, on the console and in the file that the runner reads.
 * @param {TestResult[]} tests
 * @param {string[]} faults
 */
export async function report(tests, faults) {
  for (const { title, error } of tests.filter(({ state }) => state === 'failed'))
    console.log(`${title}\n  ${error}\n`);
  for (const fault of faults) console.log(fault);
  const count = (/** @type {string} */ state) => tests.filter((test) => test.state === state).length;
  const counts = {
    passed: count('passed'),
    failed: count('failed') + faults.length,
    pending: count('pending'),
  };
  const file = process.env.OFFSHOOT_TEST_RESULTS;
  if (file) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ ...counts, tests }, undefined, 1));
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed in Chromium`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}
