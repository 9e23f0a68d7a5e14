/** A test that holds a promise. */
export interface PromisedTest {
  readonly promise: string;
  readonly file: string;
  readonly title: string;
}

/** The rows of the table of SECURITY.md, one for each test. */
export function promisedTests(text: string): PromisedTest[];

/** The beginning of each promise, without the signs of Markdown. */
export function promises(text: string): string[];
