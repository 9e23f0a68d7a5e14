// Runs the tests of the storage of a browser: those of every store in a worker, and those of faults, which make their own
// workers. Both at once, on sites of their own: what is done to one site is not done to the other. The browser has a
// profile on the disk, since what it keeps for a private window never gets there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchWithProfile } from '../host/browser.mjs';
import { report, resultsOf, runsSuites, servePages } from './page-tests.mjs';

const grep = process.argv[2] ?? '';
const head = '<!doctype html><meta charset="utf-8" />';
const server = await servePages({
  '/faults.html': `${head}<div id="mocha"></div><script src="/mocha.js"></script>
    <script type="module">${runsSuites(['/faults.js'], grep)}</script>`,
  '/worker.html': `${head}<script type="module">
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => (window.results = data);
    worker.onerror = ({ message }) => { throw new Error(message); };
  </script>`,
  '/worker.js': `import '/mocha.js';${runsSuites(['/workerSuite.js'], grep)}`,
  '/frame.html': `${head}<script type="module" src="/frame.js"></script>`,
});

const profile = await mkdtemp(path.join(tmpdir(), 'offshoot-profile-'));
const context = await launchWithProfile(profile);
try {
  const pages = [
    ['127.0.0.1', 'faults.html'],
    ['localhost', 'worker.html'],
  ];
  const all = await Promise.all(
    pages.map(async ([host, name]) => {
      const tab = await context.newPage();
      const devtools = await context.newCDPSession(tab);
      await tab.exposeFunction('devtools', (/** @type {any} */ method, /** @type {any} */ parameters) =>
        devtools.send(method, parameters),
      );
      return resultsOf(tab, `http://${host}:${server.port}/${name}`);
    }),
  );
  await report(
    all.flatMap(({ tests: ran }) => ran),
    all.flatMap(({ faults }) => faults),
  );
} finally {
  await context.close();
  server.close();
  await rm(profile, { recursive: true, force: true });
}
