import path from 'node:path';
import { root } from '../host/paths.mjs';
import { timedUi, timedUnit } from './parts.mjs';

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
 * @property {boolean} [isYielding] it takes only the time that the steps beside it leave over
 */

/**
 * Everything that is checked, in stages that come one after the other. The lanes of a stage do not touch each other's
 * files, so they may run side by side; the steps of a lane run in order. A workbench waits for a third of its time: unit
 * tests and checks take what it leaves over. Tests that measure time have a stage of their own.
 * @param {string | undefined} grep
 * @returns {Step[][][]}
 */
export function allStages(grep) {
  const npm = (/** @type {string} */ script) => ['npm', 'run', '--silent', script];
  const build = { name: 'build', part: 'build', command: ['esbuild.mjs'], vital: true };
  const buildTests = { name: 'build tests', part: 'build', command: ['esbuild.mjs', '--tests'], vital: true };
  const checks = [
    { name: 'lint', part: 'check', command: npm('lint') },
    { name: 'typecheck', part: 'check', command: npm('typecheck') },
    { name: 'texts for translators', part: 'check', command: npm('l10n:check') },
  ];
  const format = { name: 'format', part: 'check', command: npm('format:check') };
  const [unit, unitOfStores, unitAlone] = unitSteps(grep);
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
  const [ui, uiOfPages, uiAlone] = uiSteps(grep);
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
    [[...ui, ...uiOfPages, ...hosts], unit.map(yielding), [...checks, ...unitOfStores].map(yielding)],
    [[...unitAlone, ...uiAlone]],
    [[pack, packaged]],
  ];
}

/**
 * The unit tests but those of stores, these, and those that run alone.
 * @param {string | undefined} grep of few tests: they are one step then, since each step has to run some
 * @returns {[Step[], Step[], Step[]]}
 */
function unitSteps(grep) {
  const step = (/** @type {string} */ name, /** @type {string[]} */ ...files) => ({
    name,
    part: 'unit',
    // Beside a workbench a test takes several times as long.
    command: mocha(files, 120_000, grep),
    suite: true,
  });
  if (grep) return [[step('unit', ...outOf('unit'))], [], []];
  const apart = timedUnit.flatMap((file) => without(...file));
  return [
    [step('unit', ...outOf('unit'), ...without('unit', 'store'), ...apart)],
    [step('unit, stores', ...outOf('unit', 'store'), ...apart)],
    [step('unit that measures time', ...timedUnit.map((file) => path.join('out', 'test', ...file)))],
  ];
}

/** @param {Step} step */
function yielding(step) {
  return { ...step, isYielding: true };
}

/**
 * The ui tests in a workbench, those of the pages alone, and those that run alone.
 * @param {string | undefined} grep as in `unitSteps`
 * @returns {[Step[], Step[], Step[]]}
 */
function uiSteps(grep) {
  const step = (/** @type {string} */ name, /** @type {string[]} */ ...files) => ({
    name,
    part: 'ui',
    command: mocha(files, 60_000, grep),
    suite: true,
  });
  if (grep) return [[step('ui', ...outOf('ui'))], [], []];
  const apart = timedUi.flatMap((file) => without(...file));
  return [
    [step('ui in a workbench', ...outOf('ui'), ...without('ui', 'page'), ...apart)],
    [step('ui of the pages', ...outOf('ui', 'page'), ...apart)],
    [step('ui that measures time', ...timedUi.map((file) => path.join('out', 'test', ...file)))],
  ];
}

/**
 * @param {string[]} place a file, or a folder with all below it
 */
function without(...place) {
  const built = path.join('out', 'test', ...place);
  return ['--exclude', built.endsWith('.cjs') ? built : path.join(built, '**')];
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
