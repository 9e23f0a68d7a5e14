import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { npmCommand } from '../npm.mjs';

/**
 * @typedef {object} TestResult
 * @property {string} title
 * @property {string} state `passed`, `failed` or `pending`
 * @property {string} [file] the bundle it is in
 * @property {string} [error]
 *
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} failed
 * @property {number} seconds
 * @property {TestResult[]} tests
 * @property {boolean} isOnlyOfTests nothing but tests is wrong with it
 */

/**
 * Runs one step and counts what it showed. A step tells what it printed only when something is wrong with it.
 * @param {import('./steps.mjs').Step} step
 * @param {{ verbose: boolean }} options
 * @returns {Promise<Outcome>}
 */
export async function runStep(step, { verbose }) {
  const started = Date.now();
  const resultsFile = path.join(root, 'out', 'results', `${step.name.replaceAll(/[^\w.]+/g, '-')}.json`);
  await rm(resultsFile, { force: true });
  const { code, output } = await run(step, verbose && Boolean(step.suite), resultsFile);

  const problems = [];
  if (step.forbidden?.test(output)) problems.push('it printed a warning');
  const results = step.suite ? await readResults(resultsFile) : undefined;
  if (results?.pending) problems.push(`${results.pending} skipped`);
  if (results && results.passed + results.failed === 0) problems.push('no test ran');
  const isOnlyOfTests = problems.length === 0 && Boolean(results?.failed);
  if (results?.failed) problems.push(`${results.failed} failed`);
  if (code !== 0 && problems.length === 0) problems.push(`it ended with ${code}`);

  const ok = problems.length === 0;
  if (!ok && output) console.log(output.trimEnd());
  const summary = [...(results?.passed ? [`${results.passed} passed`] : []), ...problems].join(', ');
  const seconds = (Date.now() - started) / 1000;
  console.log(`${ok ? '✔' : '✘'} ${step.name}${summary && `: ${summary}`} (${seconds.toFixed(1)} s)`);

  // A skipped test shows nothing, so it counts as failed; so does a problem that no test accounts for.
  const failed = (results?.failed ?? 0) + (results?.pending ?? 0);
  return {
    passed: results?.passed ?? (ok ? 1 : 0),
    failed: ok ? 0 : Math.max(failed, 1),
    seconds,
    tests: results?.tests ?? [],
    isOnlyOfTests,
  };
}

/**
 * @param {import('./steps.mjs').Step} step
 * @param {boolean} shown
 * @param {string} resultsFile
 * @returns {Promise<{ code: number | null, output: string }>}
 */
async function run({ command, env }, shown, resultsFile) {
  const program =
    command[0] === 'npm'
      ? npmCommand(command.slice(1))
      : { command: process.execPath, args: command, shell: false };
  const child = spawn(program.command, program.args, {
    shell: program.shell,
    cwd: root,
    env: {
      ...process.env,
      // Node keeps what it compiles: the same files are loaded by one process after the other.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compiled'),
      ...env,
      OFFSHOOT_TEST_RESULTS: resultsFile,
      ...(shown ? { OFFSHOOT_TEST_VERBOSE: '1' } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (shown ? process.stdout.write(chunk) : (output += chunk)));
  child.stderr.on('data', (chunk) => (shown ? process.stderr.write(chunk) : (output += chunk)));
  const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  process.on('SIGTERM', forward);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  process.off('SIGTERM', forward);
  return { code, output };
}

/**
 * @param {string} file
 * @returns {Promise<{ passed: number, failed: number, pending: number, tests: TestResult[] }>}
 */
async function readResults(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // It ended before its tests did; the exit code and the missing tests tell so.
    return { passed: 0, failed: 0, pending: 0, tests: [] };
  }
}
