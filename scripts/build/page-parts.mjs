// The files that the script of the chat's page imports at once. A browser learns of them only once it has that script;
// the opening script knows their names, and asks for them with it. That script itself stands in the document.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** @type {(names: readonly string[]) => void} */
let resolveFound;
/** @type {Promise<readonly string[]>} */
const found = new Promise((resolve) => (resolveFound = resolve));

/**
 * For the build of the pages.
 * @type {import('esbuild').Plugin}
 */
export const findPageParts = {
  name: 'find-page-parts',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      const main = Object.entries(metafile?.outputs ?? {}).find(
        ([file]) => path.basename(file) === 'main.js',
      );
      const imported = main?.[1].imports.filter(({ kind }) => kind === 'import-statement') ?? [];
      resolveFound(imported.map((each) => path.basename(each.path)));
    });
  },
};

/**
 * For the build of the opening script: its module `page-parts` has the names. While files are watched they may be those
 * of an earlier build, which are fetched in vain.
 * @type {import('esbuild').Plugin}
 */
export const knowPageParts = {
  name: 'know-page-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^page-parts$/ }, () => ({ path: 'page-parts', namespace: 'page-parts' }));
    onLoad({ filter: /.*/, namespace: 'page-parts' }, async () => ({
      contents: `export const pageParts = ${JSON.stringify(await found)};`,
    }));
  },
};

/** @type {(text: string) => void} */
let resolveOpening;
/** @type {Promise<string>} */
const opening = new Promise((resolve) => (resolveOpening = resolve));

/**
 * For the build of the opening script, with `write: false`: the extension gets its text, and the tests of pages its file.
 * @type {import('esbuild').Plugin}
 */
export const findOpening = {
  name: 'find-opening',
  setup({ onEnd }) {
    onEnd(async ({ outputFiles: [script] = [] }) => {
      if (!script) return;
      await mkdir(path.dirname(script.path), { recursive: true });
      await writeFile(script.path, script.text);
      resolveOpening(script.text);
    });
  },
};

/**
 * For what writes the document of the page: its module `opening-script` is the text. While files are watched it may be
 * that of an earlier build.
 * @type {import('esbuild').Plugin}
 */
export const knowOpening = {
  name: 'know-opening',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^opening-script$/ }, () => ({
      path: 'opening-script',
      namespace: 'opening-script',
    }));
    onLoad({ filter: /.*/, namespace: 'opening-script' }, async () => ({
      contents: (await opening).trimEnd(),
      loader: 'text',
    }));
  },
};
