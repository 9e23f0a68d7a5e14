import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { atExit } from './host/cleanup.mjs';
import { withLock } from './host/lock.mjs';
import { cacheDir, root } from './host/paths.mjs';
import { npmCommand } from './npm.mjs';

/** Runs `npm ci` unless what is installed is what package-lock.json asks for. */
export async function ensureDependencies() {
  if (await isUpToDate()) return;
  await withLock(
    path.join(cacheDir, 'dependencies.lock'),
    async () => {
      if (!(await isUpToDate())) await npmCi();
    },
    (pid) => console.log(`Waiting for process ${pid ?? '(unknown)'}, which is installing the dependencies…`),
  );
}

/** npm keeps a list of what it installed, written last, so an interrupted installation counts as none. */
async function isUpToDate() {
  const wanted = await packagesIn('package-lock.json');
  const installed = await packagesIn('node_modules/.package-lock.json').catch(() => nothing);
  return Object.entries(wanted).every(
    ([place, { version, optional }]) =>
      place === '' || installed[place]?.version === version || (optional && !installed[place]),
  );
}

/** @typedef {Record<string, { version: string, optional?: boolean }>} Packages */

/** @type {Packages} */
const nothing = {};

/**
 * @param {string} file
 * @returns {Promise<Packages>}
 */
async function packagesIn(file) {
  return JSON.parse(await readFile(path.join(root, file), 'utf8')).packages;
}

async function npmCi() {
  console.log('Installing the dependencies (npm ci)…');
  const { command, args, shell } = npmCommand(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  const child = spawn(command, args, {
    shell,
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const forget = atExit(() => child.kill());
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  forget();
  if (code !== 0) {
    throw new Error(`npm ci ended with ${code}. Check that npm can reach its registry, then run this again.`);
  }
}
