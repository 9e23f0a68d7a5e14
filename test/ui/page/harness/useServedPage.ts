import assert from 'node:assert/strict';
import type { Page, ViewportSize } from 'playwright-core';
import { loadHost } from '../../support/host.ts';
import { playHost, type ThemeName } from './chat.ts';
import { PageServer } from './server.ts';

/** How long a page may take to answer, also next to another lane of tests. */
export const ACTION_LIMIT_MS = 15_000;

/** A page of the extension in a browser of its own, with a host that the test plays. */
export interface ServedPage {
  /** What the page reported as gone wrong. */
  faults(): Promise<string[]>;
  screenshot(name: string): Promise<void>;
  /** Takes back what a reload does not. */
  close?(): Promise<void>;
}

export interface PageOptions {
  readonly viewport: ViewportSize;
  readonly theme?: ThemeName | undefined;
  /**
   * Whether each test gets a process of its own: one that changes what outlives a document, as by routes, listeners,
   * scripts and further pages, or that measures time.
   */
  readonly ownProcess?: boolean;
  /** What every document runs before its own scripts. */
  readonly script?: string;
}

/** Loads a page again for each test of the enclosing `describe`; a fault in the page fails the test. */
export function useServedPage<T extends ServedPage>(
  { viewport, theme = 'Default Dark Modern', ownProcess = false, script }: PageOptions,
  openPage: (page: Page, origin: string) => Promise<T>,
): () => T {
  let server: PageServer | undefined;
  let tab: Page | undefined;
  let opened: T | undefined;

  const closeTab = async (): Promise<void> => {
    const closed = tab;
    tab = undefined;
    await closed?.context().close();
  };

  before('serve the page', async () => {
    server = await PageServer.start();
  });

  beforeEach('open the page', async () => {
    if (!server) throw new Error('The page is not served.');
    if (tab) await resetTab(tab, server.origin, viewport);
    tab ??= await openTab(viewport, theme, script);
    opened = await openPage(tab, server.origin);
  });

  afterEach('close the page', async function () {
    const open = opened;
    opened = undefined;
    const hasFailed = this.currentTest?.state === 'failed';
    try {
      if (hasFailed) await open?.screenshot(this.currentTest?.fullTitle() ?? '');
      else if (open) assert.deepEqual(await open.faults(), []);
      await open?.close?.();
    } finally {
      if (hasFailed || ownProcess) await closeTab();
    }
  });

  after('stop serving', async () => {
    await closeTab();
    await server?.stop();
  });

  return () => {
    if (!opened) throw new Error('The page is open only while a test runs.');
    return opened;
  };
}

async function openTab(viewport: ViewportSize, theme: ThemeName, script?: string): Promise<Page> {
  const browser = await (await loadHost()).sharedBrowser();
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(ACTION_LIMIT_MS);
  await playHost(context, theme);
  if (script !== undefined) await context.addInitScript(script);
  return context.newPage();
}

/** Takes from a tab all that a test may have left in it but its process, which costs most of opening one. */
async function resetTab(tab: Page, origin: string, viewport: ViewportSize): Promise<void> {
  // A page that is left writes into its storages, so they are emptied after that.
  await tab.goto(`${origin}/blank`);
  await tab.evaluate('sessionStorage.clear(); localStorage.clear();');
  await tab.mouse.move(-1, -1);
  await tab.setViewportSize(viewport);
  await tab.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null });
}
