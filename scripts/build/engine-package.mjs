import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { copyTypes } from './engine-types.mjs';
import { licensesOf } from './licenses.mjs';

/** The engine as a package: `npm pack` in this folder makes a file of it that can be installed anywhere. */
export const enginePackage = path.join(root, 'dist', 'engine');

/** The entries except `snapshotWorker`, which is no module to import. */
const entries = ['index', 'browser', 'postgres'];

/**
 * Completes the bundles in `dist/engine` to a package.
 * @param {readonly string[]} bundled the folders of the packages in the bundles
 */
export async function completeEnginePackage(bundled) {
  const within = (/** @type {string} */ file) => path.join(enginePackage, file);
  await copyTypes(
    entries.map((entry) => path.join('sdk', `${entry}.d.ts`)),
    within('types'),
  );
  for (const entry of entries) {
    await writeFile(within(`${entry}.d.mts`), `export * from './types/sdk/${entry}.js';\n`);
  }
  await copyFile(path.join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'), within('sql-wasm.wasm'));
  await copyFile(path.join(root, 'LICENSE'), within('LICENSE'));
  await copyFile(path.join(root, 'src', 'sdk', 'README.md'), within('README.md'));
  await writeFile(within('THIRD-PARTY-LICENSES.txt'), await licensesOf(bundled));
  await writeFile(within('package.json'), `${JSON.stringify(await manifest(), undefined, 2)}\n`);
}

async function manifest() {
  const extension = await readJson('package.json');
  return {
    name: 'offshoot-engine',
    version: extension.version,
    description:
      'AI conversations as a tree: branches, checkpoints, rewind, state and artifacts, in an SQLite file or in memory.',
    keywords: ['ai', 'chat', 'context', 'conversation', 'branches', 'checkpoint', 'rewind', 'sqlite'],
    license: extension.license,
    type: 'module',
    main: './index.mjs',
    types: './index.d.mts',
    exports: {
      '.': {
        browser: { types: './browser.d.mts', default: './browser.mjs' },
        default: { types: './index.d.mts', default: './index.mjs' },
      },
      './postgres': { types: './postgres.d.mts', default: './postgres.mjs' },
      './browser': { types: './browser.d.mts', default: './browser.mjs' },
      './sql-wasm.wasm': './sql-wasm.wasm',
      './package.json': './package.json',
    },
    // The worker is started by its address and does its work as it loads.
    sideEffects: ['./snapshotWorker.mjs'],
    engines: { node: '>=20.11' },
    // Exact, because its other half, sql-wasm.wasm, is in this package.
    dependencies: { 'sql.js': extension.devDependencies['sql.js'] },
    // For conversations in a PostgreSQL database alone.
    peerDependencies: { pg: '^8.11.0' },
    peerDependenciesMeta: { pg: { optional: true } },
  };
}

/**
 * @param {string} file
 * @returns {Promise<any>}
 */
async function readJson(file) {
  return JSON.parse(await readFile(path.join(root, file), 'utf8'));
}
