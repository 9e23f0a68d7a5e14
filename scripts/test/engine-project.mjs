import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { enginePackage } from '../build/engine-package.mjs';
import { root } from '../host/paths.mjs';

/**
 * Packs the engine, as for publishing, and installs the file into an empty project. Nothing is asked of the network:
 * its one dependency is linked from here, and npm checks that it is the version the package wants.
 * @param {string} folder empty
 * @returns {Promise<{ filename: string, files: string[] }>} the packed file and what is in it
 */
export async function installEngine(folder) {
  const packed = await npm(folder, ['pack', enginePackage, '--json', '--ignore-scripts']);
  const [{ filename, files }] = JSON.parse(packed);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const sqlJs = path.join(root, 'node_modules', 'sql.js');
  await npm(folder, ['install', '--offline', '--ignore-scripts', `./${filename}`, sqlJs]);
  return { filename, files: files.map((/** @type {{ path: string }} */ file) => file.path) };
}

/** The programs in the package's README, as they stand there. */
export async function readmePrograms() {
  const readme = await readFile(path.join(enginePackage, 'README.md'), 'utf8');
  return Array.from(readme.matchAll(/^```js\n([\s\S]*?)^```$/gm), ([, source = '']) => ({
    source,
    printed: Array.from(source.matchAll(/^.*console\.log\(.*\); \/\/ (.*)$/gm), ([, line = '']) => line),
  }));
}

/**
 * @param {string} cwd
 * @param {string[]} args
 */
async function npm(cwd, args) {
  // What npm tells the scripts it runs is about this project, not about the one in `cwd`.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const { stdout } = await promisify(execFile)('npm', [...args, ...quiet], { cwd, env });
  return stdout;
}
