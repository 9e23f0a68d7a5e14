import { transform } from 'esbuild';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * esbuild splits ES modules only, and VS Code loads CommonJS most simply: what comes out split is rewritten file by file,
 * so that what the code asks for by `import()` is read when it is asked for. Needs `splitting`, the format `esm`,
 * `write: false`, and chunk names that begin with the name of the entry and a hyphen. Chunks of what few people use are
 * called `.cjs`: the packager warns of more than a hundred `.js`.
 * @param {{ minify: boolean, seldom: RegExp }} how `seldom`: the sources of those chunks
 * @returns {import('esbuild').Plugin}
 */
export function commonJsChunks({ minify, seldom }) {
  return {
    name: 'common-js-chunks',
    setup: ({ initialOptions, onEnd }) => {
      const { outdir = '.', target, sourcemap } = initialOptions;
      initialOptions.metafile = true;
      onEnd(async ({ errors, outputFiles = [], metafile }) => {
        if (errors.length > 0) return;
        const ofSeldom = Object.entries(metafile?.outputs ?? {}).filter(([, { inputs }]) =>
          Object.keys(inputs).some((input) => seldom.test(input)),
        );
        // What they share with others is in files of its own because of them.
        const renamed = new Set(
          ofSeldom
            .flatMap(([file, { imports }]) => [
              file,
              ...imports.filter(({ kind }) => kind === 'import-statement').map((each) => each.path),
            ])
            .map((file) => path.basename(file)),
        );
        const nameOf = (/** @type {string} */ name) =>
          renamed.has(name) ? name.replace(/js$/, 'cjs') : name;
        await mkdir(outdir, { recursive: true });
        const written = new Set();
        for (const { path: output, text } of outputFiles) {
          const name = nameOf(path.basename(output));
          const file = path.join(path.dirname(output), name);
          const { code, map } = await transform(text, {
            platform: 'node',
            format: 'cjs',
            target,
            minify,
            sourcemap: sourcemap === false ? false : 'external',
            sourcefile: name,
          });
          written.add(name);
          const chunk = withoutNamesForModules(chunksRequired(code, nameOf));
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
    .replaceAll(/\bimport\(("\.\/[\w-]+\.js")\)/g, 'Promise.resolve().then(() => require($1))')
    .replaceAll(/\brequire\("\.\/([\w-]+\.js)"\)/g, (_, name) => `require("./${nameOf(name)}")`);
}

/** At its end a file lists what it exports once more, for ES modules that import it; nothing here is one. */
function withoutNamesForModules(/** @type {string} */ code) {
  return code.replace(
    /(?:^\/\/ Annotate .*\n)?(?<=^|[;}])0 ?&& ?\(module\.exports ?= ?\{[^}]*\}\);\n?/mu,
    '',
  );
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
