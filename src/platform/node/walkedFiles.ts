import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Folders that hold what programs make or fetch, where there is no git to say so. */
const usuallyIgnored = new Set([
  ...[
    '.git',
    '.hg',
    '.svn',
    '.jj',
    'node_modules',
    'bower_components',
    'dist',
    'out',
    'build',
    'target',
    'coverage',
  ],
  ...[
    '.venv',
    'venv',
    '__pycache__',
    '.tox',
    '.mypy_cache',
    '.pytest_cache',
    '.ruff_cache',
    '.cache',
    '.next',
    '.nuxt',
  ],
  ...['.svelte-kit', '.turbo', '.gradle', '.terraform', '.vscode-test', 'Pods', 'DerivedData'],
]);

/** The files below a folder, but for those that are usually ignored; at most one more than `limit`. Links are not followed. */
export async function walkedFiles(root: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length <= limit; folder = folders.pop()) {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(file);
      else if (entry.isDirectory() && !usuallyIgnored.has(entry.name)) folders.push(file);
      if (found.length > limit) break;
    }
  }
  return found;
}
