import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';

/** Whatever a source names in quotes behind `from`, `import`, `import(` or `require(`. */
const specifiers = /(?:\bfrom\s+|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"`]([^'"`\n]+)['"`]/g;

function namesIn(text: string): string[] {
  return Array.from(text.matchAll(specifiers), ([, name = '']) => name);
}

function isNodeModule(name: string): boolean {
  return name.startsWith('node:') || builtinModules.includes(name.split('/')[0] ?? '');
}

/** The sources, with what they import, at once or later. */
async function sources(): Promise<{ file: string; names: string[] }[]> {
  const files = (await readdir('src', { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  return Promise.all(
    files.map(async (file) => ({
      file: file.replaceAll(path.sep, '/'),
      names: namesIn(await readFile(path.join('src', file), 'utf8')),
    })),
  );
}

/** The rules that say who may know Node. */
const rules = ['no-restricted-imports', 'no-restricted-syntax', 'no-restricted-globals'];

const eslint = new ESLint();

type Rules = NonNullable<Linter.Config['rules']>;

/** These rules of the project as they are for a file; working that out takes longer than all they look at. */
async function rulesFor(file: string): Promise<Rules> {
  const config = (await eslint.calculateConfigForFile(file)) as Linter.Config;
  return Object.fromEntries(Object.entries(config.rules ?? {}).filter(([name]) => rules.includes(name)));
}

/** What rules say of a text. */
function refusals(chosen: Rules, text: string): string[] {
  const found = new Linter().verify(
    text,
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      rules: chosen,
    },
    { filename: 'text.ts' },
  );
  assert.ok(!found.some(({ fatal }) => fatal), JSON.stringify(found));
  return found.map(({ ruleId }) => ruleId ?? '');
}

describe('the modules of Node', () => {
  it('are imported by its side of the host alone, and by the entries of the package for Node', async () => {
    const all = await sources();
    const users = all.filter(({ names }) => names.some(isNodeModule)).map(({ file }) => file);
    assert.ok(users.includes('host/node/nodeFiles.ts'));
    assert.deepEqual(users.filter((file) => !file.startsWith('host/node/')).sort(), [
      // A program for Node, as text.
      'extension/mcp/mcpConfig.ts',
      'mcp/main.ts',
      // The same.
      'models/demo/codeSamples.ts',
      'sdk/index.ts',
      'sdk/snapshotWorkerEntry.ts',
    ]);
  });

  it('are reached from where things are put together only', async () => {
    const all = await sources();
    const choosers = all
      .filter(({ file }) => !file.startsWith('host/node/'))
      .filter(({ names }) => names.some((name) => /(?:\/host|^\.)\/node\//.test(name)))
      .map(({ file }) => file);
    assert.deepEqual(choosers.sort(), [
      'extension/extension.ts',
      'extension/startOnNode.ts',
      'mcp/main.ts',
      'sdk/index.ts',
      'sdk/snapshotWorkerEntry.ts',
    ]);
  });

  it('are found in whatever way they are named', () => {
    const text = `import a from 'node:fs'; import 'path'; export * from "os"; await import('fs/promises');
      type A = import('node:net').Socket; require('zlib'); import b from './path.ts'; import c from '../url/x.ts'`;
    const expected = ['node:fs', 'path', 'os', 'fs/promises', 'node:net', 'zlib'];
    assert.deepEqual(namesIn(text).filter(isNodeModule), expected);
  });

  it('are refused by the linter everywhere else, however they are named', async () => {
    const texts = {
      "import { readFile } from 'node:fs/promises'; readFile;": 'no-restricted-imports',
      "import path from 'path'; path;": 'no-restricted-imports',
      "import type { Worker } from 'worker_threads'; type A = Worker;": 'no-restricted-imports',
      "export * from 'zlib';": 'no-restricted-imports',
      "void import('node:fs');": 'no-restricted-syntax',
      "void import('timers/promises');": 'no-restricted-syntax',
      "type A = import('node:net').Socket;": 'no-restricted-syntax',
      'process.exit();': 'no-restricted-globals',
      'Buffer.alloc(1);': 'no-restricted-globals',
    };
    const layers = (await readdir('src', { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const files = [
      ...layers.map(({ name }) => `src/${name}/any.ts`),
      ...[
        'src/extension/startOnNode.ts',
        'src/extension/parts.ts',
        'src/extension/ui/quickPick.ts',
        'src/extension/manifest/settings.ts',
      ],
      ...[
        'src/store/sqlite/sqlFunctions.ts',
        'src/sdk/browser.ts',
        'src/sdk/portable.ts',
        'src/agent/tools/any.ts',
      ],
    ];
    for (const file of files) {
      const chosen = await rulesFor(file);
      for (const [text, rule] of Object.entries(texts)) {
        assert.deepEqual(refusals(chosen, text), [rule], `${file}: ${text}`);
      }
    }
    for (const file of ['src/host/node/any.ts', 'src/sdk/index.ts']) {
      const chosen = await rulesFor(file);
      for (const text of Object.keys(texts)) assert.deepEqual(refusals(chosen, text), [], `${file}: ${text}`);
    }
  });

  it('do not forbid names that are like theirs', async () => {
    const text = `import a from './path.ts'; import b from '../events/url.ts'; import c from '../base/timers.ts';
      import d from 'process-like'; const process = 1; a + b + c + d + process;`;
    assert.deepEqual(refusals(await rulesFor('src/base/any.ts'), text), []);
  });

  it('and what knows them is refused by the linter where it is to be handed in', async () => {
    const texts = {
      "import { nodeHost } from '../host/node/nodeHost.ts'; nodeHost;": 'no-restricted-imports',
      "import type { PathGuard } from '../../host/node/pathGuard.ts'; type A = PathGuard;":
        'no-restricted-imports',
      "void import('../host/node/nodeHost.ts');": 'no-restricted-syntax',
    };
    for (const file of ['src/extension/storage/openStorage.ts', 'src/agent/any.ts', 'src/store/any.ts']) {
      const chosen = await rulesFor(file);
      for (const [text, rule] of Object.entries(texts)) {
        assert.deepEqual(refusals(chosen, text), [rule], `${file}: ${text}`);
      }
    }
    const inPlatform = "import { NodeFiles } from './node/nodeFiles.ts'; NodeFiles;";
    const ofPlatform = await rulesFor('src/host/hostMachine.ts');
    assert.deepEqual(refusals(ofPlatform, inPlatform), ['no-restricted-imports']);
    const [first = ''] = Object.keys(texts);
    assert.deepEqual(refusals(await rulesFor('src/extension/startOnNode.ts'), first), []);
  });
});

describe('a path of this machine', () => {
  it('is made by the host; elsewhere it is only shown', async () => {
    const all = await readdir('src', { recursive: true });
    const users = new Set<string>();
    for (const file of all.filter((name) => /\.tsx?$/.test(name))) {
      const text = await readFile(path.join('src', file), 'utf8');
      if (/\bfsPath\b/.test(text)) users.add(file.replaceAll(path.sep, '/'));
    }
    const above = [...users].filter((file) => !file.startsWith('host/node/'));
    assert.deepEqual(above.sort(), [
      'extension/context/takePrompt.ts',
      'extension/importExport/chosenFiles.ts',
      'extension/importExport/importExportCommands.ts',
      'extension/storage/registerStorage.ts',
      'extension/storage/relatedChats.ts',
      'extension/storage/storageCommands.ts',
      'extension/ui/saveFile.ts',
    ]);
  });
});
