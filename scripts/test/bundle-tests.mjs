import { build } from 'esbuild';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asCommonJs } from '../build/common-js.mjs';

const folder = path.join('out', 'test');

/**
 * Bundles each test file and each program that tests start. What they share is in files of their own, so that a process
 * that runs many of them reads and keeps it once; packages stay outside. VS Code loads CommonJS, and esbuild splits only
 * ES modules: they are rewritten one by one.
 * @param {import('esbuild').BuildOptions} shared
 */
export async function bundleTests(shared) {
  await rm(folder, { recursive: true, force: true });
  const files = await readdir('test', { recursive: true });
  const entries = files
    .filter((file) => /\.(test|child)\.ts$/.test(file) || file === path.join('integration', 'index.ts'))
    .map((file) => path.join('test', file));
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    ...shared,
    sourcemap: 'inline',
    minify: false,
    entryPoints: entries,
    outdir: folder,
    outbase: 'test',
    platform: 'node',
    format: 'esm',
    splitting: true,
    chunkNames: 'shared/[hash]',
    write: false,
    target: 'node22',
    packages: 'external',
    external: ['vscode'],
    alias: { 'opening-script': './test/fixtures/noOpening.ts' },
  };
  const { outputFiles = [] } = await build(options);
  await Promise.all(
    outputFiles.map(async ({ path: output, text }) => {
      const file = output.replace(/\.js$/, '.cjs');
      const name = path.basename(file);
      const { code, map } = await asCommonJs({ name, text, platform: 'node', options, minify: false });
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, `${filesRequired(code)}//# sourceMappingURL=${name}.map\n`);
      await writeFile(`${file}.map`, map);
    }),
  );
}

/** Relative imports load CommonJS as well, dynamic ones included. */
function filesRequired(/** @type {string} */ code) {
  return code
    .replaceAll(/\bimport\(("\.\.?\/[^"\n]+)\.js"\)/g, 'Promise.resolve().then(() => require($1.cjs"))')
    .replaceAll(/\brequire\(("\.\.?\/[^"\n]+)\.js"\)/g, 'require($1.cjs")');
}
