import { build } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asCommonJs } from './common-js.mjs';
import { groupsOf, nameOf } from './part-groups.mjs';
import { vscodeByName } from './vscode-by-name.mjs';

/** @typedef {{ name: string, code: string, map: string }} Part */

/**
 * The worker of a browser is given one file and knows no other. esbuild splits what is needed later from what is needed
 * first; the chunks are put together in three files, since each is a request: `<entry>.js`, which VS Code loads,
 * `<entry>-start.cjs` with what the chat needs to be shown, and `<entry>-later.cjs` with the rest. In each file a chunk is
 * a function that is run when it is first asked for. `runtime` is what asks, and fetches the files. Needs `splitting`, the
 * format `esm`, `write: false`, and chunk names that begin with the name of the entry and a hyphen.
 * @param {object} how
 * @param {boolean} how.minify
 * @param {string} how.runtime a source
 * @param {readonly string[]} how.atStart sources that are imported later but still needed to show the chat
 * @returns {import('esbuild').Plugin}
 */
export function fetchedParts({ minify, runtime, atStart }) {
  return {
    name: 'fetched-parts',
    setup: ({ initialOptions, onEnd }) => {
      initialOptions.metafile = true;
      const { outdir = '.', define } = initialOptions;
      onEnd(async ({ errors, outputFiles = [], metafile }) => {
        if (errors.length > 0 || !metafile) return;
        const groups = groupsOf(metafile, atStart);
        const { entry } = groups;
        const later = filesByName(groups);
        const parts = new Map(
          await Promise.all(
            outputFiles.map(async ({ path: output, text }) => {
              const name = nameOf(output);
              const part = await asCommonJs({
                name,
                text,
                platform: 'browser',
                options: initialOptions,
                minify,
              });
              return /** @type {const} */ ([name, { name, map: part.map, code: asked(part.code, later) }]);
            }),
          ),
        );
        const partsIn = (/** @type {readonly string[]} */ names) =>
          names.map((name) => /** @type {Part} */ (parts.get(name)));
        await mkdir(outdir, { recursive: true });
        const write = async (/** @type {string} */ name, /** @type {FileText} */ { text, sections }) => {
          const file = path.join(outdir, name);
          const map = { version: 3, sections };
          await writeFile(file, sections.length > 0 ? `${text}//# sourceMappingURL=${name}.map\n` : text);
          if (sections.length > 0) await writeFile(`${file}.map`, JSON.stringify(map));
        };
        await write(`${entry}-start.cjs`, together('module.exports = {', partsIn(groups.start), '};'));
        await write(`${entry}-later.cjs`, together('module.exports = {', partsIn(groups.later), '};'));
        const own = { name: '', map: '', code: await bundled(runtime, { minify, define }) };
        await write(
          `${entry}.js`,
          together(
            'const parts = {',
            [own, ...partsIn(groups.first)],
            `};
const runtime = { exports: {} };
parts[''](runtime, runtime.exports, require);
module.exports = runtime.exports.extensionOf(parts, ${JSON.stringify(entry)}, require);`,
          ),
        );
      });
    },
  };
}

/**
 * In which file a part is fetched, by its name.
 * @param {ReturnType<typeof groupsOf>} groups
 */
function filesByName({ entry, start, later }) {
  return new Map([
    ...start.map((name) => /** @type {const} */ ([name, `${entry}-start.cjs`])),
    ...later.map((name) => /** @type {const} */ ([name, `${entry}-later.cjs`])),
  ]);
}

/**
 * What a part asks for: others by their names, what comes later with the file it is in.
 * @param {string} code
 * @param {ReadonlyMap<string, string>} later
 */
function asked(code, later) {
  return code
    .replaceAll(/\bimport\("\.\/([\w-]+)\.js"\)/g, (_, name) => {
      const file = later.get(name);
      return file === undefined
        ? `Promise.resolve().then(() => require("${name}"))`
        : `require.later("${file}", "${name}")`;
    })
    .replaceAll(/\bimport\("\.\/([\w-]+\.cjs)"\)/g, 'require.later("$1")')
    .replaceAll(/\brequire\("\.\/([\w-]+)\.js"\)/g, 'require("$1")');
}

/** @typedef {{ text: string, sections: { offset: { line: number, column: number }, map: object }[] }} FileText */

/**
 * The text of a file, and where in it the parts begin that have a map.
 * @param {string} begin
 * @param {readonly Part[]} parts
 * @param {string} end
 * @returns {FileText}
 */
function together(begin, parts, end) {
  let text = `"use strict";\n${begin}\n`;
  /** @type {FileText['sections']} */
  const sections = [];
  for (const { name, code, map } of parts) {
    text += `${JSON.stringify(name)}: function (module, exports, require) {\n`;
    const offset = { line: text.split('\n').length - 1, column: 0 };
    if (map !== '') sections.push({ offset, map: JSON.parse(map) });
    text += `${code.trimEnd()}\n},\n`;
  }
  return { text: `${text}${end}\n`, sections };
}

/**
 * @param {string} source
 * @param {Pick<import('esbuild').BuildOptions, 'minify' | 'define'>} how
 */
async function bundled(source, how) {
  const { outputFiles } = await build({
    ...how,
    ...{ entryPoints: [source], bundle: true, write: false, logLevel: 'warning' },
    ...{ platform: 'browser', format: 'cjs', target: 'chrome132', plugins: [vscodeByName] },
  });
  return outputFiles[0]?.text ?? '';
}
