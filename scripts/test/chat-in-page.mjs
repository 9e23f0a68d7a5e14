import { closeBrowser, sharedBrowser } from '../host/browser.mjs';

/**
 * Opens the chat in a workbench as a user does, asks the demo, and loads the window again.
 * @param {string} address
 * @returns {Promise<import('./page-tests.mjs').TestResult>}
 */
export async function chatInPage(address) {
  const title = 'the chat in the window answers, and is there when it is loaded again';
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    const item = page.locator('.activitybar a.action-label[aria-label^="Offshoot"]');
    const chat = page
      .locator('iframe.webview.ready[src*="extensionId=offshoot.offshoot"]:visible')
      .last()
      .contentFrame()
      .frameLocator('iframe#active-frame');
    const answered = chat.locator('.message.assistant').first();
    await page.goto(address);
    await item.click({ timeout: 60_000 });
    await chat.locator('.composer textarea').fill('hello');
    await chat.locator('.composer textarea').press('Enter');
    await answered.waitFor();
    await chat.locator('.status.streaming').waitFor({ state: 'detached' });
    const said = await answered.innerText();
    await page.reload();
    await answered.filter({ hasText: said.split('\n').at(-1) ?? said }).waitFor({ timeout: 60_000 });
    return { title, state: 'passed' };
  } catch (error) {
    return { title, state: 'failed', error: error.message };
  } finally {
    await closeBrowser();
  }
}
