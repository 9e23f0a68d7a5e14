import { closeBrowser, sharedBrowser } from '../host/browser.mjs';

const limitMs = 900_000;

/**
 * Opens a workbench that runs tests in its extension host, until they have ended.
 * @param {string} address
 * @param {Promise<import('./page-tests.mjs').TestResult[]>} results
 * @returns {Promise<{ tests: import('./page-tests.mjs').TestResult[], faults: string[] }>}
 */
export async function runInPage(address, results) {
  const context = await (
    await sharedBrowser()
  ).newContext({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] });
  try {
    const page = await context.newPage();
    /** @type {string[]} */
    const said = [];
    page.on('console', (message) => {
      if (message.type() === 'error') said.push(message.text());
    });
    const stopped = new Promise((_resolve, reject) => {
      const stop = (/** @type {string} */ why) => reject(new Error([why, ...said].join('\n')));
      page.on('crash', () => stop('The workbench crashed.'));
      setTimeout(() => stop(`The tests gave no result within ${limitMs / 1000} s.`), limitMs).unref();
      // They tell how they went before VS Code does, unless they could not be run at all.
      void page.exposeFunction('codeAutomationExit', () => stop('The tests ended without a result.'));
    });
    await page.goto(address);
    return { tests: await Promise.race([results, stopped]), faults: [] };
  } catch (error) {
    return { tests: [], faults: [error.message] };
  } finally {
    await closeBrowser();
  }
}
