import { execFile, spawn } from 'node:child_process';
import { createWriteStream, existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { atExit } from './cleanup.mjs';
import { openFrontDoor } from './front-door.mjs';
import { installHost } from './install.mjs';
import { hostNode, serverMain } from './paths.mjs';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

/** A quiet workbench: nothing but the extension asks for attention. */
const quietSettings = {
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * @typedef {object} ServerOptions
 * @property {string} [dataDir] kept afterwards; without it a temporary folder is made and deleted at the end
 * @property {number} [port] a free one unless given
 * @property {Record<string, string>} [env] for the server and so for the extension host
 * @property {Record<string, unknown>} [settings] the user's settings on top of the quiet ones, for a new data folder
 * @property {string} [vsix] an extension to install
 * @property {boolean} [development] let the page name an extension under development; hides notification toasts
 *
 * @typedef {object} Server
 * @property {string} origin
 * @property {string} dataDir
 * @property {string} machineSettings the file of settings that go before the user's; the workbench notices its
 *   changes, unlike those of the user's file, which it takes for its own
 * @property {(how?: { crash?: boolean }) => Promise<void>} restart ends VS Code's server, by a kill if it is to
 *   crash, and starts it anew behind the same origin
 * @property {() => Promise<void>} stop
 */

/**
 * Starts VS Code's server, installing it first where needed.
 * @param {ServerOptions} [options]
 * @returns {Promise<Server>}
 */
export async function startServer(options = {}) {
  await installHost();
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'offshoot-vscode-')));
  const forget = options.dataDir ? () => {} : atExit(() => rmSync(dataDir, { recursive: true, force: true }));
  const userSettings = path.join(dataDir, 'data', 'User', 'settings.json');
  const machineSettings = path.join(dataDir, 'data', 'Machine', 'settings.json');
  await writeNew(userSettings, { ...quietSettings, ...options.settings });
  await writeNew(machineSettings, {});
  const folders = [
    ...['--server-data-dir', dataDir],
    ...['--user-data-dir', path.join(dataDir, 'data')],
    ...['--extensions-dir', path.join(dataDir, 'extensions')],
  ];
  if (options.vsix) await installVsix(options.vsix, folders);

  const door = await openFrontDoor({ port: options.port, keyFile: path.join(dataDir, 'mint-key') });
  const start = async () => {
    const process = await startProcess(folders, dataDir, options);
    door.leadTo(process.port);
    return process;
  };
  let running = await start();

  return {
    origin: `http://127.0.0.1:${door.port}`,
    dataDir,
    machineSettings,
    async restart({ crash = false } = {}) {
      door.leadTo(undefined);
      await running.stop(crash ? 'SIGKILL' : 'SIGTERM');
      running = await start();
    },
    async stop() {
      await door.close();
      await running.stop();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
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

/**
 * @param {string} vsix
 * @param {string[]} folders
 */
async function installVsix(vsix, folders) {
  const args = [serverMain, '--accept-server-license-terms', ...folders, '--install-extension', vsix];
  try {
    await promisify(execFile)(hostNode, args, { env: environment() });
  } catch (error) {
    throw new Error(`VS Code refused to install ${vsix}:\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/**
 * @param {string[]} folders
 * @param {string} dataDir
 * @param {ServerOptions} options
 */
async function startProcess(folders, dataDir, { env, development }) {
  const args = [
    serverMain,
    ...['--host', '127.0.0.1', '--port', '0'],
    ...['--without-connection-token', '--accept-server-license-terms'],
    ...['--disable-telemetry', '--disable-workspace-trust'],
    ...(development ? ['--enable-smoke-test-driver'] : []),
    ...folders,
  ];
  // A process group of its own, so that the extension host ends with it.
  const child = spawn(hostNode, args, {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const forget = atExit(() => signalGroup(child.pid, 'SIGKILL'));
  const exited = new Promise((resolve) => child.once('close', resolve));

  const log = createWriteStream(path.join(dataDir, 'server.log'), { flags: 'a' });
  const port = await new Promise((resolve, reject) => {
    let output = '';
    const fail = (/** @type {string} */ why) => reject(new Error(`VS Code's server ${why}.\n${output}`));
    const timer = setTimeout(() => {
      signalGroup(child.pid, 'SIGKILL');
      fail(`did not start within ${START_LIMIT_MS / 1000} s`);
    }, START_LIMIT_MS);
    const read = (/** @type {Buffer} */ chunk) => {
      log.write(chunk);
      output += chunk;
      const listening = /Extension host agent listening on (\d+)/.exec(output);
      if (listening) {
        clearTimeout(timer);
        resolve(Number(listening[1]));
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => fail(`could not be run: ${error.message}`));
    void exited.then((code) => fail(`ended with ${code}`));
  });

  return {
    /** @type {number} */
    port,
    /** @param {NodeJS.Signals} [signal] */
    async stop(signal = 'SIGTERM') {
      signalGroup(child.pid, signal);
      const timer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), STOP_LIMIT_MS);
      await exited;
      clearTimeout(timer);
      // Whatever of the group outlived its server.
      signalGroup(child.pid, 'SIGKILL');
      forget();
      await new Promise((resolve) => log.end(resolve));
    },
  };
}

/** @param {Record<string, string>} [env] */
function environment(env) {
  // No gallery: the workbench would keep asking for one and fill its log.
  return { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...env };
}

/**
 * @param {number | undefined} pid
 * @param {NodeJS.Signals} signal
 */
function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
