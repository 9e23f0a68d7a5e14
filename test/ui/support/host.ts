import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Host from '../../../scripts/host/index.mjs';

/** The repository: the tests are started from there. */
export const root = process.cwd();

/**
 * The scripts that set up and run the local VS Code. Loaded at run time rather than bundled into each test
 * file, so that all files share one browser.
 */
export async function loadHost(): Promise<typeof Host> {
  const file = path.join(root, 'scripts', 'host', 'index.mjs');
  return (await import(pathToFileURL(file).href)) as typeof Host;
}
