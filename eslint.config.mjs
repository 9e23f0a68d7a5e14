import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * Which layers each layer may import. Everything else is an error, so that the
 * architecture can be read from the folder names and stays true.
 */
const layers = JSON.parse(readFileSync(new URL('scripts/layers.json', import.meta.url), 'utf8'));

/** Words that comments do without; a test holds the documents and the texts that users see to the same list. */
const refusedWords = JSON.parse(readFileSync(new URL('scripts/refusedWords.json', import.meta.url), 'utf8'));

const plainComments = {
  create: (context) => ({
    Program: () => {
      // A phrase may continue on the next line of a block comment.
      const phrases = refusedWords.join('|').replaceAll(' ', '[\\s*]+');
      const refused = new RegExp(`\\b(?:${phrases})\\b`, 'i');
      for (const { value, loc } of context.sourceCode.getAllComments()) {
        const found = refused.exec(value);
        if (found) context.report({ loc, message: `Say it in plain words, without “${found[0]}”.` });
      }
    },
  }),
};

/** Node's own modules, with and without the prefix. */
const nodeModule = `^(?:node:.*|(?:${builtinModules.join('|')})(?:/.*)?)$`;

/**
 * Where Node may be known: its side of the host, the MCP server's start, and the entries of the engine's package that are
 * for Node (`browser.ts` is the one for browsers). Everything else gets a Host, or a Platform.
 */
const knowsNode = [
  ...['src/host/node/**/*.ts', 'src/mcp/main.ts'],
  ...['src/sdk/index.ts', 'src/sdk/snapshotWorkerEntry.ts'],
];

/** Where the host is chosen: one file for each kind. */
const choosesHost = [
  'src/extension/extension.ts',
  'src/extension/startOnNode.ts',
  'src/extension/startInBrowser.ts',
];

/** Layers that show and prepare conversations and change them only through src/conversation. */
const readers = new Set(['models', 'agent', 'importExport', 'mcp', 'files', 'lineOrigins', 'extension']);

/**
 * What a file may import by where it stands.
 * @param {string} layer @param {object[]} more further patterns
 */
function importRules(layer, more = [], { mayUseNode = false, mayChooseHost = mayUseNode } = {}) {
  const allowed = layers[layer];
  const forbidden = Object.keys(layers).filter((other) => other !== layer && !allowed.includes(other));
  const patterns = [
    {
      // The SDK of MCP has the name of one of our layers.
      group: [...forbidden.map((other) => `**/${other}/**`), '!@modelcontextprotocol/sdk/**'],
      message: `src/${layer} may import only: ${allowed.join(', ') || 'itself'}.`,
    },
    ...(layer === 'extension' ? [] : [{ group: ['vscode'], message: 'Only src/extension may know vscode.' }]),
    ...(mayUseNode ? [] : [{ regex: nodeModule, message: nodeMessage }]),
    ...(mayChooseHost
      ? []
      : [{ regex: '(?:/host|^[.])/node/', message: 'Take a Host, or a Platform, as an argument.' }]),
    ...(readers.has(layer)
      ? [
          {
            group: ['**/engine/store.ts'],
            importNames: ['ContextStore'],
            message:
              'Only src/conversation writes: take a ReadonlyStore, or what is to be written as a function.',
          },
        ]
      : []),
    ...more,
  ];
  return { 'no-restricted-imports': ['error', { patterns }] };
}

const nodeMessage = 'Only src/host/node knows Node: make what it does part of src/host/hostMachine.ts.';

/** The rules for imports do not see what is loaded later, nor types that are named by their module. */
const nodeLater = [
  { selector: `ImportExpression[source.value=/${nodeModule.replaceAll('/', '\\/')}/]`, message: nodeMessage },
  { selector: `TSImportType[source.value=/${nodeModule.replaceAll('/', '\\/')}/]`, message: nodeMessage },
  {
    selector: 'ImportExpression[source.value=/[/]host[/]node[/]|^[.][/]node[/]/]',
    message: 'Take a Host, or a Platform, as an argument.',
  },
];

/** What of Node needs no import. */
const nodeGlobals = ['process', 'Buffer', 'require', 'module', '__dirname', '__filename', 'setImmediate'];

/** Where a browser may be known: its side of the host, and the pages. */
const knowsBrowser = ['src/host/browser/**/*.ts', 'src/webview/**/*.{ts,tsx}'];

/** What of a browser's worker is there without an import, and not in Node. */
const browserGlobals = [
  ...['self', 'navigator', 'location', 'name', 'origin', 'close', 'postMessage', 'addEventListener'],
  ...['indexedDB', 'IDBKeyRange', 'BroadcastChannel', 'caches', 'importScripts', 'Worker'],
];
const browserMessage = 'Only src/host/browser and the pages know browsers.';
const restrictedGlobals = (node = true, browser = true) => ({
  'no-restricted-globals': [
    'error',
    ...(node ? nodeGlobals.map((name) => ({ name, message: nodeMessage })) : []),
    ...(browser ? browserGlobals.map((name) => ({ name, message: browserMessage })) : []),
  ],
});

const layerRules = [
  ...Object.keys(layers).map((layer) => ({
    files: [`src/${layer}/**/*.{ts,tsx}`],
    rules: importRules(layer),
  })),
  { files: choosesHost, rules: importRules('extension', [], { mayChooseHost: true }) },
  ...['host', 'sdk', 'mcp'].map((layer) => ({
    files: knowsNode.filter((file) => file.startsWith(`src/${layer}/`)),
    rules: importRules(layer, [], { mayUseNode: true }),
  })),
  {
    files: ['engine', 'base', 'store', 'importExport', 'lineOrigins', 'mcp', 'sdk'].map(
      (layer) => `src/${layer}/**/*.ts`,
    ),
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Promise', property: 'withResolvers', message: 'Node 20 has none: use base/deferred.ts.' },
        { object: 'Map', property: 'groupBy', message: 'Node 20 has none.' },
        { object: 'Object', property: 'groupBy', message: 'Node 20 has none.' },
        { object: 'Array', property: 'fromAsync', message: 'Node 20 has none.' },
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: knowsNode,
    rules: { 'no-restricted-syntax': ['error', ...nodeLater], ...restrictedGlobals() },
  },
  { files: knowsBrowser, rules: restrictedGlobals(true, false) },
  { files: knowsNode, rules: restrictedGlobals(false, true) },
];

/**
 * The rooms of src/extension: each may use those before it. What puts them together stands above
 * them, in src/extension itself.
 */
const rooms = [
  ...['manifest', 'ui', 'commands', 'models', 'files', 'tools', 'storage'],
  ...['branches', 'context', 'pages', 'tree', 'origins', 'importExport', 'mcp', 'chat'],
];

const roomRules = rooms.map((room, index) => ({
  files: [`src/extension/${room}/**/*.ts`],
  rules: importRules('extension', [
    {
      group: ['../*.ts', ...rooms.slice(index + 1).map((later) => `../${later}/**`)],
      message: `src/extension/${room} may use only the rooms before it (see eslint.config.mjs).`,
    },
  ]),
}));

/**
 * The parts of a layer in their order: each may use those that it names. PostgreSQL stands on what every store does alike
 * alone.
 */
const parts = {
  store: {
    common: [],
    sqlite: ['common'],
    durable: ['common', 'sqlite'],
    windows: ['common', 'sqlite', 'durable'],
    projects: ['durable'],
    postgres: ['common'],
  },
  models: {
    messages: [],
    errors: ['messages'],
    requests: ['messages', 'errors'],
    providers: ['messages', 'errors', 'requests'],
    demo: ['messages', 'errors', 'requests', 'providers'],
  },
};

const partRules = Object.entries(parts).flatMap(([layer, all]) =>
  Object.entries(all).flatMap(([part, allowed]) => {
    const others = Object.keys(all).filter((other) => other !== part && !allowed.includes(other));
    const group = [...others, ...(part === 'postgres' ? ['host'] : [])].map((name) => `**/${name}/**`);
    if (group.length === 0) return [];
    const message = `src/${layer}/${part} may use only: ${allowed.join(', ') || 'itself'}.`;
    return { files: [`src/${layer}/${part}/**/*.ts`], rules: importRules(layer, [{ group, message }]) };
  }),
);

/** The table of writes, of which each line that begins a write has its name. */
const tableOfWrites = readFileSync(new URL('src/store/common/storeWrites.ts', import.meta.url), 'utf8');
export const writeNames = [...tableOfWrites.matchAll(/^ {2}(\w+): (?:write|method)\(/gm)].map(
  ([, name]) => name,
);
const writers = new RegExp(`^(?:${writeNames.join('|')})$`);

/** Also where the whole store is available, as it is where the extension is put together. */
const writing = ['store', 'trash'].map((receiver) => {
  const methods = receiver === 'store' ? writers : /^(?:restore|discardBranch|empty)$/;
  return {
    selector: ['name', 'property.name']
      .map((name) => `CallExpression[callee.object.${name}='${receiver}'][callee.property.name=${methods}]`)
      .join(', '),
    message: 'Only src/conversation writes: call a use case of it.',
  };
});

/** What makes branches and goes to them is the engine's, so that it is one thing for scripts and for the extension. */
const branching = [
  {
    selector: ['name', 'property.name']
      .map(
        (name) =>
          `CallExpression[callee.object.${name}='store'][callee.property.name=/^(?:addBranch|createBranch|activateBranch|setCheckpoint)$/]`,
      )
      .concat("Property[key.name='newBranchAt']:not([value.name='undefined'])")
      .join(', '),
    message: 'Only src/engine makes branches and checkpoints: call it through withEngine.',
  },
];

/** What VS Code shows, and makes links, icons or Markdown of: the wrappers of it make every text inert first. */
const shownText = [
  {
    selector:
      "MemberExpression[object.property.name='window'][property.name=/^(?:show(?:Information|Warning|Error)Message|showQuickPick|createQuickPick|showInputBox|createInputBox|setStatusBarMessage|createStatusBarItem|withProgress|createTreeView|registerTreeDataProvider|createWebviewPanel)$/]",
    message: 'Names would become links or icons here: use what src/extension/ui/ has for it.',
  },
  {
    selector:
      "VariableDeclarator[id.type='ObjectPattern'][init.object.name='vscode'][init.property.name='window'], ImportSpecifier[imported.name='window']",
    message: 'Write vscode.window in full, so that the rules for it apply.',
  },
  {
    selector:
      "NewExpression[callee.property.name='MarkdownString'], CallExpression[callee.property.name=/^append(?:Markdown|Text|Codeblock)$/]",
    message: 'Names would become links here: use src/extension/ui/tooltip.ts.',
  },
  {
    selector: "CallExpression[arguments.0.value='vscode.open'][arguments.length>3]",
    message: 'Use openLabelled of src/extension/ui/tabs.ts, whose label is inert.',
  },
  {
    selector: "Literal[value='vscode.diff']",
    message: 'Use openComparison of src/extension/ui/tabs.ts, whose title is inert.',
  },
  {
    selector:
      "AssignmentExpression > MemberExpression.left[property.name='title'][object.property.name='panel'], AssignmentExpression > MemberExpression.left[property.name='title'][object.name='panel']",
    message: 'Use setPanelTitle of src/extension/ui/tabs.ts, which makes the title inert.',
  },
  {
    selector: 'TemplateElement[value.raw=/^[$][(]/], Literal[value=/^[$][(][a-z-]+[)]/]',
    message: 'Give the icon apart from the text, so that the text can be made inert.',
  },
];

/** Ids that package.json has to have: `npm run ids` writes their types, and what is named here takes no others. */
const typedIds = [
  {
    selector:
      "CallExpression[callee.property.name='executeCommand'][arguments.0.value=/^(?:offshoot[.]|setContext$)/], CallExpression[callee.property.name='executeCommand'][arguments.0.type!='Literal']",
    message:
      'Use runCommand or setContext of src/extension/manifest/runCommand.ts, which take only what exists.',
  },
  {
    selector: "Property[key.name='command'] > Literal.value[value=/^offshoot[.]/]",
    message: 'Use commandLink of src/extension/manifest/runCommand.ts, which takes only commands that exist.',
  },
  {
    selector: 'CallExpression[callee.property.name=/^register(?:TextEditor)?Command$/]',
    message: 'Add it to package.json and to src/extension/allCommands.ts.',
  },
  {
    selector:
      "CallExpression[callee.property.name='getConfiguration'][arguments.0.type!='Literal'], CallExpression[callee.property.name='getConfiguration'][arguments.0.value=/^offshoot/]",
    message: 'Use src/extension/manifest/settings.ts, which takes only settings that exist.',
  },
];

/** Where these ids are handed over to VS Code. */
const takesIds = [
  'src/extension/manifest/runCommand.ts',
  'src/extension/commands/registerCommands.ts',
  'src/extension/manifest/storedSettings.ts',
];

/** The rules that need types are in `.oxlintrc.jsonc`: oxlint reads types in a fraction of the time. */
export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.vscode-test/'] },
  js.configs.recommended,
  {
    files: ['{src,test,bench,examples,scripts}/**/*.{ts,tsx,mjs}', '*.mjs'],
    plugins: { offshoot: { rules: { 'plain-comments': plainComments } } },
    rules: { 'offshoot/plain-comments': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    // A comment that switches off a rule of oxlint looks unused here, as the rule is not on.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', '{test,bench}/**/*.ts', 'scripts/**/*.mjs', 'esbuild.mjs'],
    // The states that a page is shown in are data.
    ignores: ['test/ui/page/harness/states.ts'],
    rules: { 'max-lines': ['error', 500] },
  },
  ...layerRules,
  ...roomRules,
  ...partRules,
  {
    files: [...readers].map((layer) => `src/${layer}/**/*.ts`),
    rules: { 'no-restricted-syntax': ['error', ...nodeLater, ...writing] },
  },
  {
    files: ['src/conversation/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...nodeLater, ...branching] },
  },
  {
    files: ['src/extension/**/*.ts'],
    ignores: ['src/extension/ui/**'],
    rules: { 'no-restricted-syntax': ['error', ...nodeLater, ...writing, ...shownText, ...typedIds] },
  },
  {
    files: ['src/extension/ui/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...nodeLater, ...typedIds] },
  },
  { files: takesIds, rules: { 'no-restricted-syntax': ['error', ...nodeLater, ...shownText] } },
  {
    files: ['src/webview/**/*.{ts,tsx}'],
    ignores: ['src/webview/focus.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...nodeLater,
        {
          // The graph has a method of that name, which moves its cursor.
          selector:
            'CallExpression[callee.property.name="focus"]:not([callee.object.name="page"]):not([callee.object.type="ThisExpression"])',
          message: 'Every move of the focus stands in src/webview/focus.ts.',
        },
      ],
    },
  },
  {
    files: ['src/store/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...nodeLater,
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
