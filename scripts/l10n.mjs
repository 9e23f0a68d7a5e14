// Gathers the texts that users see into l10n/bundle.l10n.json, which translators start from, and sees to it that every
// translation has them all.
//   node scripts/l10n.mjs [--check]
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format } from 'prettier';
import { root } from './host/paths.mjs';
import { textsIn } from './texts.mjs';

const bundle = path.join(root, 'l10n', 'bundle.l10n.json');

/** @param {string} folder */
async function textsOf(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  const texts = await Promise.all(
    files.map(async (file) => textsIn(await readFile(path.join(folder, file), 'utf8'), file)),
  );
  return texts.flat();
}

const layers = [
  'agent',
  'conversation',
  'engine',
  'extension',
  'files',
  'importExport',
  'models',
  'store',
  'webview',
];
const texts = (await Promise.all(layers.map((layer) => textsOf(path.join(root, 'src', layer)))))
  .flat()
  .sort();
const json = JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])));
const wanted = await format(json, { parser: 'json', printWidth: 110 });
if (!process.argv.includes('--check')) await writeFile(bundle, wanted);
else if ((await readFile(bundle, 'utf8')) !== wanted) {
  console.error('l10n/bundle.l10n.json is not up to date. Run: npm run l10n');
  process.exitCode = 1;
}

/**
 * @param {string} file
 * @returns {Promise<Record<string, string>>}
 */
async function read(file) {
  return JSON.parse(await readFile(path.join(root, file), 'utf8'));
}

/** What is filled in: a translation has the same, in an order of its own. @param {string} text */
function gaps(text) {
  return (text.match(/\{\d+\}|\(command:[^)]*\)/g) ?? []).sort().join();
}

/**
 * Tells what a translation lacks, has too much, or fills in differently.
 * @param {string} original
 * @param {string} translation
 */
async function compare(original, translation) {
  const [wanted, given] = await Promise.all([read(original), read(translation)]);
  const problems = [
    ...Object.keys(wanted).flatMap((key) => (key in given ? [] : [`lacks ${JSON.stringify(key)}`])),
    ...Object.entries(given).flatMap(([key, text]) => {
      const from = wanted[key];
      if (from === undefined) return [`has ${JSON.stringify(key)}, which is not used any more`];
      return gaps(from) === gaps(text) ? [] : [`does not fill in the same as ${JSON.stringify(key)}`];
    }),
  ];
  for (const problem of problems) console.error(`${translation} ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

for (const file of await readdir(path.join(root, 'l10n'))) {
  if (/^bundle\.l10n\.[\w-]+\.json$/.test(file)) await compare('l10n/bundle.l10n.json', `l10n/${file}`);
}
for (const file of await readdir(root)) {
  if (/^package\.nls\.[\w-]+\.json$/.test(file)) await compare('package.nls.json', file);
}
