import { chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';

/** Quiet and without a sandbox, which neither a container nor root can have. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let browser;

/** The headless browser of this process, started when first asked for. Pages are kept apart by contexts. */
export function sharedBrowser() {
  browser ??= launch();
  return browser;
}

/** Ends the browser, if one was started. */
export async function closeBrowser() {
  const open = browser;
  browser = undefined;
  await (await open)?.close();
}

/**
 * A headless browser that keeps what sites store in a folder, as a user's own does. The caller closes it.
 * @param {string} profile the folder
 */
export async function launchWithProfile(profile) {
  const { executablePath, env } = await findChromium();
  const options = { executablePath, env: { ...process.env, ...env }, headless: true, args };
  return chromium.launchPersistentContext(profile, options);
}

async function launch() {
  const { executablePath, env } = await findChromium();
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, headless: true, args });
}
