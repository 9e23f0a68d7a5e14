import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

const { Base, Spec } = Mocha.reporters;
const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Mocha.Runner.constants;

/**
 * Tells each test when OFFSHOOT_TEST_VERBOSE is set and else only the failures,
 * and writes the counts to the file named by OFFSHOOT_TEST_RESULTS.
 */
export default class Reporter extends (process.env.OFFSHOOT_TEST_VERBOSE ? Spec : Base) {
  /**
   * @param {Mocha.Runner} runner
   * @param {Mocha.MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    /** @type {{ title: string, state: string, ms?: number, file?: string, error?: string }[]} */
    const tests = [];
    const keep =
      (/** @type {string} */ state) => (/** @type {Mocha.Test} */ test, /** @type {unknown} */ error) => {
        tests.push({
          title: test.fullTitle(),
          state,
          ms: test.duration,
          file: test.file,
          ...(state === 'failed' && { error: String(error) }),
        });
      };
    runner.on(EVENT_TEST_PASS, keep('passed'));
    runner.on(EVENT_TEST_FAIL, keep('failed'));
    runner.on(EVENT_TEST_PENDING, keep('pending'));
    runner.once(EVENT_RUN_END, () => {
      if (!process.env.OFFSHOOT_TEST_VERBOSE && this.failures.length > 0) Base.list(this.failures);
      const file = process.env.OFFSHOOT_TEST_RESULTS;
      if (!file) return;
      const count = (/** @type {string} */ state) => tests.filter((test) => test.state === state).length;
      const counts = { passed: count('passed'), failed: count('failed'), pending: count('pending') };
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ ...counts, tests }, undefined, 1));
    });
  }
}
