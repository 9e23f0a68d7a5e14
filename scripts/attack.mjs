// npm run attack: the tests that hold what SECURITY.md promises, as its table names them.
// `npm run attack -- 10` runs each fuzz test among them ten times as often.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './host/paths.mjs';
import { continueWithModernNode } from './node22.mjs';
import { promisedTests } from './promisedTests.mjs';
import { mocha } from './test/steps.mjs';

/** Fewer cases would mean that tests have gone, or that their names have changed. */
const LEAST = 2_000;

await continueWithModernNode();
const [times = '1'] = process.argv.slice(2);
const files = new Set(
  promisedTests(await readFile(path.join(root, 'SECURITY.md'), 'utf8')).map(({ file }) => file),
);
// Those of an extension host and of a browser are run by the whole test run alone.
const here = [...files].filter((file) => /^test\/(?:unit|ui\/page)\//u.test(file)).sort();
process.env.OFFSHOOT_FUZZ = times;
process.env.OFFSHOOT_ATTACK = 'all';
const results = path.join(root, 'out', 'results', 'attack.json');
const { status } = spawnSync(
  process.execPath,
  mocha(
    here.map((file) => path.join('out', file.replace(/\.ts$/u, '.cjs'))),
    60_000,
  ),
  { cwd: root, stdio: 'inherit', env: { ...process.env, OFFSHOOT_TEST_RESULTS: results } },
);
const { passed, failed, pending } = JSON.parse(await readFile(results, 'utf8'));
console.log(`${passed} attacks came to nothing, ${failed + pending} did not.`);
if (passed < LEAST) console.error(`There are to be at least ${LEAST}.`);
process.exitCode = status !== 0 || passed < LEAST ? 1 : 0;
