import '../../../node_modules/mocha/mocha.js';
import { prepare } from '../prepare.ts';
import { callModelServers } from './callModelServers.ts';
import type { TestResults } from './modelServerCalls.ts';
import { answerByScripts } from './remoteOpenAiServer.ts';

/** Which tests are run: written into the bundle; empty for all. */
declare const OFFSHOOT_GREP: string;

const results: TestResults = [];

/** Keeps how each test went, for who started the browser: a class to Mocha, which calls it with `new`. */
function Reporter(runner: Mocha.Runner): void {
  const keep = (state: TestResults[number]['state']) => (test: Mocha.Test, error?: Error) => {
    results.push({
      title: test.fullTitle(),
      state,
      ...(test.duration !== undefined && { ms: test.duration }),
      ...(error && { error: error.stack ?? String(error) }),
    });
  };
  runner.on('pass', keep('passed')).on('fail', keep('failed')).on('pending', keep('pending'));
}

// Before the tests are read, which come after this in the bundle.
mocha.setup({ ui: 'bdd', reporter: Reporter as unknown as Mocha.ReporterConstructor, timeout: 20_000 });
if (OFFSHOOT_GREP) mocha.grep(OFFSHOOT_GREP);

/** Runs the tests of the bundle; VS Code calls it in the worker that runs extensions. */
export async function run(): Promise<void> {
  await prepare();
  answerByScripts().catch((error: unknown) => console.error(error));
  await new Promise<void>((resolve) => mocha.run(() => resolve()));
  await callModelServers({ call: 'ended', tests: results });
}
