import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Driver } from './driver.ts';

const cache = path.join('.vscode-test', 'real-sessions');

/**
 * Installs a program at its version, from npm, without the scripts of its packages, unless it is there.
 * @returns its folder
 */
export async function installed({
  program,
  name,
  packages,
  command,
  afterInstall,
}: Pick<Driver, 'program' | 'name' | 'packages' | 'command' | 'afterInstall'>): Promise<string> {
  const folder = path.resolve(cache, `${program}-${packages[0]?.version ?? ''}`);
  if (existsSync(path.join(folder, 'node_modules', '.bin', command))) return folder;
  console.log(`Installing ${name}…`);
  await mkdir(folder, { recursive: true });
  const names = packages.map((each) => `${each.name}@${each.version}`);
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...names];
  await promisify(execFile)('npm', args, { cwd: folder });
  if (afterInstall !== undefined) {
    const script = path.join(folder, 'node_modules', afterInstall);
    await promisify(execFile)(process.execPath, [script], { cwd: path.dirname(script) });
  }
  return folder;
}
