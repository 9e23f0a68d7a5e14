import { closeBrowser, sharedBrowser } from '../host/browser.mjs';

const LIMIT_MS = 60_000;

/**
 * Looks at the started VS Code as a user would: is Offshoot in its activity bar, and does its view open?
 * @param {string} url
 */
export async function smoke(url) {
  try {
    const browser = await sharedBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(url);
    await page.locator('.activitybar a.action-label[aria-label^="Offshoot"]').click();
    await page.frameLocator('iframe.webview.ready').locator('iframe#active-frame').waitFor();
  } finally {
    await closeBrowser();
  }
}
