// npm test: everything, or some parts of it.
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './dependencies.mjs';
import { installHost, isHostSupported } from './host/install.mjs';
import { root } from './host/paths.mjs';
import { continueWithModernNode } from './node22.mjs';
import { runStep } from './test/run-step.mjs';
import { partNames, partsHere } from './test/parts.mjs';
import { quickStages } from './test/quick.mjs';
import { allStages } from './test/steps.mjs';

const usage = `npm test                              everything
npm test -- check|unit|browser|integration|ui|vsix   one or more parts
npm test -- ui --grep <text>          the tests whose title matches
npm run test:quick                    types, and the unit tests without the slow ones

check = format, lint and types; browser = the tests of engine and store
in Chromium; vsix = package the extension and try the package. On macOS and Windows
it is check, unit and integration, the last in a downloaded desktop VS Code.
OFFSHOOT_DESKTOP=1 runs the integration tests in a downloaded desktop VS Code,
VSCODE_EXECUTABLE=<path> in that one; CHROME_PATH=<path> names the browser to use.`;

async function main() {
  const { parts, grep, help, quick } = readArguments();
  if (help) {
    console.log(usage);
    return;
  }
  await ensureDependencies();
  await continueWithModernNode();
  const wanted = parts.length > 0 ? parts : partsHere(isHostSupported);
  if (parts.length === 0 && wanted.length < partNames.length) {
    const left = partNames.filter((part) => !wanted.includes(part)).join(', ');
    console.log(`Left out, since the local VS Code runs on Linux x64 only: ${left}`);
  }
  const needsBuild = wanted.some((part) => part !== 'check');
  const isWanted = (/** @type {import('./test/steps.mjs').Step} */ { part }) =>
    part === 'build' ? needsBuild : wanted.includes(part);
  const stages = quick
    ? quickStages(grep)
    : allStages(grep).map((lanes) => lanes.map((steps) => steps.filter(isWanted)));
  const onDesktop =
    !isHostSupported || Boolean(process.env.OFFSHOOT_DESKTOP ?? process.env.VSCODE_EXECUTABLE);
  if (
    wanted.includes('ui') ||
    wanted.includes('browser') ||
    wanted.includes('vsix') ||
    (wanted.includes('integration') && !onDesktop)
  ) {
    await installHost();
  }
  await rm(path.join(root, 'test-results'), { recursive: true, force: true });

  const sum = { passed: 0, failed: 0 };
  // Parts that were asked for tell each test as it ends, which has to stay readable.
  const verbose = parts.length > 0 && !quick;
  const areSideBySide = !verbose && availableParallelism() > 1;
  /** @param {import('./test/steps.mjs').Step[]} steps */
  const runInOrder = async (steps) => {
    for (const step of steps) {
      const { passed, failed } = await runStep(step, { verbose });
      sum.passed += passed;
      sum.failed += failed;
      if (failed > 0 && step.vital) return false;
    }
    return true;
  };
  for (const lanes of stages) {
    const goOn = areSideBySide ? await Promise.all(lanes.map(runInOrder)) : [await runInOrder(lanes.flat())];
    if (goOn.includes(false)) break;
  }
  process.exitCode = sum.failed > 0 ? 1 : 0;
  console.log(`${sum.passed} passed, ${sum.failed} failed`);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' }, help: { type: 'boolean' }, quick: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.find((part) => !partNames.includes(part));
  if (unknown) throw new Error(`There is no part '${unknown}'.\n${usage}`);
  const { grep, help, quick } = values;
  if (quick && positionals.length > 0) throw new Error(`--quick names its parts itself.\n${usage}`);
  return { parts: quick ? ['unit'] : positionals, grep, help, quick };
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
