import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { withStandIns } from './bundle-browser-tests.mjs';
import { portableTests } from './portable-tests.mjs';

const folder = 'test/integration';

/** The one script with the integration tests for a browser, below the root. */
export const integrationBundle = 'out/test/integration-in-browser.js';

/** @type {import('esbuild').Plugin} */
const remoteModelServers = {
  name: 'remote-model-servers',
  setup: ({ onResolve }) =>
    void onResolve({ filter: /\/fixtures\/openaiServer\.ts$/ }, () => ({
      path: path.join(root, folder, 'browser', 'remoteOpenAiServer.ts'),
    })),
};

/**
 * Mocha's own bundle would take what this one exports for its place: without a module it is a name of all.
 * @type {import('esbuild').Plugin}
 */
const mochaForAll = {
  name: 'mocha-for-all',
  setup: ({ onLoad }) =>
    void onLoad({ filter: /node_modules\/mocha\/mocha\.js$/ }, async ({ path: file }) => ({
      contents: `(() => { let module, exports, define; ${await readFile(file, 'utf8')}\n})();`,
    })),
};

/**
 * Bundles the integration tests that run in a browser for VS Code's worker there, which takes one file in CommonJS. A
 * module of Node in one of them makes this fail.
 * @param {object} options
 * @param {string} options.servers where the model servers are asked for
 * @param {string} options.grep which tests are run; empty for all
 */
export async function bundleIntegrationTests({ servers, grep }) {
  const tests = (await portableTests(path.join(root, folder))).map((file) => `import './${folder}/${file}';`);
  await build({
    stdin: {
      contents: [`export { run } from './${folder}/browser/runInBrowser.ts';`, ...tests].join('\n'),
      resolveDir: root,
    },
    outfile: path.join(root, integrationBundle),
    bundle: true,
    platform: 'browser',
    format: 'cjs',
    target: 'chrome132',
    sourcemap: 'inline',
    logLevel: 'warning',
    external: ['vscode'],
    alias: {
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      'opening-script': './test/fixtures/noOpening.ts',
    },
    define: {
      'process.env.NODE_ENV': '"development"',
      'process.env.NODE_DEBUG': 'undefined',
      'process.stderr': 'undefined',
      'process.env': '{}',
      global: 'globalThis',
      OFFSHOOT_MODEL_SERVERS: JSON.stringify(servers),
      OFFSHOOT_GREP: JSON.stringify(grep),
    },
    plugins: [mochaForAll, remoteModelServers, withStandIns('stores.ts')],
  });
}
