import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asCommonJs } from './common-js.mjs';

/**
 * esbuild splits ES modules only, and VS Code loads CommonJS most simply: what comes out split is rewritten file by file,
 * so that what the code asks for by `import()` is read when it is asked for. Needs `splitting`, the format `esm`,
 * `write: false`, and chunk names that begin with the name of the entry and a hyphen. Chunks are called `.cjs`, which they
 * are; the entry is not, for VS Code finds it by its name. How much of them is loaded when, a test holds.
 * @param {{ minify: boolean }} how
 * @returns {import('esbuild').Plugin}
 */
export function commonJsChunks({ minify }) {
  return {
    name: 'common-js-chunks',
    setup: ({ initialOptions, onEnd }) => {
      const { outdir = '.' } = initialOptions;
      onEnd(async ({ errors, outputFiles = [] }) => {
        if (errors.length > 0) return;
        const nameOf = (/** @type {string} */ name) =>
          name.includes('-') ? name.replace(/js$/, 'cjs') : name;
        await mkdir(outdir, { recursive: true });
        const written = new Set();
        for (const { path: output, text } of outputFiles) {
          const name = nameOf(path.basename(output));
          const file = path.join(path.dirname(output), name);
          const { code, map } = await asCommonJs({
            name,
            text,
            platform: 'node',
            options: initialOptions,
            minify,
          });
          written.add(name);
          const chunk = chunksRequired(code, nameOf);
          if (map === '') await writeFile(file, chunk);
          else {
            written.add(`${name}.map`);
            await writeFile(file, `${chunk}//# sourceMappingURL=${name}.map\n`);
            await writeFile(`${file}.map`, map);
          }
        }
        await removeOthers(outdir, written);
      });
    },
  };
}

/** `import()` would bring in the loader of ES modules; what is there as CommonJS comes faster without. */
function chunksRequired(/** @type {string} */ code, /** @type {(name: string) => string} */ nameOf) {
  return code
    .replaceAll(/\bimport\(("\.\/[\w-]+\.c?js")\)/g, 'Promise.resolve().then(() => require($1))')
    .replaceAll(/\brequire\("\.\/([\w-]+\.js)"\)/g, (_, name) => `require("./${nameOf(name)}")`);
}

/**
 * Removes the chunks of builds before.
 * @param {string} folder
 * @param {Set<string>} written
 */
async function removeOthers(folder, written) {
  const entry = [...written].find((name) => !name.includes('-'))?.split('.')[0] ?? '';
  const others = (await readdir(folder)).filter((name) => name.startsWith(`${entry}-`) && !written.has(name));
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })));
}
