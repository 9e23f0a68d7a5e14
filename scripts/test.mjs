// npm test: what has to be known of each change. npm run test:all: everything. Or some parts of it.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './dependencies.mjs';
import { installHost, isHostSupported } from './host/install.mjs';
import { ensureLlamaServer } from './host/llama.mjs';
import { root } from './host/paths.mjs';
import { ensureShells } from './host/shells.mjs';
import { continueWithModernNode } from './node22.mjs';
import { runStep } from './test/run-step.mjs';
import { partNames, partsHere } from './test/parts.mjs';
import { overdue, SecondLook } from './test/second-look.mjs';
import { sideBySide } from './test/side-by-side.mjs';
import { allStages } from './test/steps.mjs';

const usage = `npm test                              what has to be known of each change
npm run test:all                      everything
npm test -- check|unit|browser|integration|ui|vsix   one or more parts, whole
npm test -- ui --grep <text>          the tests whose title matches
npm run test:alone                    every workbench test by its own title, alone

check = format, lint, types and texts; browser = the tests of engine and store
in Chromium; vsix = package the extension and try the package. On macOS and Windows
there are check, unit and integration, the last in a downloaded desktop VS Code.
OFFSHOOT_DESKTOP=1 runs the integration tests in a downloaded desktop VS Code,
VSCODE_EXECUTABLE=<path> in that one; CHROME_PATH=<path> names the browser to use.`;

const results = path.join(root, 'out', 'results');

async function main() {
  const { parts, grep, help, all } = readArguments();
  if (help) {
    console.log(usage);
    return;
  }
  await ensureDependencies();
  const wanted = parts.length > 0 ? parts : partsHere(isHostSupported);
  const isOneWanted = (/** @type {string[]} */ ...names) => names.some((part) => wanted.includes(part));
  const installing = [];
  if (isOneWanted('unit', 'integration', 'ui')) installing.push(ensureShells());
  // What needs it is slow, and left out of a plain `npm test`.
  if (isOneWanted('unit') && (all || parts.length > 0)) installing.push(ensureLlamaServer());
  await continueWithModernNode();
  if (parts.length === 0 && wanted.length < partNames.length) {
    const left = partNames.filter((part) => !wanted.includes(part)).join(', ');
    console.log(`Left out, since the local VS Code runs on Linux x64 only: ${left}`);
  }
  const needsBuild = wanted.some((part) => part !== 'check');
  const isWanted = (/** @type {import('./test/steps.mjs').Step} */ { part }) =>
    part === 'build' ? needsBuild : wanted.includes(part);
  const stages = allStages({ grep, all: all || parts.length > 0 }).map((stage) =>
    stage.map((steps) => steps.filter(isWanted)),
  );
  const onDesktop =
    !isHostSupported || Boolean(process.env.OFFSHOOT_DESKTOP ?? process.env.VSCODE_EXECUTABLE);
  if (isOneWanted('ui', 'browser', 'vsix') || (isOneWanted('integration') && !onDesktop)) {
    installing.push(installHost());
  }
  await rm(results, { recursive: true, force: true });
  // The first step packages into the folder above it, which a fresh clone does not have.
  await mkdir(results, { recursive: true });
  // Parts that were asked for tell each test as it ends, which has to stay readable.
  const verbose = parts.some((part) => part !== 'check');
  const installed = Promise.all(installing);
  const { passed, failed } = await runStages(stages, { verbose, looksTwice: !grep, installed });
  process.exitCode = failed > 0 ? 1 : 0;
  console.log(`${passed} passed, ${failed} failed`);
}

/**
 * @param {import('./test/steps.mjs').Stage[]} stages
 * @param {{ verbose: boolean, looksTwice: boolean, installed: Promise<unknown> }} how
 */
async function runStages(stages, { verbose, looksTwice, installed }) {
  const started = Date.now();
  /** @type {{ step: import('./test/steps.mjs').Step, outcome: import('./test/run-step.mjs').Outcome }[]} */
  const done = [];
  const runOne = (/** @type {import('./test/steps.mjs').Step} */ step) => runStep(step, { verbose });
  const secondLook = new SecondLook(runOne);
  let goesOn = true;
  // Nobody waits for it during the first stage; what went wrong is told before the second.
  installed.catch(() => undefined);
  for (const [index, stage] of stages.entries()) {
    if (index > 0) await installed;
    // Two steps keep two cores busy: a workbench computes while it opens, and waits more than it computes from then on.
    const lanes = verbose || availableParallelism() < 2 ? 1 : 2;
    await sideBySide(stage, lanes, async (steps) => {
      for (const step of steps) {
        if (!goesOn) return;
        const outcome = await runOne(step);
        done.push({ step, outcome });
        if (outcome.failed > 0 && step.vital) goesOn = false;
      }
    });
    if (!looksTwice) continue;
    for (const each of done) {
      if (stage.some((steps) => steps.includes(each.step))) {
        each.outcome = await secondLook.at(each.step, each.outcome);
      }
    }
  }
  await writeFile(path.join(results, 'flaky.json'), JSON.stringify(secondLook.flaky, undefined, 2));
  for (const { file, title, error } of secondLook.flaky) console.log(`⚠ flaky: ${file}, ${title}, ${error}`);
  const known = JSON.parse(await readFile(path.join(root, 'test', 'flaky.json'), 'utf8'));
  const late = overdue(known, new Date());
  for (const { file, since } of late) console.log(`✘ ${file} is in test/flaky.json since ${since}: mend it`);
  for (const figure of await figures()) console.log(figure);
  const seconds = done.map(({ step, outcome }) => `${step.name} ${outcome.seconds.toFixed(0)}`);
  console.log(`Seconds: ${seconds.join(', ')}; in all ${((Date.now() - started) / 1000).toFixed(0)}`);
  const sum = (/** @type {'passed' | 'failed'} */ what) =>
    done.reduce((total, { outcome }) => total + outcome[what], 0);
  return { passed: sum('passed'), failed: sum('failed') + late.length };
}

/** What tests found out beyond having passed: test/fixtures/figures.ts writes it. */
async function figures() {
  const folder = path.join(results, 'figures');
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const text = (await readFile(path.join(folder, name), 'utf8')).trimEnd();
      return `${name.replace(/\.txt$/, '')}:${text.includes('\n') ? '\n' : ' '}${text}`;
    }),
  );
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' }, help: { type: 'boolean' }, all: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.find((part) => !partNames.includes(part));
  if (unknown) throw new Error(`There is no part '${unknown}'.\n${usage}`);
  const { grep, help, all } = values;
  if (all && positionals.length > 0) throw new Error(`--all names its parts itself.\n${usage}`);
  return { parts: positionals, grep, help, all };
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
