// Makes the table of prices and context windows from what models.dev publishes (https://models.dev/api.json), or from
// the unpacked npm package @earendil-works/pi-ai, which is made from that.
//   npm run prices -- api.json [YYYY-MM-DD]
//   npm run prices -- FOLDER YYYY-MM-DD
// The date is the one of the data; left out, the day on which the file was written.
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { root } from './host/paths.mjs';
import { readModelsDev } from './prices/modelsDev.mjs';
import { readPackageData } from './prices/packageData.mjs';
import { priceTable } from './prices/priceTable.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string', default: path.join(root, 'src', 'engine', 'estimate', 'prices.json') } },
});

try {
  const [source, given] = positionals;
  if (source === undefined) throw new Error('Usage: npm run prices -- <api.json or folder> [YYYY-MM-DD]');
  const { isFolder, day } = await about(source);
  const date = given ?? (isFolder ? undefined : day);
  if (date === undefined || !/^\d{4}-\d{2}-\d{2}$/u.test(date) || Number.isNaN(Date.parse(date)))
    throw new Error('The date of the data is needed, as in 2026-11-10.');
  const data = isFolder ? await readPackageData(source) : parsed(await readFile(source, 'utf8'), source);
  const table = priceTable(readModelsDev(data, source), date);
  await writeFile(values.out, await format(JSON.stringify(table), { parser: 'json', printWidth: 110 }));
  const count = Object.values(table.models).reduce((sum, models) => sum + Object.keys(models).length, 0);
  console.log(`${values.out}: ${count} models, prices of ${date}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @param {string} source */
async function about(source) {
  try {
    const found = await stat(source);
    return { isFolder: found.isDirectory(), day: found.mtime.toISOString().slice(0, 10) };
  } catch (error) {
    throw new Error(`There is no file ${source}.`, { cause: error });
  }
}

/**
 * @param {string} text
 * @param {string} source
 * @returns {unknown}
 */
function parsed(text, source) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${source} is not JSON, or not all of it: ${error.message}`, { cause: error });
  }
}
