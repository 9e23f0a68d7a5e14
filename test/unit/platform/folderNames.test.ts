import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { FolderNames } from '../../../src/host/folderNames.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeGuardedFiles } from '../../../src/host/node/nodeGuardedFiles.ts';
import { VirtualGuardedFiles } from '../../../src/host/virtual/virtualGuardedFiles.ts';
import { namedLocation } from '../../../src/host/virtual/virtualPaths.ts';
import type { OpenedFolder } from '../../../src/host/workspaceFiles.ts';
import { MemoryUriFiles } from '../../fixtures/memoryUriFiles.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** Folders by their URIs, under the names that VS Code gives them: their last parts. */
const opened = (...uris: readonly string[]): OpenedFolder[] =>
  uris.map((uri) => ({ name: decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1)), uri }));
const namesOf = (folders: readonly OpenedFolder[]): string[] =>
  new FolderNames().of(folders).map(({ name }) => name);

describe('the names of open folders', () => {
  it('are their own where nothing else has them', () => {
    assert.deepEqual(namesOf(opened('file:///w/app', 'file:///w/lib')), ['app', 'lib']);
    assert.deepEqual(namesOf(opened('file:///w/app')), ['app']);
    assert.deepEqual(namesOf([]), []);
  });

  const cases: readonly (readonly [string, readonly OpenedFolder[], readonly string[]])[] = [
    [
      'the folder above',
      opened('file:///w/client/app', 'file:///w/server/app', 'file:///w/lib'),
      ['app (client)', 'app (server)', 'lib'],
    ],
    [
      'as many as are needed',
      opened('file:///a/x/app', 'file:///b/x/app', 'file:///a/y/app'),
      ['app (a-x)', 'app (b-x)', 'app (y)'],
    ],
    ['a folder within another', opened('file:///w/app', 'file:///w/app/app'), ['app (w)', 'app (app)']],
    [
      'the machine',
      opened('vscode-vfs://github/me/app', 'vscode-vfs://azurerepos/me/app'),
      ['app (github-me)', 'app (azurerepos-me)'],
    ],
    [
      'letters that URIs escape',
      opened('file:///w/m%C3%A4%20y/app', 'file:///w/n/app'),
      ['app (mä y)', 'app (n)'],
    ],
    [
      'their own, under a name of the user’s',
      [
        { name: 'app', uri: 'file:///w/one' },
        { name: 'app', uri: 'file:///w/two' },
      ],
      ['app (one)', 'app (two)'],
    ],
    [
      'more, where one of the names is taken',
      opened('file:///w/client/app', 'file:///w/server/app', 'file:///w/app%20(client)'),
      ['app (w-client)', 'app (server)', 'app (client)'],
    ],
    [
      'what can begin a path',
      [
        { name: 'web/app', uri: 'file:///w/1' },
        { name: 'c: drive', uri: 'file:///w/2' },
        { name: '..', uri: 'file:///w/3' },
        { name: ' ', uri: 'file:///w/4' },
      ],
      ['web-app', 'c- drive', 'folder..', 'folder'],
    ],
  ];
  for (const [what, folders, expected] of cases) {
    it(`have what tells them apart: ${what}`, () => assert.deepEqual(namesOf(folders), expected));
  }

  it('stay while the folder is open, whatever comes and goes', () => {
    const names = new FolderNames();
    const [client, server, other] = opened(
      'file:///w/client/app',
      'file:///w/server/app',
      'file:///z/client/app',
    );
    assert.ok(client && server && other);
    const of = (...folders: readonly OpenedFolder[]): string[] => names.of(folders).map(({ name }) => name);
    assert.deepEqual(of(client), ['app']);
    assert.deepEqual(of(client, server), ['app (client)', 'app (server)']);
    assert.deepEqual(of(other, client, server), ['app (z-client)', 'app (client)', 'app (server)']);
    assert.deepEqual(of(client), ['app (client)']);
    assert.deepEqual(of(server), ['app']);
    assert.deepEqual(of(server, client), ['app (server)', 'app (client)']);
    assert.deepEqual(of({ ...server, name: 'web' }, client), ['web', 'app (client)']);
  });

  it('each lead to their own folder, and no two are the same (fuzz)', () => {
    const part = fc.constantFrom('app', 'a', 'b', 'x (y)', 'app (a)', 'ä', '..x');
    const folder = fc.record({
      path: fc.array(part, { minLength: 1, maxLength: 4 }),
      name: fc.option(fc.constantFrom('app', 'a/b', ' app ', '', 'app (a)', 'x:y'), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(folder, { maxLength: 6 }), { maxLength: 3 }), (moments) => {
        const names = new FolderNames();
        for (const folders of moments) {
          const all = new Map(
            folders.map(({ path: parts, name }) => {
              const uri = `memfs:/${parts.map((each) => encodeURIComponent(each)).join('/')}`;
              return [uri, { uri, name: name ?? parts.at(-1) ?? '' }];
            }),
          );
          const named = names.of([...all.values()]);
          assert.equal(new Set(named.map(({ name }) => name)).size, named.length);
          if (named.length < 2) continue;
          for (const { name, uri } of named) {
            const expected = { folder: uri, path: 'src/a.ts' };
            assert.deepEqual(namedLocation(named, `${name}/src/a.ts`), expected);
          }
        }
      }),
      { numRuns: fuzzRuns(200) },
    );
  });
});

describe('a path in one of two open folders of one name', () => {
  let base = '';
  let folders: readonly OpenedFolder[] = [];

  before(async () => {
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-names-')));
    for (const place of ['client', 'server']) {
      await mkdir(path.join(base, place, 'app'), { recursive: true });
      await writeFile(path.join(base, place, 'app', 'a.ts'), place);
    }
    const uris = ['client', 'server'].map((place) => uriOf(path.join(base, place, 'app')));
    folders = new FolderNames().of(opened(...uris));
  });
  after(() => rm(base, { recursive: true, force: true }));

  it('is read by the name that tells them apart', async () => {
    const guarded = new NodeGuardedFiles(() => folders);
    for (const place of ['client', 'server']) {
      const at = await guarded.resolve(`app (${place})/a.ts`);
      assert.equal(at.shown, `app (${place})/a.ts`);
      assert.equal(new TextDecoder().decode(await guarded.read(at, 100)), place);
      const [named] = await guarded.nameable([at.uri]);
      assert.equal(named?.shown, at.shown);
    }
  });

  it('is refused with both where it can mean either', async () => {
    const files = new MemoryUriFiles({ 'memfs:/client/app/a.ts': '', 'memfs:/server/app/a.ts': '' });
    const virtual = new FolderNames().of(opened('memfs:/client/app', 'memfs:/server/app'));
    for (const guarded of [
      new NodeGuardedFiles(() => folders),
      new VirtualGuardedFiles(files, () => virtual),
    ]) {
      await assert.rejects(guarded.resolve('app/a.ts'), {
        code: 'ambiguous',
        meant: ['app (client)/a.ts', 'app (server)/a.ts'],
        message: '“app/a.ts” can mean each of these: app (client)/a.ts, app (server)/a.ts. Name one of them.',
      });
      await assert.rejects(guarded.resolveForWriting('./app'), {
        meant: ['app (client)', 'app (server)'],
      });
      await assert.rejects(guarded.resolve('a.ts'), { code: 'which-folder' });
    }
  });
});
