import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
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
  afterInstall,
}: Pick<Driver, 'program' | 'name' | 'packages' | 'afterInstall'>): Promise<string> {
  const folder = path.resolve(cache, `${program}-${packages[0]?.version ?? ''}`);
  // Its command is there before its native part is: an installation may have been cut.
  const done = path.join(folder, 'installed');
  if (existsSync(done)) return folder;
  console.log(`Installing ${name}…`);
  await mkdir(folder, { recursive: true });
  const names = packages.map((each) => `${each.name}@${each.version}`);
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...names];
  await promisify(execFile)('npm', args, { cwd: folder });
  if (afterInstall !== undefined) {
    const script = path.join(folder, 'node_modules', afterInstall);
    await promisify(execFile)(process.execPath, [script], { cwd: path.dirname(script) });
  }
  await writeFile(done, '');
  return folder;
}
