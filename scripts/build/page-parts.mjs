// The files that the script of the chat's page imports at once. A browser learns of them only once it has that script;
// the opening script knows their names, and asks for them with it.
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
