import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { atExit } from './cleanup.mjs';
import { hostNode, serverMain } from './paths.mjs';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;

/**
 * Installs a packaged extension into the folders of a server.
 * @param {string} vsix
 * @param {string[]} folders
 */
export async function installVsix(vsix, folders) {
  await runServer([...folders, '--install-extension', vsix], `install ${vsix}`);
}

/** @param {string} id @param {string[]} folders */
export async function uninstall(id, folders) {
  await runServer([...folders, '--uninstall-extension', id], `uninstall ${id}`);
}

/** @param {string[]} args @param {string} what */
async function runServer(args, what) {
  try {
    await promisify(execFile)(hostNode, [serverMain, '--accept-server-license-terms', ...args], {
      env: environment(),
    });
  } catch (error) {
    throw new Error(`VS Code refused to ${what}:\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/**
 * Starts the server on a free port.
 * @param {object} options
 * @param {string[]} options.folders the arguments that say where it keeps what
 * @param {string} options.logFile
 * @param {Record<string, string>} options.env
 * @param {boolean} [options.development]
 * @param {boolean} [options.workspaceTrust] whether it asks if the folder is trusted
 */
export async function startProcess({ folders, logFile, env, development, workspaceTrust }) {
  const args = [
    // The extension hosts get these as well: with the room for new objects that V8 begins with, much is collected.
    ...['--min-semi-space-size=16', '--max-semi-space-size=32'],
    serverMain,
    ...['--host', '127.0.0.1', '--port', '0'],
    ...['--without-connection-token', '--accept-server-license-terms'],
    '--disable-telemetry',
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
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

  const log = createWriteStream(logFile, { flags: 'a' });
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
    async extensionHostsEnded() {
      const deadline = Date.now() + STOP_LIMIT_MS;
      while ((await extensionHostsOf(child.pid)) > 0) {
        if (Date.now() > deadline) return false;
        await delay(25);
      }
      return true;
    },
    async stop() {
      signalGroup(child.pid, 'SIGTERM');
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

/**
 * How many extension hosts are children of a server.
 * @param {number | undefined} server
 */
async function extensionHostsOf(server) {
  // To look through all processes again and again would take a good part of a core.
  const children = await readOfProcess(`/proc/${server}/task/${server}/children`);
  const commands = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((pid) => readOfProcess(`/proc/${pid}/cmdline`)),
  );
  return commands.filter((command) => command.includes('--type=extensionHost')).length;
}

/**
 * What the system tells of a process; nothing once it has ended.
 * @param {string} file
 */
function readOfProcess(file) {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  });
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
