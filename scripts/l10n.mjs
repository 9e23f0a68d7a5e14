// Gathers the texts that people see into l10n/bundle.l10n.json, which translators start from.
//   node scripts/l10n.mjs [--check]
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { root } from './host/paths.mjs';

const bundle = path.join(root, 'l10n', 'bundle.l10n.json');

/** `vscode.l10n.t('…')` in the host and `t('…')` in the page. */
const call = /\bt\(\s*'((?:\\.|[^'\\])*)'/g;

/** @param {string} folder */
async function textsOf(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  const sources = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  return sources.flatMap((source) =>
    Array.from(source.matchAll(call), ([, text = '']) => text.replaceAll(/\\(.)/g, '$1')),
  );
}

const texts = [
  ...(await textsOf(path.join(root, 'src', 'extension'))),
  ...(await textsOf(path.join(root, 'src', 'webview'))),
].sort();
const json = JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])));
const wanted = await format(json, { parser: 'json', printWidth: 110 });
if (!process.argv.includes('--check')) await writeFile(bundle, wanted);
else if ((await readFile(bundle, 'utf8')) !== wanted) {
  console.error('l10n/bundle.l10n.json is not up to date. Run: npm run l10n');
  process.exitCode = 1;
}
