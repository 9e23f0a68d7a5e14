import { readFile } from 'node:fs/promises';

const types = 'node_modules/@types/vscode/index.d.ts';

/**
 * For each file that imports VS Code's API, esbuild copies all of it, name by name: a hundred copies of hundreds of names
 * while the extension is activated. Here one module takes from it what is used, and all files share that.
 * @type {import('esbuild').Plugin}
 */
export const vscodeByName = {
  name: 'vscode-by-name',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'vscode-api'
        ? { path: 'vscode', external: true }
        : { path: 'vscode', namespace: 'vscode-api' },
    );
    onLoad({ filter: /.*/, namespace: 'vscode-api' }, async () => {
      const declared = (await readFile(types, 'utf8')).matchAll(
        /^\texport (?:abstract )?(?:class|enum|namespace|const|function) (\w+)/gm,
      );
      const names = new Set(Array.from(declared, ([, name]) => name));
      return {
        contents: [
          "import api from 'vscode';",
          'const take = (name) => api[name];',
          // Those that nobody uses are left out.
          // What is there before its types are: it may be missing.
          'export const unpublished = /* @__PURE__ */ (() => ({',
          "  LanguageModelThinkingPart: take('LanguageModelThinkingPart'),",
          '}))();',
          ...Array.from(names, (name) => `export const ${name} = /* @__PURE__ */ take('${name}');`),
        ].join('\n'),
      };
    });
  },
};
