import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { report } from '../measure.ts';

const run = promisify(execFile);
const KB = 1_024;

/** The package as it is published, and what the page loads before it shows anything. */
export async function measureSizes(): Promise<void> {
  const vsix = path.join('out', 'bench.vsix');
  const vsce = path.join('node_modules', '@vscode', 'vsce', 'vsce');
  const options = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
  await run(process.execPath, [vsce, 'package', ...options, '--out', vsix]);
  report('the package', (await stat(vsix)).size / KB, 4.5 * KB, 'KB');
  report('the script of the page, compressed', (await scriptSize('main.js', new Set())) / KB, 300, 'KB');
}

/** A script with all it imports before it runs, each compressed. */
async function scriptSize(name: string, seen: Set<string>): Promise<number> {
  if (seen.has(name)) return 0;
  seen.add(name);
  const text = await readFile(path.join('dist', 'webview', name), 'utf8');
  let size = gzipSync(text, { level: 9 }).length;
  for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
    size += await scriptSize(imported, seen);
  }
  return size;
}
