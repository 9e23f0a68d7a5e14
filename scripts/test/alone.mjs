// npm run test:alone: every workbench test by its own title, in a process and a workbench of its own, two side by side.
// `-- <file> …` takes those files of test/ui only.
import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureDependencies } from '../dependencies.mjs';
import { installHost } from '../host/install.mjs';
import { root } from '../host/paths.mjs';
import { ensureShells } from '../host/shells.mjs';
import { continueWithModernNode } from '../node22.mjs';
import { runStep } from './run-step.mjs';
import { sideBySide } from './side-by-side.mjs';
import { inWorkbench, workbenchTests } from './steps.mjs';

const run = promisify(execFile);
const results = path.join(root, 'out', 'results');

/**
 * The titles of a file's tests, none of which is run.
 * @param {import('./steps.mjs').Step} step
 * @returns {Promise<string[]>}
 */
async function titlesOf({ command }) {
  const file = path.join(results, 'titles.json');
  await run(process.execPath, [...command, '--dry-run'], {
    cwd: root,
    env: { ...process.env, OFFSHOOT_TEST_RESULTS: file },
  });
  const { tests } = JSON.parse(await readFile(file, 'utf8'));
  return tests.map((/** @type {{ title: string }} */ { title }) => title);
}

const whole = (/** @type {string} */ title) => `^${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

await ensureDependencies();
await continueWithModernNode();
await installHost();
await ensureShells();
await mkdir(results, { recursive: true });
for (const options of [[], ['--tests']])
  await run(process.execPath, ['esbuild.mjs', ...options], { cwd: root });

const given = process.argv.slice(2).map((name) => path.basename(name).replace(/(\.test)?\.ts$/, ''));
const files = workbenchTests().filter(
  (file) => given.length === 0 || given.includes(path.basename(file, '.test.ts')),
);
/** @type {import('./steps.mjs').Step[]} */
const steps = [];
for (const file of files) {
  const step = inWorkbench(file);
  for (const title of await titlesOf(step)) {
    steps.push({ ...step, name: title, command: [...step.command, '--grep', whole(title)] });
  }
}

const sum = { passed: 0, failed: 0 };
await sideBySide(steps, 2, async (step) => {
  const { passed, failed } = await runStep(step, { verbose: false });
  sum.passed += passed;
  sum.failed += failed;
});
process.exitCode = sum.failed > 0 ? 1 : 0;
console.log(`${sum.passed} passed, ${sum.failed} failed`);
