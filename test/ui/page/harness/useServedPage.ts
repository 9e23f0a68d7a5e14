import assert from 'node:assert/strict';
import type { BrowserContext, ViewportSize } from 'playwright-core';
import { loadHost } from '../../support/host.ts';
import { PageServer } from './server.ts';

/** How long a page may take to answer, also beside another lane of tests. */
export const ACTION_LIMIT_MS = 15_000;

/** A page of the extension in a browser of its own, with a host that the test plays. */
export interface ServedPage {
  /** What the page reported as gone wrong. */
  faults(): Promise<string[]>;
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a page anew for each test of the enclosing `describe`; a fault in the page fails the test. */
export function useServedPage<T extends ServedPage>(
  viewport: ViewportSize,
  openPage: (context: BrowserContext, origin: string) => Promise<T>,
): () => T {
  let server: PageServer | undefined;
  let page: T | undefined;

  before('serve the page', async () => {
    server = await PageServer.start();
  });

  beforeEach('open the page', async () => {
    if (!server) throw new Error('The page is not served.');
    const browser = await (await loadHost()).sharedBrowser();
    const context = await browser.newContext({ viewport });
    context.setDefaultTimeout(ACTION_LIMIT_MS);
    page = await openPage(context, server.origin);
  });

  afterEach('close the page', async function () {
    const open = page;
    page = undefined;
    try {
      if (this.currentTest?.state === 'failed') await open?.screenshot(this.currentTest.fullTitle());
      else if (open) assert.deepEqual(await open.faults(), []);
    } finally {
      await open?.close();
    }
  });

  after('stop serving', async () => server?.stop());

  return () => {
    if (!page) throw new Error('The page is open only while a test runs.');
    return page;
  };
}
