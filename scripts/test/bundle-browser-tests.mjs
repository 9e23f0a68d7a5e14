import { build } from 'esbuild';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../host/paths.mjs';

/** Where the page stands that runs the tests of engine and store in a browser. */
export const browserTests = path.join(root, 'out', 'test', 'browser');

/**
 * What the browser has in place of what the tests take in Node.
 * @param {string} stores the file with the stores
 * @returns {import('esbuild').Plugin}
 */
export function withStandIns(stores) {
  const standIns = [
    { filter: /\/wasm\.ts$/, file: 'wasm.ts' },
    { filter: /\/fixtures\/stores\.ts$/, file: stores },
    { filter: /^node:assert\/strict$/, file: 'assert.ts' },
    { filter: /^node:timers\/promises$/, file: 'timers.ts' },
    { filter: /^fast-xml-validator$/, file: 'xmlValidator.ts' },
  ];
  return {
    name: 'stand-ins',
    setup({ onResolve }) {
      for (const { filter, file } of standIns) {
        onResolve({ filter }, () => ({ path: path.join(root, 'test', 'browser', file) }));
      }
    },
  };
}

/**
 * Bundles every test of engine and store with all they import into one script for a page. A module of Node anywhere in
 * it makes this fail, and that is half of what it is for.
 */
export async function bundleBrowserTests() {
  const folders = ['test/unit/engine', 'test/unit/store'];
  const files = [];
  for (const folder of folders) {
    for (const file of await readdir(path.join(root, folder))) {
      if (file.endsWith('.test.ts')) files.push(`./${folder}/${file}`);
    }
  }
  await mkdir(browserTests, { recursive: true });
  await build({
    stdin: { contents: files.map((file) => `import '${file}';`).join('\n'), resolveDir: root },
    outfile: path.join(browserTests, 'suite.js'),
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'chrome132',
    sourcemap: 'inline',
    logLevel: 'warning',
    define: {
      'process.env.NODE_ENV': '"development"',
      'process.env.NODE_DEBUG': 'undefined',
      'process.env.OFFSHOOT_FUZZ': 'undefined',
      global: 'globalThis',
    },
    plugins: [withStandIns('stores.ts')],
  });
  await copyFile(path.join(root, 'node_modules/mocha/mocha.js'), path.join(browserTests, 'mocha.js'));
  await copyFile(
    path.join(root, 'node_modules/sql.js/dist/sql-wasm.wasm'),
    path.join(browserTests, 'sql-wasm.wasm'),
  );
}
