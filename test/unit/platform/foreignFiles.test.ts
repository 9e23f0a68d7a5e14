import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { NodeForeignFiles } from '../../../src/host/node/nodeForeignFiles.ts';
import type { ForeignFile } from '../../../src/host/foreignFiles.ts';
import { makePipe } from '../../fixtures/storage/otherKinds.ts';
import { zipOf } from '../../fixtures/zipFile.ts';

describe('files of other programs', () => {
  let folder: string;
  let files: NodeForeignFiles;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-foreign-'));
    files = new NodeForeignFiles({}, folder);
    await mkdir(path.join(folder, 'root', 'inside'), { recursive: true });
    await writeFile(path.join(folder, 'root', 'a.jsonl'), 'a');
    await writeFile(path.join(folder, 'secret.jsonl'), 'secret');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const root = (): string => path.join(folder, 'root');
  const text = async (file: ForeignFile | undefined): Promise<string> => {
    let read = '';
    for await (const chunk of file?.chunks() ?? []) read += new TextDecoder().decode(chunk);
    return read;
  };

  it('are listed and read; links are neither', async () => {
    await symlink(path.join(folder, 'secret.jsonl'), path.join(root(), 'linked.jsonl'));
    await symlink(folder, path.join(root(), 'linked'));
    const { files: found, folders } = await files.list(root());
    assert.deepEqual([found.map(({ name }) => name), folders], [['a.jsonl'], ['inside']]);
    assert.equal(await text(found[0]), 'a');
    for (const below of [['linked'], ['..'], ['inside', '..', '..'], ['nowhere']]) {
      assert.deepEqual(await files.list(root(), ...below), { files: [], folders: [] }, below.join('/'));
    }
    assert.deepEqual(await files.list(path.join(folder, 'nowhere')), { files: [], folders: [] });
  });

  it('are added, for their owner alone, where nothing is and no link leads away', async () => {
    const bytes = new TextEncoder().encode('added');
    const read = async (file: string | undefined): Promise<string> => (file ? readFile(file, 'utf8') : '');
    const home = path.join(folder, 'new', 'home');
    const added = await files.add(home, ['2026', '01', 'one.jsonl'], bytes);
    assert.equal(added, path.join(await realpath(folder), 'new', 'home', '2026', '01', 'one.jsonl'));
    assert.equal(await read(added), 'added');
    // Windows has no such modes.
    if (process.platform !== 'win32') assert.equal((await stat(added)).mode & 0o777, 0o600);
    assert.equal(await files.add(root(), ['a.jsonl'], bytes), undefined);
    assert.equal(await read(path.join(root(), 'a.jsonl')), 'a');
    await symlink(folder, path.join(root(), 'linked'));
    await symlink(path.join(folder, 'dangling.jsonl'), path.join(root(), 'dangling.jsonl'));
    assert.equal(await files.add(root(), ['linked', 'made', 'b.jsonl'], bytes), undefined);
    assert.equal(await files.add(root(), ['dangling.jsonl'], bytes), undefined);
    assert.equal(await files.add(root(), ['a.jsonl', 'b.jsonl'], bytes), undefined);
    assert.deepEqual((await readdir(folder)).toSorted(), ['new', 'root', 'secret.jsonl']);
    for (const place of [['..', 'b.jsonl'], ['inside/../../b.jsonl'], ['..']]) {
      await assert.rejects(files.add(root(), place, bytes), RangeError, place.join(' '));
    }
  });

  it('that became a link after they were listed are not read', async () => {
    const { files: found } = await files.list(root());
    await rm(path.join(root(), 'a.jsonl'));
    await symlink(path.join(folder, 'secret.jsonl'), path.join(root(), 'a.jsonl'));
    await assert.rejects(text(found[0]), { code: 'ELOOP' });
  });

  it('are nothing but files: a pipe or a device is refused at once', async () => {
    // Windows has no such names.
    if (process.platform === 'win32') return;
    const pipe = path.join(folder, 'pipe.zip');
    await makePipe(pipe);
    for (const at of [pipe, '/dev/zero', root()]) {
      const uri = pathToFileURL(at).href;
      await assert.rejects(files.chosen(uri), { name: 'FileKindError' }, at);
      await assert.rejects(files.archive(uri), { name: 'FileKindError' }, at);
    }
    const chosen = await files.chosen(pathToFileURL(path.join(folder, 'secret.jsonl')).href);
    await rm(path.join(folder, 'secret.jsonl'));
    await makePipe(path.join(folder, 'secret.jsonl'));
    await assert.rejects(text(chosen), { name: 'FileKindError' });
  });

  it('are found where their programs keep them, or are told to', () => {
    const home = { variable: 'CODEX_HOME', base: 'home', below: ['.codex'] } as const;
    assert.equal(files.userFolder(home, 'sessions'), path.join(folder, '.codex', 'sessions'));
    const told = new NodeForeignFiles({ CODEX_HOME: '/x' }, folder);
    assert.equal(told.userFolder(home, 'sessions'), path.normalize('/x/sessions'));
    const unset = new NodeForeignFiles({ CODEX_HOME: '' }, folder);
    assert.equal(unset.userFolder(home), path.join(folder, '.codex'));
    const inBase = (base: 'appData' | 'localData', platform: NodeJS.Platform, env = {}) =>
      new NodeForeignFiles(env, folder, platform).userFolder({ base, below: ['Program'] });
    const support = path.join(folder, 'Library', 'Application Support', 'Program');
    assert.deepEqual([inBase('appData', 'darwin'), inBase('localData', 'darwin')], [support, support]);
    assert.deepEqual(
      [inBase('appData', 'linux'), inBase('localData', 'linux'), inBase('appData', 'win32')],
      [['.config'], ['.local', 'share'], ['AppData', 'Roaming']].map((each) =>
        path.join(folder, ...each, 'Program'),
      ),
    );
    const roaming = { APPDATA: '/r', LOCALAPPDATA: '/l', XDG_DATA_HOME: '/d' };
    assert.deepEqual(
      [inBase('appData', 'win32', roaming), inBase('localData', 'win32', roaming)],
      ['/r/Program', '/l/Program'].map((each) => path.normalize(each)),
    );
    assert.equal(inBase('localData', 'linux', roaming), path.normalize('/d/Program'));
  });

  it('in a ZIP file are read by their names, and lead nowhere', async () => {
    const zip = path.join(folder, 'x.zip');
    const names = ['conversations.json', 'below/file-abc.png'];
    await writeFile(zip, zipOf(names.map((name) => ({ name, text: `in ${name}` }))));
    const archive = await files.archive(pathToFileURL(zip).href);
    try {
      assert.deepEqual(
        archive.entries.map(({ name }) => name),
        names,
      );
      assert.deepEqual(
        await Promise.all(archive.entries.map(text)),
        names.map((name) => `in ${name}`),
      );
    } finally {
      archive.close();
    }
  });

  it('in a ZIP file that names paths, lies about sizes, or would grow without end are refused', async () => {
    const zip = path.join(folder, 'x.zip');
    const open = async (bytes: Uint8Array): Promise<string> => {
      await writeFile(zip, bytes);
      const archive = await files.archive(pathToFileURL(zip).href);
      try {
        return await text(archive.entries[0]);
      } finally {
        archive.close();
      }
    };
    await assert.rejects(open(zipOf([{ name: '../../etc/passwd', text: 'x' }])), /invalid relative path/);
    await assert.rejects(open(zipOf([{ name: '/etc/passwd', text: 'x' }])), /absolute path/);
    const bomb = zipOf([{ name: 'conversations.json', text: '0'.repeat(3_000_000) }]);
    await assert.rejects(open(bomb), /far too large/);
    const liar = zipOf([{ name: 'conversations.json', text: 'x'.repeat(5_000), claimedSize: 10 }]);
    await assert.rejects(open(liar), /too many bytes/);
    await assert.rejects(open(new TextEncoder().encode('no zip')), /End of central directory/i);
  });
});
