import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Whether windows can be shown here. */
export const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

/**
 * Where a command is on PATH.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findOnPath(name) {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((file) => path.join(folder, file)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/**
 * Opens a folder in a new window of the desktop's VS Code, with the extension run from its sources.
 * @param {string} code
 * @param {string} extension
 * @param {string} folder
 */
export async function openDesktop(code, extension, folder) {
  const isScript = code.endsWith('.cmd');
  const args = ['--new-window', `--extensionDevelopmentPath=${extension}`, folder];
  const quoted = (/** @type {string} */ word) => (isScript ? `"${word}"` : word);
  const child = spawn(quoted(code), args.map(quoted), { stdio: 'inherit', shell: isScript });
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exitCode !== 0) {
    throw new Error(`'${code}' ended with ${exitCode}. \`npm start -- --server\` needs no desktop VS Code.`);
  }
}

/**
 * Shows an address in the person's browser, where that can be done.
 * @param {string} url
 */
export function openBrowser(url) {
  const opener = findOnPath('xdg-open');
  if (!opener || !hasDisplay) return;
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => console.log('No browser could be opened; open the address yourself.'));
  child.unref();
}
