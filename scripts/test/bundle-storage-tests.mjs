import { build } from 'esbuild';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { browserTests, withStandIns } from './bundle-browser-tests.mjs';

/**
 * Bundles the tests of the storage of a browser: what a worker runs of the tests of every store, the page that makes
 * faults, and the workers that it makes them in. They are written next to those of engine and store.
 */
export async function bundleStorageTests() {
  const folder = path.join(root, 'test', 'browser', 'storage');
  const scripts = ['workerSuite', 'faults', 'windowScript', 'frame', 'sandboxed'];
  await build({
    entryPoints: scripts.map((name) => path.join(folder, `${name}.ts`)),
    outdir: browserTests,
    chunkNames: 'storage-[hash]',
    bundle: true,
    // A worker starts in the time that its script takes to be read.
    splitting: true,
    platform: 'browser',
    format: 'esm',
    target: 'chrome132',
    sourcemap: 'linked',
    logLevel: 'warning',
    define: {
      'process.env.NODE_ENV': '"development"',
      'process.env.NODE_DEBUG': 'undefined',
      'process.stderr': 'undefined',
      'process.env.OFFSHOOT_FUZZ': JSON.stringify(process.env.OFFSHOOT_FUZZ ?? '1'),
      'process.env': '{}',
      global: 'globalThis',
    },
    plugins: [withStandIns('durableStores.ts')],
  });
}
