import { closeBrowser, sharedBrowser } from './browser.mjs';
import { printLog } from './log.mjs';
import { startServer, withoutMotion } from './server.mjs';
import { workbenchUrl } from './workbench-url.mjs';

/**
 * Runs a test module in a real extension host and gives its exit code.
 * @param {object} options
 * @param {string[]} options.development the extensions, the tested one first
 * @param {string} options.tests the module whose `run` is called
 * @param {string} [options.folder] the folder to open
 * @param {number} options.limitMs
 * @returns {Promise<number>}
 */
export async function runExtensionTests({ development, tests, folder, limitMs }) {
  // The workbench in a browser runs one extension under development; the others are installed.
  const [tested, ...linked] = development;
  const server = await startServer({ development: true, linked, settings: withoutMotion });
  try {
    const browser = await sharedBrowser();
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    const ended = new Promise((resolve, reject) => {
      page.on('crash', () => reject(new Error('The workbench crashed.')));
      setTimeout(
        () => reject(new Error(`The tests gave no result within ${limitMs / 1000} s.`)),
        limitMs,
      ).unref();
      void page.exposeFunction('codeAutomationLog', printLog);
      void page.exposeFunction('codeAutomationExit', resolve);
    });
    await page.goto(workbenchUrl(server.origin, { folder, development: tested, tests }));
    return await ended;
  } finally {
    await closeBrowser();
    await server.stop();
  }
}
