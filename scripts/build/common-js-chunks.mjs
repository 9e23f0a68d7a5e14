import { transform } from 'esbuild';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * esbuild splits ES modules only, and VS Code loads CommonJS most simply: what comes out split is rewritten file by file,
 * so that what the code asks for by `import()` is read when it is asked for. Needs `splitting`, the format `esm`,
 * `write: false`, and chunk names that begin with the name of the entry and a hyphen.
 * @param {{ minify: boolean }} how
 * @returns {import('esbuild').Plugin}
 */
export function commonJsChunks({ minify }) {
  return {
    name: 'common-js-chunks',
    setup: ({ initialOptions: { outdir = '.', target, sourcemap }, onEnd }) =>
      void onEnd(async ({ errors, outputFiles = [] }) => {
        if (errors.length > 0) return;
        await mkdir(outdir, { recursive: true });
        const written = new Set();
        for (const { path: file, text } of outputFiles) {
          const name = path.basename(file);
          const { code, map } = await transform(text, {
            platform: 'node',
            format: 'cjs',
            target,
            minify,
            sourcemap: sourcemap === false ? false : 'external',
            sourcefile: name,
          });
          written.add(name);
          const chunk = withoutNamesForModules(chunksRequired(code));
          if (map === '') await writeFile(file, chunk);
          else {
            written.add(`${name}.map`);
            await writeFile(file, `${chunk}//# sourceMappingURL=${name}.map\n`);
            await writeFile(`${file}.map`, map);
          }
        }
        await removeOthers(outdir, written);
      }),
  };
}

/** `import()` would bring in the loader of ES modules; what is there as CommonJS comes faster without. */
function chunksRequired(/** @type {string} */ code) {
  return code.replaceAll(/\bimport\(("\.\/[\w-]+\.js")\)/g, 'Promise.resolve().then(() => require($1))');
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
