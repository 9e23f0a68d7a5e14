import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { balance } from './balance.mjs';
import { timedUi } from './parts.mjs';

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
 * files, so they may run side by side; the steps of a lane run in order. A lane keeps about one core busy: a workbench
 * is busy with both while it opens, and waits more than it computes from then on. Tests that measure what a page takes
 * have a stage of their own.
 * @param {string | undefined} grep
 * @returns {Step[][][]}
 */
export function allStages(grep) {
  const npm = (/** @type {string} */ script) => ['npm', 'run', '--silent', script];
  const build = { name: 'build', part: 'build', command: ['esbuild.mjs'], vital: true };
  const buildTests = { name: 'build tests', part: 'build', command: ['esbuild.mjs', '--tests'], vital: true };
  const lint = { name: 'lint', part: 'check', command: npm('lint') };
  const checks = [
    { name: 'typecheck', part: 'check', command: npm('typecheck') },
    { name: 'texts for translators', part: 'check', command: npm('l10n:check') },
  ];
  const format = { name: 'format', part: 'check', command: npm('format:check') };
  const [unit, unitOfStores] = unitSteps(grep);
  const hosts = [
    {
      name: 'engine and store in a browser',
      part: 'browser',
      command: [path.join(root, 'scripts', 'test', 'browser.mjs'), grep ?? ''],
      suite: true,
    },
    {
      name: 'storage of a browser',
      part: 'browser',
      command: [path.join(root, 'scripts', 'test', 'browser-storage.mjs'), grep ?? ''],
      suite: true,
    },
    {
      name: 'integration in a browser',
      part: 'browser',
      command: [path.join(root, 'scripts', 'test', 'integration-in-browser.mjs'), grep ?? ''],
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
  const { inWorkbench, ofPages, timed } = uiSteps(grep);
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
  return [
    [[build], [buildTests, format]],
    // Both lanes take about as long, since the stores wait more than they compute.
    [
      [...unit, ...checks, ...inWorkbench.slice(1), ...ofPages],
      [lint, ...unitOfStores, ...inWorkbench.slice(0, 1), ...hosts],
    ],
    [timed],
    [[pack, packaged]],
  ];
}

/**
 * The unit tests in two lanes: the first has all but the second's folder, so that none is left out.
 * @param {string | undefined} grep of few tests: they are one step then, since each step has to run some
 * @returns {[Step[], Step[]]}
 */
function unitSteps(grep) {
  const step = (/** @type {string} */ name, /** @type {string[]} */ ...files) => ({
    name,
    part: 'unit',
    command: mocha(files, 30_000, grep),
    suite: true,
  });
  if (grep) return [[step('unit', ...outOf('unit'))], []];
  return [
    [step('unit', ...outOf('unit'), ...without('unit', 'store'))],
    [step('unit, stores', ...outOf('unit', 'store'))],
  ];
}

/**
 * The ui tests in a workbench, in two steps that take about as long; those of the pages alone; those that run alone.
 * @param {string | undefined} grep as in `unitSteps`
 * @returns {{ inWorkbench: Step[], ofPages: Step[], timed: Step[] }}
 */
function uiSteps(grep) {
  const step = (/** @type {string} */ name, /** @type {string[]} */ ...files) => ({
    name,
    part: 'ui',
    command: mocha(files, 60_000, grep),
    suite: true,
  });
  if (grep) return { inWorkbench: [step('ui', ...outOf('ui'))], ofPages: [], timed: [] };
  const apart = timedUi.flatMap((file) => without(...file));
  return {
    inWorkbench: workbenchLanes().map((files, index) =>
      step(`ui in a workbench, ${index + 1} of 2`, ...files.map(built)),
    ),
    ofPages: [step('ui of the pages', ...outOf('ui', 'page'), ...apart)],
    timed: [step('ui that measures time', ...timedUi.map(inBuild))],
  };
}

/** Every test in a workbench that may run beside others, in two lanes. */
function workbenchLanes() {
  const timed = timedUi.map(inBuild);
  const files = readdirSync(path.join(root, 'test', 'ui'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/ui/${name}`)
    .filter((file) => !timed.includes(built(file)));
  /** @type {Record<string, number>} */
  const seconds = JSON.parse(readFileSync(path.join(root, 'test', 'workbenchTests.json'), 'utf8'));
  return balance(files, seconds, 2);
}

/** @param {readonly string[]} place as in `timedUi` */
const inBuild = (place) => path.join('out', 'test', ...place);

/** @param {string} source the file of a test */
const built = (source) => path.join('out', source.replace(/\.ts$/, '.cjs'));

/**
 * @param {string[]} place a file, or a folder with all below it
 */
function without(...place) {
  const left = path.join('out', 'test', ...place);
  return ['--exclude', left.endsWith('.cjs') ? left : path.join(left, '**')];
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
