import path from 'node:path';
import { root } from '../host/paths.mjs';

const reporter = path.join(root, 'scripts', 'test', 'reporter.mjs');
const bin = (/** @type {string} */ file) => path.join(root, 'node_modules', file);

/** The packaged extension, which the last step installs. */
const vsix = path.join(root, 'out', 'offshoot.vsix');

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} part the word that selects it: `npm test -- <part>`
 * @property {string[]} command arguments for Node; an `npm` first runs npm instead
 * @property {Record<string, string>} [env]
 * @property {boolean} [suite] it runs tests and writes their results, else it counts as one check
 * @property {boolean} [vital] nothing after it makes sense when it fails
 * @property {RegExp} [forbidden] output that fails it
 */

/**
 * Everything that is checked, in stages that come one after the other. The lanes of a stage do not touch each other's
 * files, so they may run side by side; the steps of a lane run in order. A lane keeps about one core busy.
 * @param {string | undefined} grep
 * @returns {Step[][][]}
 */
export function allStages(grep) {
  const npm = (/** @type {string} */ script) => ['npm', 'run', '--silent', script];
  const checks = [
    { name: 'format', part: 'check', command: npm('format:check') },
    { name: 'lint', part: 'check', command: npm('lint') },
    { name: 'typecheck', part: 'check', command: npm('typecheck') },
    { name: 'texts for translators', part: 'check', command: npm('l10n:check') },
  ];
  const unit = [
    { name: 'build', part: 'build', command: ['esbuild.mjs'], vital: true },
    { name: 'build tests', part: 'build', command: ['esbuild.mjs', '--tests'], vital: true },
    { name: 'unit', part: 'unit', command: mocha(outOf('unit'), 30_000, grep), suite: true },
  ];
  const hosts = [
    {
      name: 'engine and store in a browser',
      part: 'browser',
      command: [path.join(root, 'scripts', 'test', 'browser.mjs'), grep ?? ''],
      suite: true,
    },
    {
      name: 'integration',
      part: 'integration',
      command: [path.join(root, 'scripts', 'test', 'integration.mjs')],
      env: { OFFSHOOT_TEST_REPORTER: reporter, OFFSHOOT_TEST_GREP: grep ?? '' },
      suite: true,
    },
  ];
  const ui = { name: 'ui', part: 'ui', command: mocha(outOf('ui'), 60_000, grep), suite: true };
  const pack = {
    name: 'package',
    part: 'vsix',
    command: [
      bin('@vscode/vsce/vsce'),
      ...['package', '--no-dependencies', '--out', vsix],
      ...['--allow-missing-repository', '--no-rewrite-relative-links'],
    ],
    vital: true,
    forbidden: /\bWARN(ING)?\b/,
  };
  const packaged = {
    name: 'ui on the package',
    part: 'vsix',
    command: mocha(outOf('ui'), 60_000, '@vsix'),
    env: { OFFSHOOT_VSIX: vsix },
    suite: true,
  };
  return [[checks, unit], [hosts], [[ui]], [[pack, packaged]]];
}

/**
 * All tests below a folder.
 * @param {string[]} folders
 */
export function outOf(...folders) {
  return ['--recursive', '--extension', 'cjs', path.join('out', 'test', ...folders)];
}

/**
 * @param {string[]} files which tests, in mocha's words
 * @param {number} timeout
 * @param {string | undefined} grep
 */
export function mocha(files, timeout, grep) {
  // `npm run fuzz` has each fuzz test run more often.
  const limit = timeout * Number(process.env.OFFSHOOT_FUZZ ?? 1);
  return [
    '--enable-source-maps',
    bin('mocha/bin/mocha.js'),
    ...['--no-config', '--exit', '--timeout', String(limit)],
    ...['--reporter', reporter],
    ...(grep ? ['--grep', grep] : []),
    ...files,
  ];
}
