import path from 'node:path';

/**
 * @typedef {import('./run-step.mjs').Outcome} Outcome
 * @typedef {import('./run-step.mjs').TestResult} TestResult
 * @typedef {import('./steps.mjs').Step} Step
 *
 * @typedef {object} FlakyTest
 * @property {string} file
 * @property {string} title
 * @property {string} error the first line of it
 *
 * @typedef {object} KnownFlaky
 * @property {string} file the source of a workbench test
 * @property {string} since the day it was listed: YYYY-MM-DD
 * @property {string} cause
 */

/** How many files of workbench tests may have failed before none is run once more. */
export const MOST_FLAKY_FILES = 3;

/** How long a file may be known as flaky. */
export const DAYS_TO_MEND = 14;

/**
 * A workbench shows things late on a busy machine. A file that failed while others ran is run once more, alone, to tell
 * whether it has a fault.
 */
export class SecondLook {
  /** @type {FlakyTest[]} */
  flaky = [];
  #files = 0;
  #run;

  /** @param {(step: Step) => Promise<Outcome>} run */
  constructor(run) {
    this.#run = run;
  }

  /**
   * Runs once more what failed of a step.
   * @param {Step} step
   * @param {Outcome} outcome
   * @returns {Promise<Outcome>} what counts
   */
  async at(step, outcome) {
    const files = failedFiles(outcome.tests);
    if (!step.again || files.length === 0 || !outcome.isOnlyOfTests) return outcome;
    this.#files += files.length;
    if (this.#files > MOST_FLAKY_FILES) return outcome;
    let counts = outcome;
    for (const file of files) {
      const name = `${step.name}, once more: ${path.basename(file)}`;
      const again = await this.#run({ ...step, name, command: step.again(file) });
      if (again.failed > 0) return outcome;
      const first = outcome.tests.filter((test) => test.file === file);
      const failed = first.filter(({ state }) => state === 'failed');
      const passed = first.filter(({ state }) => state === 'passed');
      counts = {
        ...counts,
        passed: counts.passed - passed.length + again.passed,
        failed: counts.failed - failed.length,
      };
      for (const { title, error = '' } of failed) {
        this.flaky.push({ file: sourceOf(file), title, error: error.split('\n')[0] ?? '' });
      }
    }
    return counts;
  }
}

/**
 * The files that have a failed test, or a failed hook.
 * @param {readonly TestResult[]} tests
 */
export function failedFiles(tests) {
  return [...new Set(tests.flatMap(({ state, file }) => (state === 'failed' && file ? [file] : [])))];
}

/**
 * Those that are known for longer than they may be.
 * @param {readonly KnownFlaky[]} known
 * @param {Date} now
 */
export function overdue(known, now) {
  const days = (/** @type {string} */ since) => (now.getTime() - Date.parse(since)) / 86_400_000;
  return known.filter(({ since }) => !(days(since) <= DAYS_TO_MEND));
}

/** @param {string} file a bundle in `out` */
const sourceOf = (file) => file.replaceAll('\\', '/').replace(/^.*\bout\/(test\/.*)\.cjs$/, '$1.ts');
