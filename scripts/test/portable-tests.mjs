import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The files of integration tests that run in a browser: all but those that `nodeOnly.json` beside them gives a reason for.
 * @param {string} folder
 */
export async function portableTests(folder) {
  const nodeOnly = JSON.parse(await readFile(path.join(folder, 'nodeOnly.json'), 'utf8'));
  const files = await readdir(folder);
  return files.filter((file) => file.endsWith('.test.ts') && !(file in nodeOnly)).sort();
}
