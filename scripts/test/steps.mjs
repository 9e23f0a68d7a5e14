import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { startsPrograms, timedUi } from './parts.mjs';

const reporter = path.join(root, 'scripts', 'test', 'reporter.mjs');
const bin = (/** @type {string} */ file) => path.join(root, 'node_modules', file);

/** The packaged extension. */
const vsix = path.join(root, 'out', 'offshoot.vsix');

/** The workbench test that `npm test` has: the main flows. */
const smoke = 'test/ui/smoke.test.ts';

const UNIT_LIMIT_MS = 30_000;
const UI_LIMIT_MS = 60_000;

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} part the word that selects it: `npm test -- <part>`
 * @property {string[]} command arguments for Node; an `npm` first runs npm instead
 * @property {Record<string, string>} [env]
 * @property {boolean} [suite] it runs tests and writes their results, else it counts as one check
 * @property {boolean} [vital] nothing after it makes sense when it fails
 * @property {RegExp} [forbidden] output that fails it
 * @property {(file: string) => string[]} [again] the command for one file of it, where it is of a workbench, whose tests may
 *   look too early on a busy machine
 *
 * @typedef {Step[][]} Stage steps that run in any order, two side by side; those of an inner list one after the other
 */

/**
 * What `npm test` runs, and with `all` what else there is: each stage begins when the one before has ended. The first
 * needs nothing but the dependencies, so what the others run in may be installed at the same time.
 * @param {{ grep?: string, all?: boolean }} options with `grep` a part is one step, since each step has to run some tests
 * @returns {Stage[]}
 */
export function allStages({ grep, all }) {
  // The longest first, so that both workers end at about the same time. Lint is one step: oxlint, which uses every core,
  // and then ESLint.
  const first = [
    [npm('lint', 'lint')],
    // What is packaged is another build in the same place, so it comes before that.
    [...(all && !grep ? [packaged()] : []), build('build')],
    [npm('format', 'format:check')],
    [script('types', 'typecheck.mjs')],
    [build('build tests', '--tests')],
    [script('texts', 'l10n.mjs', '--check')],
  ];
  if (grep) {
    const found = [suite('unit', 'unit', outOf('unit'), grep), suite('ui', 'ui', outOf('ui'), grep)];
    return [first, [...found, ...inBrowser(grep), integration(grep)].map((step) => [step])];
  }
  const slow = slowTests();
  const programs = testsIn('unit').filter(startsPrograms);
  const timed = timedUi.map(source);
  const quick = [
    [suite('pages', 'ui', without('ui/page', timed))],
    [integration()],
    [suite('unit', 'unit', without('unit', [...new Set([...slow, ...programs])]))],
    [suite('programs', 'unit', programs.filter((file) => !slow.includes(file)).map(built))],
    [inWorkbench(smoke)],
  ];
  if (!all) return [first, quick];
  const stores = slow.filter((file) => file.startsWith('test/unit/store/'));
  const units = slow.filter((file) => !stores.includes(file) && !startsPrograms(file));
  const further = [
    [suite('stores, slow', 'unit', stores.map(built))],
    [suite('unit, slow', 'unit', units.map(built))],
    [suite('programs, slow', 'unit', slow.filter(startsPrograms).map(built))],
    ...workbenchTests()
      .filter((file) => file !== smoke && !timed.includes(file))
      .map((file) => [inWorkbench(file)]),
    [onPackage()],
  ];
  const alone = [
    ...timed.filter((file) => !file.startsWith('test/ui/page/')).map(inWorkbench),
    suite('pages, timed', 'ui', timed.filter((file) => file.startsWith('test/ui/page/')).map(built)),
  ];
  // Those in a browser write into one folder.
  return [first, [inBrowser(), ...quick, ...further], [alone]];
}

/** Every test in a workbench, by its source. */
export function workbenchTests() {
  return testsIn('ui', { recursive: false });
}

/**
 * @param {string} file the source of a test
 * @returns {Step}
 */
export function inWorkbench(file) {
  return { ...suite(`workbench: ${path.basename(file, '.test.ts')}`, 'ui', [built(file)]), again: uiTest };
}

/**
 * The tests in a folder of `test`, by their sources.
 * @param {string} folder
 */
function testsIn(folder, { recursive = true } = {}) {
  return readdirSync(path.join(root, 'test', folder), { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.posix.join('test', folder, ...name.split(path.sep)))
    .sort();
}

/** The tests that `npm test` leaves to `npm run test:all`, by their sources. */
function slowTests() {
  return Object.keys(JSON.parse(readFileSync(path.join(root, 'test', 'slowTests.json'), 'utf8')));
}

/**
 * @param {string} name
 * @param {string[]} options
 * @returns {Step}
 */
function build(name, ...options) {
  return { name, part: 'build', command: ['esbuild.mjs', ...options], vital: true };
}

/**
 * @param {string} name
 * @param {string} file in `scripts`
 * @param {string[]} options
 * @returns {Step}
 */
function script(name, file, ...options) {
  return { name, part: 'check', command: [path.join(root, 'scripts', file), ...options] };
}

/**
 * @param {string} name
 * @param {string} command a script of package.json
 * @returns {Step}
 */
function npm(name, command) {
  return { name, part: 'check', command: ['npm', 'run', '--silent', command] };
}

/**
 * @param {string} name
 * @param {string} part
 * @param {string[]} files in mocha's words
 * @param {string} [grep]
 * @returns {Step}
 */
function suite(name, part, files, grep) {
  const limit = part === 'unit' ? UNIT_LIMIT_MS : UI_LIMIT_MS;
  return { name, part, command: mocha(files, limit, grep), suite: true };
}

/** @returns {Step} */
function integration(grep = '') {
  return {
    name: 'integration',
    part: 'integration',
    command: [path.join(root, 'scripts', 'test', 'integration.mjs')],
    env: { OFFSHOOT_TEST_REPORTER: reporter, OFFSHOOT_TEST_GREP: grep },
    suite: true,
  };
}

/** @returns {Step[]} */
function inBrowser(grep = '') {
  const step = (/** @type {string} */ name, /** @type {string} */ script) => ({
    name,
    part: 'browser',
    command: [path.join(root, 'scripts', 'test', script), grep],
    suite: true,
  });
  return [
    step('engine and store in a browser', 'browser.mjs'),
    step('storage of a browser', 'browser-storage.mjs'),
    step('integration in a browser', 'integration-in-browser.mjs'),
  ];
}

/** @returns {Step} */
function packaged() {
  return {
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
}

/** @returns {Step} */
function onPackage() {
  return {
    ...suite('workbench on the package', 'vsix', outOf('ui'), '@vsix'),
    env: { OFFSHOOT_VSIX: vsix },
    again: (file) => mocha([file], UI_LIMIT_MS, '@vsix'),
  };
}

const uiTest = (/** @type {string} */ file) => mocha([file], UI_LIMIT_MS);

/** @param {readonly string[]} place as in `timedUi` */
const source = (place) => path.join('test', ...place).replace(/\.cjs$/, '.ts');

/** @param {string} file the source of a test */
const built = (file) => path.join('out', file.replace(/\.ts$/, '.cjs'));

/**
 * All tests below a folder of `test` but some.
 * @param {string} folder
 * @param {readonly string[]} left by their sources
 */
function without(folder, left) {
  return [...outOf(folder), ...left.flatMap((file) => ['--exclude', built(file)])];
}

/** @param {string} folder all tests below it */
function outOf(folder) {
  return ['--recursive', '--extension', 'cjs', path.join('out', 'test', folder)];
}

/**
 * @param {string[]} files which tests, in mocha's words
 * @param {number} timeout
 * @param {string} [grep]
 */
export function mocha(files, timeout, grep) {
  // `npm run fuzz` has each fuzz test run more often.
  const limit = timeout * Number(process.env.OFFSHOOT_FUZZ ?? 1);
  return [
    '--enable-source-maps',
    // With the room for new objects that V8 begins with, a tenth of the time goes into collecting them.
    ...['--min-semi-space-size=16', '--max-semi-space-size=32'],
    bin('mocha/bin/mocha.js'),
    ...['--no-config', '--exit', '--timeout', String(limit)],
    ...['--require', path.join(root, 'scripts', 'test', 'same-values.cjs')],
    ...['--reporter', reporter],
    ...(grep ? ['--grep', grep] : []),
    ...files,
  ];
}
