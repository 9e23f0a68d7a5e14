// Builds everything that ships (dist/) and, with --tests, everything the tests run (out/).
//   node esbuild.mjs [--watch] [--production] [--no-types] [--tests]
import { context } from 'esbuild';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { postgresClientApart, tokenizer, tokenizerApart } from './scripts/build/apart.mjs';
import { commonJsChunks } from './scripts/build/common-js-chunks.mjs';
import { completeEnginePackage, enginePackage } from './scripts/build/engine-package.mjs';
import { fetchedParts } from './scripts/build/fetched-parts.mjs';
import {
  newestFontsOnly,
  noClouds,
  noElicitation,
  noGatewayTokens,
  noSchemasFromJson,
  noSharedStore,
  oneLanguage,
} from './scripts/build/left-out.mjs';
import { licensesOf, packagesIn } from './scripts/build/licenses.mjs';
import { notices } from './scripts/build/notices.mjs';
import { findOpening, findPageParts, knowOpening, knowPageParts } from './scripts/build/page-parts.mjs';
import { pageTexts } from './scripts/build/page-texts.mjs';
import { vscodeByName } from './scripts/build/vscode-by-name.mjs';
import { bundleBrowserTests } from './scripts/test/bundle-browser-tests.mjs';
import { bundleStorageTests } from './scripts/test/bundle-storage-tests.mjs';
import { bundleTests } from './scripts/test/bundle-tests.mjs';
import { nativeCompiler } from './scripts/test/types.mjs';

/** @type {{ version: string }} */
const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const flags = new Set(process.argv.slice(2));
const watch = flags.has('--watch');
const production = flags.has('--production');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  sourcemap: production ? false : 'linked',
  minify: production,
  logLevel: 'warning',
  metafile: true,
  loader: { '.sql': 'text' },
  define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
};

/** sql.js looks at these when it starts; they exist in Node only, where they are resolved at run time. */
const nodeBuiltins = ['fs', 'path', 'crypto', 'node:*'];

/** @type {import('esbuild').BuildOptions} */
const nodeModule = {
  ...shared,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: nodeBuiltins,
  // sql.js is CommonJS and asks for these two when it starts; an ES module has to be given them.
  banner: {
    js: [
      "import { createRequire as __createRequire } from 'node:module';",
      'const require = __createRequire(import.meta.url);',
      'const __dirname = import.meta.dirname;',
    ].join(' '),
  },
};

/** @type {import('esbuild').BuildOptions} */
const tokenizerAlone = {
  ...shared,
  stdin: { contents: `export { countTokens } from '${tokenizer}';`, resolveDir: '.' },
  target: 'es2022',
  sourcemap: false,
  minify: true,
};

/** @type {Record<string, import('esbuild').BuildOptions>} */
const targets = {
  extension: {
    ...shared,
    entryPoints: { extension: 'src/extension/extension.ts' },
    outdir: 'dist',
    platform: 'node',
    // Activation has to be fast: what it does not need is in files of its own.
    format: 'esm',
    splitting: true,
    chunkNames: 'extension-[hash]',
    write: false,
    sourcemap: production ? false : 'inline',
    target: 'node22',
    // Its entry for Node is made so that it cannot be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    plugins: [
      vscodeByName,
      knowOpening,
      tokenizerApart('cjs'),
      postgresClientApart,
      oneLanguage,
      noSchemasFromJson,
      noGatewayTokens,
      commonJsChunks({
        minify: production,
        atStart: [
          'node_modules/sql.js/dist/sql-wasm.js',
          'src/extension/pages/themeFile.ts',
          'src/host/node/socketChannels.ts',
          'src/protocol/chatFromPage.ts',
          'src/store/windows/severalWindows.ts',
        ],
      }),
    ],
  },
  // Three files: the worker of a browser knows no module but VS Code's, so that the first of them fetches the others.
  web: {
    ...shared,
    entryPoints: { extensionWeb: 'src/extension/extensionWeb.ts' },
    outdir: 'dist',
    platform: 'browser',
    format: 'esm',
    splitting: true,
    chunkNames: 'extensionWeb-[hash]',
    write: false,
    sourcemap: production ? false : 'inline',
    target: 'chrome132',
    external: ['vscode'],
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    plugins: [
      vscodeByName,
      knowOpening,
      tokenizerApart('cjs'),
      oneLanguage,
      noSchemasFromJson,
      noGatewayTokens,
      noSharedStore,
      noClouds,
      fetchedParts({
        minify: production,
        runtime: 'src/extension/partsInBrowser.ts',
        atStart: [
          'node_modules/sql.js/dist/sql-wasm-browser.js',
          'src/extension/pages/themeFile.ts',
          'src/host/browser/broadcastChannels.ts',
          'src/protocol/chatFromPage.ts',
          'src/store/windows/severalWindows.ts',
        ],
      }),
    ],
  },
  engine: {
    ...nodeModule,
    entryPoints: ['src/sdk/index.ts'],
    outfile: 'dist/engine.mjs',
    plugins: [tokenizerApart('cjs'), oneLanguage, noSchemasFromJson],
  },
  // The extension and the engine both start it.
  snapshotWorker: {
    ...nodeModule,
    entryPoints: ['src/sdk/snapshotWorkerEntry.ts'],
    outfile: 'dist/snapshotWorker.mjs',
    plugins: [oneLanguage, noSchemasFromJson],
  },
  // One file, which MCP clients start by way of a launcher that outlives it.
  mcp: {
    ...nodeModule,
    entryPoints: ['src/mcp/main.ts'],
    outfile: 'dist/mcp.mjs',
    // By one name: modules that are loaded on demand use it as well, and esbuild begins it for one name only.
    alias: { 'zod/v4': 'zod' },
    define: { ...shared.define, OFFSHOOT_VERSION: JSON.stringify(version) },
    plugins: [postgresClientApart, oneLanguage, noSchemasFromJson, noElicitation],
  },
  // The engine for other programs: `sql.js` stays a package of its own, and what the entries share is one file.
  enginePackage: {
    ...shared,
    entryPoints: {
      index: 'src/sdk/index.ts',
      browser: 'src/sdk/browser.ts',
      postgres: 'src/sdk/postgres.ts',
      snapshotWorker: 'src/sdk/snapshotWorkerEntry.ts',
    },
    outdir: enginePackage,
    outExtension: { '.js': '.mjs' },
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    splitting: true,
    chunkNames: 'shared-[hash]',
    target: 'es2023',
    // It is read and debugged by those who install it, and they make it small themselves.
    minify: false,
    sourcemap: false,
    external: ['sql.js', 'pg', ...nodeBuiltins],
    plugins: [tokenizerApart('mjs'), oneLanguage, noSchemasFromJson],
  },
  postgresClient: {
    ...nodeModule,
    stdin: { contents: "export { default } from 'pg';", resolveDir: '.' },
    outfile: 'dist/pg.mjs',
    // Other ways to reach a server, which are not there.
    external: [...nodeBuiltins, 'pg-native', 'cloudflare:sockets'],
    sourcemap: false,
  },
  tokenizer: {
    ...tokenizerAlone,
    outfile: 'dist/tokenizer.cjs',
    // Node is to find its names where a module imports it.
    platform: 'node',
    format: 'cjs',
  },
  opening: {
    ...shared,
    entryPoints: ['src/webview/opening.ts'],
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'esm',
    target: 'chrome132',
    // Activation loads it with the document.
    minify: true,
    sourcemap: false,
    write: false,
    plugins: [knowPageParts, findOpening],
  },
  enginePackageTokenizer: {
    ...tokenizerAlone,
    outfile: path.join(enginePackage, 'tokenizer.mjs'),
    format: 'esm',
  },
  webview: {
    ...shared,
    entryPoints: {
      main: 'src/webview/main.tsx',
      graph: 'src/webview/graph/main.tsx',
      maths: 'katex/dist/katex.css',
    },
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'esm',
    // Grammars and maths are files of their own, which the page loads when an answer has something for them.
    splitting: true,
    chunkNames: '[name]-[hash]',
    target: 'chrome132',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file', '.woff2': 'file' },
    assetNames: '[name]',
    plugins: [newestFontsOnly, oneLanguage, noSchemasFromJson, pageTexts, findPageParts],
  },
};

/** The wasm file is next to the bundles, so that each finds it relative to its own address. */
async function copyAssets() {
  await mkdir('dist', { recursive: true });
  await copyFile('node_modules/sql.js/dist/sql-wasm.wasm', 'dist/sql-wasm.wasm');
}

/** The types of dist/engine.mjs: one declaration for each source, and an entry that leads to them. */
async function declareEngine() {
  const project = ['-p', 'src/sdk/tsconfig.json', '--checkers', '1'];
  await promisify(execFile)(process.execPath, [nativeCompiler, ...project]);
  await writeFile('dist/engine.d.mts', "export * from './types/sdk/index.js';\n");
}

if (flags.has('--tests')) {
  await bundleTests(shared);
  await bundleBrowserTests();
  await bundleStorageTests();
} else {
  // Files are named by what is in them, so that those of an earlier build would stay.
  await rm('dist', { recursive: true, force: true });
  await copyAssets();
  const contexts = await Promise.all(Object.values(targets).map((options) => context(options)));
  const results = await Promise.all(contexts.map((each) => each.rebuild()));
  if (watch) {
    await Promise.all(contexts.map((each) => each.watch()));
    console.log('watching for changes');
  } else {
    await writeFile(notices, await licensesOf(packagesIn(results)));
    if (!flags.has('--no-types')) {
      await declareEngine();
      const bundled = ['enginePackage', 'enginePackageTokenizer'].map(
        (name) => results[Object.keys(targets).indexOf(name)],
      );
      await completeEnginePackage(packagesIn(bundled));
    }
    await Promise.all(contexts.map((each) => each.dispose()));
  }
}
