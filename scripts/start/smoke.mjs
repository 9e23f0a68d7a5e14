import { closeBrowser, sharedBrowser } from '../host/browser.mjs';

const LIMIT_MS = 60_000;

/**
 * Looks at the started VS Code as a user would: is Offshoot in its activity bar, and is the chat open?
 * @param {string} url
 * @param {{ picture?: string, status?: string }} [options] where to keep a picture of it, and what the status bar says
 */
export async function smoke(url, { picture = process.env.OFFSHOOT_SMOKE_PICTURE, status } = {}) {
  try {
    const browser = await sharedBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(url);
    await page.locator('.activitybar a.action-label[aria-label^="Offshoot"]').waitFor();
    const chat = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await chat.getByRole('textbox', { name: 'Message' }).waitFor();
    if (status) await page.locator('.statusbar-item', { hasText: status }).waitFor();
    if (picture) await page.screenshot({ path: picture });
  } finally {
    await closeBrowser();
  }
}
