import { build } from 'esbuild';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asCommonJs } from './common-js.mjs';
import { groupsOf, nameOf } from './part-groups.mjs';

/**
 * esbuild splits ES modules only, and VS Code loads CommonJS most simply: what comes out split is rewritten file by file,
 * so that what the code asks for by `import()` is read when it is asked for. What is needed to activate the extension is
 * put together in one file again, and so is what is needed to show the chat, `<entry>-start.cjs`: finding and reading a
 * hundred small files takes longer than running them. Needs `splitting`, the format `esm`, `write: false`, and chunk names
 * that begin with the name of the entry and a hyphen. Chunks are called `.cjs`, which they are; the entry is not, for VS
 * Code finds it by its name. How much of them is loaded when, a test holds.
 * @param {object} how
 * @param {boolean} how.minify
 * @param {readonly string[]} how.atStart sources that are imported later but still needed to show the chat
 * @returns {import('esbuild').Plugin}
 */
export function commonJsChunks({ minify, atStart }) {
  return {
    name: 'common-js-chunks',
    setup: ({ initialOptions, onEnd }) => {
      initialOptions.metafile = true;
      const { outdir = '.' } = initialOptions;
      onEnd(async ({ errors, outputFiles = [], metafile }) => {
        if (errors.length > 0 || !metafile) return;
        const texts = new Map(outputFiles.map(({ path: output, text }) => [nameOf(output), text]));
        const { entry, first, start, later } = groupsOf(metafile, atStart);
        const files = { [`${entry}.js`]: first, [`${entry}-start.cjs`]: start };
        /** Where a chunk is found, which may be a part of a file. */
        const found = new Map(later.map((name) => [name, `"./${name}.cjs"`]));
        for (const [file, names] of Object.entries(files))
          for (const name of names) found.set(name, `"./${file}"${memberOf(name)}`);
        const options = { target: initialOptions.target, sourcemap: initialOptions.sourcemap, minify };
        const written = [
          ...Object.entries(files).map(async ([file, names]) => {
            const { code, map } = await together({ names, entry, texts, outdir, options });
            return { file, code, map };
          }),
          ...later.map(async (name) => {
            const chunk = {
              name: `${name}.cjs`,
              text: texts.get(name) ?? '',
              platform: /** @type {const} */ ('node'),
            };
            return { file: chunk.name, ...(await asCommonJs({ ...chunk, options: initialOptions, minify })) };
          }),
        ];
        await mkdir(outdir, { recursive: true });
        const names = await Promise.all(
          written.map(async (writing) => {
            const { file, code, map } = await writing;
            const output = path.join(outdir, file);
            const text = chunksRequired(code, found);
            await writeFile(output, map === '' ? text : `${text}//# sourceMappingURL=${file}.map\n`);
            if (map !== '') await writeFile(`${output}.map`, map);
            return map === '' ? [file] : [file, `${file}.map`];
          }),
        );
        await removeOthers(outdir, entry, new Set(names.flat()));
      });
    },
  };
}

/** What a chunk is called among those of its file. */
function memberOf(/** @type {string} */ name) {
  return `.${name.replace(/\W/g, '_')}`;
}

/**
 * Chunks as one file, which has each of them as a member, and what the entry exports.
 * @param {object} of
 * @param {readonly string[]} of.names
 * @param {string} of.entry
 * @param {ReadonlyMap<string, string>} of.texts
 * @param {string} of.outdir
 * @param {Pick<import('esbuild').BuildOptions, 'target' | 'sourcemap' | 'minify'>} of.options
 */
async function together({ names, entry, texts, outdir, options }) {
  const inside = new Set(names);
  const contents = names
    .map((name) =>
      name === entry
        ? `export * from './${name}.js';`
        : `export * as ${memberOf(name).slice(1)} from './${name}.js';`,
    )
    .join('\n');
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: outdir },
    bundle: true,
    write: false,
    outdir,
    platform: 'node',
    format: 'cjs',
    // The chunks were ES modules.
    banner: { js: '"use strict";' },
    sourcemap: options.sourcemap === false ? false : 'external',
    logLevel: 'warning',
    plugins: [
      {
        name: 'chunks-in-memory',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /.*/ }, ({ path: asked }) =>
            asked.startsWith('./') && inside.has(nameOf(asked))
              ? { path: path.resolve(outdir, path.basename(asked)) }
              : { path: asked, external: true },
          );
          onLoad({ filter: /.*/ }, ({ path: file }) => ({ contents: texts.get(nameOf(file)) ?? '' }));
        },
      },
    ],
  });
  const textOf = (/** @type {string} */ ending) =>
    outputFiles.find((each) => each.path.endsWith(ending))?.text ?? '';
  return { code: textOf('.js'), map: textOf('.map') };
}

/**
 * `import()` would bring in the loader of ES modules; what is there as CommonJS comes faster without.
 * @param {string} code
 * @param {ReadonlyMap<string, string>} found
 */
function chunksRequired(code, found) {
  const required = (/** @type {string} */ name) => {
    const [, file, member = ''] = /^("[^"]+")(.*)$/.exec(found.get(name) ?? `"./${name}.cjs"`) ?? [];
    return `require(${file})${member}`;
  };
  return code
    .replaceAll(
      /\bimport\("\.\/([\w-]+)\.c?js"\)/g,
      (_, name) => `Promise.resolve().then(() => ${required(name)})`,
    )
    .replaceAll(/\brequire\("\.\/([\w-]+)\.js"\)/g, (_, name) => required(name));
}

/**
 * Removes the chunks of builds before.
 * @param {string} folder
 * @param {string} entry
 * @param {ReadonlySet<string>} written
 */
async function removeOthers(folder, entry, written) {
  const others = (await readdir(folder)).filter((name) => name.startsWith(`${entry}-`) && !written.has(name));
  await Promise.all(others.map((name) => rm(path.join(folder, name), { force: true })));
}
