import { transform } from 'esbuild';

/**
 * Rewrites a chunk that esbuild made as an ES module to CommonJS. What it imports later is still asked for by `import()`.
 * @param {{ name: string, text: string, platform: 'node' | 'browser', options: import('esbuild').BuildOptions, minify: boolean }} chunk
 */
export async function asCommonJs({ name, text, platform, options: { target, sourcemap }, minify }) {
  const { code, map } = await transform(text, {
    platform,
    format: 'cjs',
    target,
    minify,
    sourcemap: sourcemap === false ? false : 'external',
    sourcefile: name,
  });
  return { code: withoutNamesForModules(code), map };
}

/** At its end a file lists what it exports once more, for ES modules that import it; nothing here is one. */
function withoutNamesForModules(/** @type {string} */ code) {
  return code.replace(
    /(?:^\/\/ Annotate .*\n)?(?<=^|[;}])0 ?&& ?\(module\.exports ?= ?\{[^}]*\}\);\n?/mu,
    '',
  );
}
