import { build } from 'esbuild';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './host/paths.mjs';

/**
 * Bundles a source for Node and runs it; packages stay outside.
 * @param {string} entry below the project's folder
 * @param {string} outfile below `out`
 * @returns {Promise<any>} what it exports
 */
export async function importBundled(entry, outfile) {
  const bundle = path.join(root, 'out', outfile);
  await build({
    entryPoints: [path.join(root, entry)],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    loader: { '.sql': 'text' },
  });
  return import(pathToFileURL(bundle).href);
}
