import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Which layers each layer may import. Everything else is an error, so that the
 * architecture can be read from the folder names and stays true.
 */
const layers = {
  platform: [],
  protocol: [],
  engine: [],
  store: ['engine', 'platform'],
  workspace: ['engine', 'platform'],
  agent: ['store', 'engine', 'platform'],
  exchange: ['engine'],
  standalone: ['exchange', 'store', 'engine', 'platform'],
  webview: ['protocol'],
  extension: ['exchange', 'agent', 'workspace', 'store', 'engine', 'protocol', 'platform'],
};

const nodeModules = [
  'node:*',
  'fs',
  'path',
  'os',
  'crypto',
  'worker_threads',
  'child_process',
  'http',
  'net',
];

/** Layers that must run in a browser: no vscode and no Node modules. */
const portable = new Set(['protocol', 'engine', 'store', 'exchange', 'workspace', 'webview']);

const layerRules = Object.entries(layers).map(([layer, allowed]) => {
  const forbidden = Object.keys(layers).filter((other) => other !== layer && !allowed.includes(other));
  return {
    files: [`src/${layer}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: forbidden.map((other) => `**/${other}/**`),
              message: `src/${layer} may import only: ${allowed.join(', ') || 'itself'}.`,
            },
            ...(layer === 'extension'
              ? []
              : [{ group: ['vscode'], message: 'Only src/extension may know vscode.' }]),
            ...(portable.has(layer)
              ? [{ group: nodeModules, message: `src/${layer} must stay runnable in a browser.` }]
              : []),
            // What runs only in Node stands in platform/node; portable code gets it handed in.
            ...(portable.has(layer)
              ? [{ group: ['**/platform/node/**'], message: 'Take the platform as an argument.' }]
              : []),
          ],
        },
      ],
    },
  };
});

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.vscode-test/', 'test-results/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'src/webview/tsconfig.json', 'test/browser/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A lone `() => promise` handed to an event is how VS Code's own API is used; the promise rules below still hold.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  ...layerRules,
  {
    files: ['src/store/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'MemberExpression[property.name=/^create_(function|aggregate)$/]',
          message:
            'Make SQL functions in sqlFunctions.ts: what they return must not go by the stack of sql.js.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-console': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        AbortController: 'readonly',
        fetch: 'readonly',
      },
    },
  },
);
