import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ripgrepSearch } from '../../src/agent/tools/workspace/ripgrep.ts';
import { isSecretName } from '../../src/host/protectedFiles.ts';
import { unicodeEncodings } from '../../src/host/textEncodings.ts';
import type { FoundFile } from '../../src/agent/tools/workspace/workspaceHost.ts';
import { pathOf, uriOf } from '../../src/host/node/fileUris.ts';
import { NodePrograms } from '../../src/host/node/nodePrograms.ts';

const files: Readonly<Record<string, string>> = {
  '.gitignore': 'build/\n*.log\n/local.json\nkept/*\n!kept/shared.ts\n',
  'sub/.gitignore': 'private.ts\n',
  'a.ts': 'needle 1',
  'local.json': 'needle 2',
  'out.log': 'needle 3',
  'build/made.ts': 'needle 4',
  'sub/private.ts': 'needle 5',
  'sub/open.ts': 'needle 6',
  'kept/own.ts': 'needle 7',
  'kept/shared.ts': 'needle 8',
  '.hidden/b.ts': 'needle 9',
  '.env': 'needle 10',
  '.git/config': 'needle 11',
  'sub/.git': 'needle 12',
};
/** What git leaves out. */
const ignored = ['build/made.ts', 'kept/own.ts', 'local.json', 'out.log', 'sub/private.ts'];
const open = ['.env', '.hidden/b.ts', 'a.ts', 'kept/shared.ts', 'sub/open.ts'];

describe('a search with the ripgrep of the editor', () => {
  let root: string;
  let outside: string;
  const search = ripgrepSearch(new NodePrograms(vscode.env.appRoot), {
    inUse: () => Promise.resolve({ set: [], guessed: [] }),
    ofFile: () => Promise.resolve('utf8'),
    decode: (...given) => unicodeEncodings.decode(...given),
  });

  before(async () => {
    root = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-search-test-')));
    outside = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-outside-')));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), `${text}\n`);
    }
    await writeFile(path.join(outside, 'far.ts'), 'needle 13\n');
    await symlink(outside, path.join(root, 'link'));
    await symlink(path.join(outside, 'far.ts'), path.join(root, 'link.ts'));
  });
  after(async () => {
    for (const folder of [root, outside]) await rm(folder, { recursive: true, force: true });
  });

  const found = async (
    include: readonly string[],
    {
      text = 'needle',
      isRegex = false,
      isWanted = () => true,
    }: Partial<{
      text: string;
      isRegex: boolean;
      isWanted: (file: FoundFile) => boolean;
    }> = {},
  ): Promise<string[]> => {
    const query = { text, isRegex, matchCase: false, include };
    const { matches } = await search.find(uriOf(root), query, 200, new AbortController().signal, isWanted);
    for (const { uri, path: below } of matches) assert.equal(path.relative(root, pathOf(uri)), below);
    return [...new Set(matches.map(({ path: below }) => below))].sort();
  };

  it('leaves out what git ignores, what a link leads to, and repositories, for words and expressions', async () => {
    assert.deepEqual(await found([]), open);
    assert.deepEqual(await found([], { text: 'n[e]{2}dle \\d+', isRegex: true }), open);
  });

  it('heeds what is to be ignored also where there is no repository', async () => {
    const query = { text: 'needle', isRegex: true, matchCase: false, include: [] };
    const count = async (): Promise<number> =>
      (await search.find(uriOf(outside), query, 200, new AbortController().signal, () => true)).matches
        .length;
    assert.equal(await count(), 1);
    await writeFile(path.join(outside, '.gitignore'), 'far.ts\n');
    assert.equal(await count(), 0);
    await rm(path.join(outside, '.gitignore'));
  });

  it('brings back nothing of it by naming it', async () => {
    for (const isRegex of [false, true]) {
      for (const name of [...ignored, '.git/config', 'sub/.git', 'link.ts', 'link/far.ts']) {
        for (const include of [name, `/${name}`, `**/${path.basename(name)}`]) {
          assert.deepEqual(await found([include], { isRegex }), [], include);
        }
      }
    }
    for (const include of [
      'build/**',
      '**/build/**',
      '**/*',
      '*',
      '.*',
      '**/.*',
      '**/.git/**',
      '{build,sub}/**',
    ]) {
      const names = await found([include]);
      assert.deepEqual(
        names.filter((name) => !open.includes(name)),
        [],
        include,
      );
    }
    assert.deepEqual(await found(['**/*.ts', '!sub/**']), ['.hidden/b.ts', 'a.ts', 'kept/shared.ts']);
    assert.deepEqual(await found(['!**/*.ts']), ['.env']);
  });

  it('takes neither a glob nor a query for an option or for rules of its own', async () => {
    for (const include of ['--no-ignore', '-uuu', '--hidden', 'a\n!build/', '--pre=sh', '--ignore-file=x']) {
      assert.deepEqual(
        (await found([include])).filter((name) => !open.includes(name)),
        [],
        include,
      );
    }
    for (const text of ['--files', '-uuu', '--no-ignore', '--pre=sh'])
      assert.deepEqual(await found([], { text }), [], text);
  });

  it('knows the secret files that would be looked into, and counts none of their matches', async () => {
    const query = { text: 'needle', isRegex: true, matchCase: false, include: [] };
    const secret = await search.secretFiles(uriOf(root), query, new AbortController().signal);
    assert.deepEqual(
      secret.map((file) => path.relative(root, pathOf(file))),
      ['.env'],
    );
    await writeFile(path.join(root, '.env'), 'needle 10\n'.repeat(300));
    const isWanted = (file: FoundFile): boolean => !isSecretName(file.path);
    assert.deepEqual(
      await found([], { isWanted }),
      open.filter((name) => name !== '.env'),
    );
  });
});
