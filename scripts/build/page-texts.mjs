// Which texts each page has, so that it is given no others.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { textsIn } from '../texts.mjs';

/**
 * Writes `texts/<entry>.json` next to each page's script: the texts in what it loads, at once or later.
 * @type {import('esbuild').Plugin}
 */
export const pageTexts = {
  name: 'page-texts',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(async ({ metafile }) => {
      if (!metafile) return;
      const folder = path.join(initialOptions.outdir ?? '', 'texts');
      await mkdir(folder, { recursive: true });
      for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
        if (!entryPoint?.endsWith('.tsx')) continue;
        const texts = await textsOf(inputsOf(metafile, file));
        await writeFile(path.join(folder, `${path.basename(file, '.js')}.json`), JSON.stringify(texts));
      }
    });
  },
};

/**
 * The sources that an output is made of, and those of all it imports.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} entry
 */
function inputsOf({ outputs }, entry) {
  const inputs = new Set();
  const seen = new Set();
  const visit = (/** @type {string} */ file) => {
    const output = outputs[file];
    if (!output || seen.has(file)) return;
    seen.add(file);
    for (const input of Object.keys(output.inputs)) inputs.add(input);
    for (const { path: imported } of output.imports) visit(imported);
  };
  visit(entry);
  return [...inputs].filter((input) => input.startsWith('src/'));
}

/** @param {string[]} files */
async function textsOf(files) {
  const texts = await Promise.all(files.map(async (file) => textsIn(await readFile(file, 'utf8'), file)));
  return [...new Set(texts.flat())].sort();
}
