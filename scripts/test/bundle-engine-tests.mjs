import { build } from 'esbuild';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { browserTests } from './bundle-browser-tests.mjs';
import { installEngine, readmePrograms } from './engine-project.mjs';

/**
 * Bundles the tests of the packed engine for the page of the browser's tests, as a program would be that has the
 * package installed: with the entry for browsers, and SQLite copied next to the bundle.
 */
export async function bundleEngineTests() {
  const project = await mkdtemp(path.join(tmpdir(), 'offshoot-package-'));
  try {
    await installEngine(project);
    const [program] = (await readmePrograms()).filter(({ source }) =>
      source.includes('offshoot-engine/browser'),
    );
    if (!program) throw new Error("The engine's README has no program for browsers.");
    const readme = path.join(project, 'engine-readme.js');
    await writeFile(
      readme,
      `${program.source}\nexport const expected = ${JSON.stringify(program.printed)};\n`,
    );
    await build({
      entryPoints: [path.join(root, 'test', 'browser', 'enginePackage.ts'), readme],
      outdir: browserTests,
      entryNames: '[name]',
      chunkNames: 'engine-[hash]',
      bundle: true,
      splitting: true,
      platform: 'browser',
      format: 'esm',
      target: 'chrome132',
      logLevel: 'warning',
      define: {
        'process.env.NODE_ENV': '"development"',
        'process.env.NODE_DEBUG': 'undefined',
        global: 'globalThis',
      },
      // Where the package is for a test that stands elsewhere; its types there are those of the sources.
      nodePaths: [path.join(project, 'node_modules')],
      tsconfigRaw: {},
    });
    const wasm = path.join(project, 'node_modules', 'offshoot-engine', 'sql-wasm.wasm');
    await copyFile(wasm, path.join(browserTests, 'sql-wasm.wasm'));
    await copyFile(wasm, path.join(browserTests, 'elsewhere.wasm'));
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}
