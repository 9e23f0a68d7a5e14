import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atExit } from './cleanup.mjs';
import { openFrontDoor } from './front-door.mjs';
import { installHost } from './install.mjs';
import { linkExtensions } from './link-extensions.mjs';
import { installVsix, startProcess, uninstall } from './server-process.mjs';

/** A quiet workbench: nothing but the extension asks for attention. */
export const quietSettings = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** An animation is drawn again and again, next to other tests. */
export const withoutMotion = { 'workbench.reduceMotion': 'on', 'editor.cursorBlinking': 'solid' };

/**
 * @typedef {object} ServerOptions
 * @property {string} [dataDir] kept afterwards; without it a temporary folder is made and deleted at the end
 * @property {number} [port] a free one unless given
 * @property {Record<string, string>} [env] for the server and so for the extension host
 * @property {Record<string, unknown>} [settings] the user's settings on top of the quiet ones, for a new data folder
 * @property {string} [vsix] an extension to install
 * @property {string[]} [linked] folders of further extensions, which are there as if installed
 * @property {boolean} [workspaceTrust] folders are not trusted before the user says so; needs the setting too
 * @property {boolean} [development] let the page name an extension under development; hides notification toasts
 *
 * @typedef {object} Server
 * @property {string} origin
 * @property {string} dataDir
 * @property {string} userSettings the file of the user's settings, which a workbench reads when it opens
 * @property {string} machineSettings the file of settings that go before the user's; the workbench notices its
 *   changes, unlike those of the user's file, which it takes for its own
 * @property {(how?: { whileStopped?: () => Promise<void> }) => Promise<void>} restart ends VS Code's server, and starts it
 *   again behind the same origin
 * @property {() => Promise<boolean>} extensionHostsEnded waits for the extension hosts of pages that were left; false when they
 *   did not end
 * @property {() => Promise<void>} stop
 */

/** The arguments that say where the server keeps what. @param {string} dataDir */
function foldersIn(dataDir) {
  return [
    ...['--server-data-dir', dataDir],
    ...['--user-data-dir', path.join(dataDir, 'data')],
    ...['--extensions-dir', path.join(dataDir, 'extensions')],
  ];
}

/**
 * Uninstalls an extension and installs it again, as a user does; the server must not run.
 * @param {string} dataDir
 * @param {{ id: string, vsix: string }} extension
 */
export async function reinstall(dataDir, { id, vsix }) {
  await uninstall(id, foldersIn(dataDir));
  await installVsix(vsix, foldersIn(dataDir));
}

/**
 * Starts VS Code's server, installing it first where needed.
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(options = {}) {
  await installHost();
  const temporary = await mkdtemp(path.join(tmpdir(), 'offshoot-vscode-'));
  const forget = atExit(() => rmSync(temporary, { recursive: true, force: true }));
  const dataDir = options.dataDir ?? path.join(temporary, 'data');
  const userSettings = path.join(dataDir, 'data', 'User', 'settings.json');
  const machineSettings = path.join(dataDir, 'data', 'Machine', 'settings.json');
  await writeNew(userSettings, { ...quietSettings, ...options.settings });
  await writeNew(machineSettings, {});
  const folders = foldersIn(dataDir);
  if (options.vsix) await installVsix(options.vsix, folders);
  if (options.linked) await linkExtensions(dataDir, options.linked);

  const door = await openFrontDoor({ port: options.port, keyFile: path.join(dataDir, 'mint-key') });
  const start = async () => {
    const process = await startProcess({
      folders,
      logFile: path.join(dataDir, 'server.log'),
      development: options.development,
      workspaceTrust: options.workspaceTrust,
      // VS Code leaves its sockets and caches in the system's folder for such things, which is given a new place.
      env: { TMPDIR: temporary, ...options.env },
    });
    door.leadTo(process.port);
    return process;
  };
  let running = await start().catch(async (error) => {
    await door.close();
    throw error;
  });

  return {
    origin: `http://127.0.0.1:${door.port}`,
    dataDir,
    userSettings,
    machineSettings,
    async restart({ whileStopped } = {}) {
      door.leadTo(undefined);
      await running.stop();
      await whileStopped?.();
      running = await start();
    },
    extensionHostsEnded: () => running.extensionHostsEnded(),
    async stop() {
      await door.close();
      await running.stop();
      await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
      forget();
    },
  };
}

/**
 * Writes a settings file unless there is one already, which then is the user's.
 * @param {string} file
 * @param {Record<string, unknown>} settings
 */
async function writeNew(file, settings) {
  await mkdir(path.dirname(file), { recursive: true });
  if (!existsSync(file)) await writeFile(file, JSON.stringify(settings, undefined, 2));
}
