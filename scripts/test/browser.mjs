// Runs the tests of engine and store in Chromium: they are to work wherever JavaScript does.
import { closeBrowser, sharedBrowser } from '../host/browser.mjs';
import { bundleEngineTests } from './bundle-engine-tests.mjs';
import { report, resultsOf, runsSuites, servePages } from './page-tests.mjs';

const page = `<!doctype html>
<meta charset="utf-8" />
<div id="mocha"></div>
<script src="/mocha.js"></script>
<script type="module">${runsSuites(['/suite.js', '/enginePackage.js'], process.argv[2] ?? '')}</script>`;

await bundleEngineTests();
const server = await servePages({ '/': page });
const tab = await (await sharedBrowser()).newPage();
const { tests, faults } = await resultsOf(tab, `http://127.0.0.1:${server.port}/`);
await closeBrowser();
server.close();
await report(tests, faults);
