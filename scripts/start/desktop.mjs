import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { findOnPath } from './findDesktop.mjs';

/** Whether windows can be shown here. */
export const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

/** @type {import('./findDesktop.mjs').Machine} */
export const thisMachine = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  isExecutable(file) {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
};

/**
 * Opens a folder in a new window of a desktop VS Code, with the extension run from its sources.
 * @param {readonly string[]} desktop its command, and arguments of its own
 * @param {string} extension
 * @param {string} folder
 */
export async function openDesktop([code = '', ...own], extension, folder) {
  const isScript = code.endsWith('.cmd');
  const args = [...own, '--new-window', `--extensionDevelopmentPath=${extension}`, folder];
  const quoted = (/** @type {string} */ word) => (isScript ? `"${word}"` : word);
  const child = spawn(quoted(code), args.map(quoted), { stdio: 'inherit', shell: isScript });
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exitCode !== 0) {
    throw new Error(
      `'${code}' ended with ${exitCode}. On Linux x64, \`npm start -- --server\` needs no desktop VS Code.`,
    );
  }
}

/**
 * Shows an address in the user's browser, where that can be done.
 * @param {string} url
 */
export function openBrowser(url) {
  const opener = findOnPath('xdg-open', thisMachine);
  if (!opener || !hasDisplay) return;
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => console.log('No browser could be opened; open the address yourself.'));
  child.unref();
}
