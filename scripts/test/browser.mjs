// Runs the tests of engine and store in Chromium: they are to work wherever JavaScript does.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { closeBrowser, sharedBrowser } from '../host/browser.mjs';
import { browserTests } from './bundle-browser-tests.mjs';
import { bundleEngineTests } from './bundle-engine-tests.mjs';

const grep = process.argv[2] ?? '';

const page = `<!doctype html>
<meta charset="utf-8" />
<div id="mocha"></div>
<script src="/mocha.js"></script>
<script type="module">
  mocha.setup({ ui: 'bdd', reporter: 'min', timeout: 60_000 });
  ${grep && `mocha.grep(${JSON.stringify(grep)});`}
  await import('/suite.js');
  await import('/enginePackage.js');
  const tests = [];
  const keep = (state) => (test, error) =>
    tests.push({ title: test.fullTitle(), state, ms: test.duration, error: error && String(error.stack) });
  mocha.run(() => (window.results = tests))
    .on('pass', keep('passed')).on('fail', keep('failed')).on('pending', keep('pending'));
</script>`;

const types = new Map([
  ['.js', 'text/javascript'],
  ['.wasm', 'application/wasm'],
]);

await bundleEngineTests();

const server = createServer(async ({ url = '/' }, response) => {
  if (url === '/') {
    response.setHeader('Content-Type', 'text/html').end(page);
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

const tab = await (await sharedBrowser()).newPage();
/** @type {string[]} */
const faults = [];
const broken = new Promise((resolve) => {
  tab.on('pageerror', (error) => {
    faults.push(String(error.stack));
    resolve(undefined);
  });
});
await tab.goto(`http://127.0.0.1:${address.port}/`);
const finished = tab.waitForFunction('window.results', undefined, { timeout: 300_000 });
await Promise.race([finished, broken]).catch((error) => faults.push(String(error)));
finished.catch(() => undefined);
/** @type {{ title: string, state: string, error?: string }[]} */
const tests = (await tab.evaluate('window.results')) ?? [];
await closeBrowser();
server.close();

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
