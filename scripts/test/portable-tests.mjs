import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The files of integration tests that run in a browser as well: those that `bothHosts.json` in their folder names, each
 * with what may differ there.
 * @param {string} folder
 */
export async function portableTests(folder) {
  return Object.keys(JSON.parse(await readFile(path.join(folder, 'bothHosts.json'), 'utf8')));
}
