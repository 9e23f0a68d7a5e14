import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { NodeWorkspaceFiles } from '../../../src/host/node/nodeWorkspaceFiles.ts';
import { PathGuard } from '../../../src/host/node/pathGuard.ts';
import type { FileLocation } from '../../../src/host/workspaceFiles.ts';
import { RealWorkspace, writeJournalIn } from '../../fixtures/realWorkspace.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const content = (text: string, mode?: number) => ({ bytes: bytes(text), mode });

describe('files of a workspace', () => {
  let workspace: RealWorkspace;
  beforeEach(async () => (workspace = await RealWorkspace.make()));
  afterEach(() => workspace[Symbol.asyncDispose]());

  it('are written into a new folder by several programs at once', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `new/deep/${at}`);
    const made = await Promise.all(
      names.map((name) => workspace.files.write(workspace.at(name), content(name), 't')),
    );
    for (const name of names) assert.equal(await workspace.text(name), name);
    // Each folder is made once, and by one of them.
    assert.deepEqual(made.flat().sort(), ['new', 'new/deep']);
  });

  it('are read and written byte for byte', async () => {
    const all = Uint8Array.from({ length: 1024 }, (_, index) => index % 256);
    const crlf = bytes('\ufeffone\r\ntwo\n');
    for (const [name, each] of [
      ['binary.bin', all],
      ['windows.txt', crlf],
      ['empty', bytes('')],
    ] as const) {
      await workspace.files.write(workspace.at(name), { bytes: each, mode: undefined }, 't');
      assert.deepEqual((await workspace.files.read(workspace.at(name)))?.bytes, each);
      assert.deepEqual(Uint8Array.from(await readFile(workspace.onDisk(name))), each);
    }
  });

  it('are made with the folders they lie in, which it tells of', async () => {
    await mkdir(workspace.onDisk('a'));
    assert.deepEqual(await workspace.files.write(workspace.at('a/b/c/d.txt'), content('x'), 't'), [
      'a/b',
      'a/b/c',
    ]);
    assert.deepEqual(await workspace.files.write(workspace.at('a/b/c/e.txt'), content('x'), 't'), []);
  });

  it('keep the bits of their mode, and get or lose the one for running', async () => {
    await workspace.put('run.sh', 'old', 0o744);
    await workspace.files.write(workspace.at('run.sh'), content('new', 0o755), 't');
    assert.equal((await stat(workspace.onDisk('run.sh'))).mode & 0o777, 0o744);
    await workspace.files.write(workspace.at('run.sh'), content('new', 0o640), 't');
    assert.equal((await stat(workspace.onDisk('run.sh'))).mode & 0o777, 0o640);
    await workspace.files.write(workspace.at('run.sh'), content('new', 0o750), 't');
    assert.equal((await workspace.files.read(workspace.at('run.sh')))?.mode, 0o750);
    await workspace.files.write(workspace.at('secret'), content('x', 0o600), 't');
    assert.equal((await stat(workspace.onDisk('secret'))).mode & 0o777, 0o600);
  });

  it('leave nothing behind when they cannot be written', async () => {
    await workspace.put('folder/file', 'x');
    await chmod(workspace.onDisk('folder'), 0o555);
    const before = await workspace.picture();
    if (process.getuid?.() !== 0) {
      await assert.rejects(workspace.files.write(workspace.at('folder/new'), content('y'), 't'));
    }
    await assert.rejects(workspace.files.write(workspace.at('folder/file/below'), content('y'), 't'), {
      code: 'not-a-file',
    });
    await assert.rejects(workspace.files.write(workspace.at('folder'), content('y'), 't'), {
      code: 'not-a-file',
    });
    assert.deepEqual(await workspace.picture(), before);
    await chmod(workspace.onDisk('folder'), 0o755);
  });

  it('are neither removed nor replaced where they are not those that were looked at', async () => {
    await workspace.put('a', 'looked at');
    const at = await workspace.guard.resolve('a');
    const hash = createHash('sha256').update('looked at').digest('hex');
    await workspace.put('a', 'changed since');
    const changed = { hash, identity: at.identity };
    await assert.rejects(workspace.files.remove(at, changed), { code: 'changed' });
    await assert.rejects(workspace.files.write(at, content('new'), 't', changed), { code: 'changed' });
    await writeFile(workspace.onDisk('other'), 'looked at');
    await rename(workspace.onDisk('other'), workspace.onDisk('a'));
    await assert.rejects(workspace.files.remove(at, changed), { code: 'changed' });
    await workspace.files.remove(at, { hash });
    assert.equal(await workspace.files.read(workspace.at('a')), undefined);
  });

  it('are not written through a link in the place of what is written first', async () => {
    const theirs = path.join(workspace.outside, 'theirs');
    await writeFile(theirs, 'theirs');
    await symlink(theirs, workspace.onDisk('.a.tag.offshoot'));
    await assert.rejects(workspace.files.write(workspace.at('a'), content('mine'), 'tag'), {
      code: 'EEXIST',
    });
    assert.equal(await readFile(theirs, 'utf8'), 'theirs');
    assert.equal(await workspace.files.read(workspace.at('a')), undefined);
  });

  it('stay the files they are when they are written: their owner, their names, what is attached to them', async () => {
    await workspace.put('one', 'same', 0o640);
    const two = path.join(workspace.outside, 'two');
    await link(workspace.onDisk('one'), two);
    // Only root can give a file away.
    if (process.getuid?.() === 0) await chown(two, 1234, 2345);
    const before = await stat(two);
    for (const text of ['longer than before', '']) {
      await workspace.files.write(workspace.at('one'), content(text), 't');
      assert.equal(await readFile(two, 'utf8'), text);
      const { ino, uid, gid, mode, nlink } = await stat(workspace.onDisk('one'));
      // What is attached to a file, such as access lists, stays with its number.
      assert.deepEqual([ino, uid, gid, mode, nlink], [before.ino, before.uid, before.gid, before.mode, 2]);
    }
    assert.deepEqual(await readdir(workspace.storage), [], 'no record is left');
  });

  it('stay the files they are under another name', async () => {
    await workspace.put('one', 'same', 0o640);
    await link(workspace.onDisk('one'), path.join(workspace.outside, 'two'));
    const { ino } = await stat(workspace.onDisk('one'));
    const { identity } = await workspace.guard.resolve('one');
    const expected = { hash: createHash('sha256').update('same').digest('hex'), identity };
    await workspace.put('taken', 'theirs');
    await assert.rejects(workspace.files.move(workspace.at('one'), workspace.at('taken'), expected), {
      code: 'changed',
    });
    assert.deepEqual(await workspace.files.move(workspace.at('one'), workspace.at('a/b'), expected), ['a']);
    const moved = await stat(workspace.onDisk('a/b'));
    assert.deepEqual([moved.ino, moved.nlink, moved.mode & 0o777], [ino, 2, 0o640]);
    await assert.rejects(workspace.files.move(workspace.at('one'), workspace.at('c/d'), expected), {
      code: 'changed',
    });
    assert.deepEqual(Object.keys(await workspace.picture()), ['a', 'a/b', 'taken']);
  });

  it('that are read-only are written as they are, and are read-only again', async () => {
    await workspace.put('locked', 'old', 0o444);
    await workspace.files.write(workspace.at('locked'), content('new', 0o444), 't');
    assert.equal(await workspace.text('locked'), 'new');
    assert.equal((await stat(workspace.onDisk('locked'))).mode & 0o777, 0o444);
  });

  it('have their old bytes again when they cannot be written to the end', async () => {
    await workspace.put('a', 'old bytes');
    const handle = await open(workspace.onDisk('a'));
    const prototype = Object.getPrototypeOf(handle) as { truncate: (length: number) => Promise<void> };
    await handle.close();
    const { truncate } = prototype;
    let calls = 0;
    prototype.truncate = function (this: typeof prototype, length) {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('no room')) : truncate.call(this, length);
    };
    try {
      await assert.rejects(workspace.files.write(workspace.at('a'), content('new'), 't'), /no room/);
    } finally {
      prototype.truncate = truncate;
    }
    assert.equal(await workspace.text('a'), 'old bytes');
    assert.deepEqual(await readdir(workspace.storage), []);
  });

  it('can be links and folders, which are read, made and removed as such, and never followed', async () => {
    const theirs = path.join(workspace.outside, 'theirs');
    await writeFile(theirs, 'theirs');
    const leadingTo = (target: string) => ({ ...content(target), kind: 'link' as const });
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const at = workspace.at('link');
    await workspace.files.write(at, leadingTo(theirs), 't', { hash: null });
    assert.deepEqual(await workspace.files.readEntry(at), { ...leadingTo(theirs), mode: undefined });
    await assert.rejects(workspace.files.write(at, leadingTo('x'), 't', { hash: null }), {
      code: 'not-a-file',
    });
    const expected = { hash: hash(theirs), isLink: true };
    await assert.rejects(workspace.files.write(at, leadingTo('x'), 't', { ...expected, hash: hash('y') }), {
      code: 'changed',
    });
    await workspace.files.write(at, leadingTo('nowhere'), 't', expected);
    assert.equal(await readlink(workspace.onDisk('link')), 'nowhere');
    await workspace.files.write(at, content('a file'), 't', { hash: hash('nowhere'), isLink: true });
    assert.equal(await workspace.text('link'), 'a file');
    await workspace.files.write(at, leadingTo('again'), 't', { hash: hash('a file') });
    await workspace.files.remove(at, { hash: hash('again'), isLink: true });
    assert.equal(await workspace.files.readEntry(at), undefined);
    await workspace.files.makeFolder(workspace.at('f/g'), 0o750);
    assert.deepEqual(await workspace.files.readEntry(workspace.at('f/g')), {
      bytes: bytes(''),
      mode: 0o750,
      kind: 'folder',
    });
    assert.equal(await readFile(theirs, 'utf8'), 'theirs');
  });

  it('are removed alone, with an emptied folder only when it is asked for', async () => {
    await workspace.put('a/one', '1');
    await workspace.put('a/two', '2');
    await workspace.files.remove(workspace.at('a/one'));
    await workspace.files.removeEmptyFolder(workspace.at('a'));
    assert.deepEqual(Object.keys(await workspace.picture()), ['a', 'a/two']);
    await workspace.files.remove(workspace.at('a/two'));
    await workspace.files.remove(workspace.at('a/two'));
    assert.deepEqual(Object.keys(await workspace.picture()), ['a']);
    await workspace.files.removeEmptyFolder(workspace.at('a'));
    await workspace.files.removeEmptyFolder(workspace.at('a'));
    assert.deepEqual(await workspace.picture(), {});
  });

  describe('a path', () => {
    const refused = async (file: string, code: string): Promise<void> => {
      const before = [await workspace.picture(), await workspace.picture(workspace.outside)];
      const location = workspace.at(file);
      await assert.rejects(workspace.files.read(location), { code }, `read ${file}`);
      await assert.rejects(workspace.files.write(location, content('!'), 't'), { code }, `write ${file}`);
      await assert.rejects(workspace.files.remove(location), { code }, `remove ${file}`);
      await assert.rejects(workspace.files.removeEmptyFolder(location), { code }, `folder ${file}`);
      assert.deepEqual([await workspace.picture(), await workspace.picture(workspace.outside)], before);
    };

    it('that is none is refused', async () => {
      for (const file of [
        '',
        '/',
        '/etc/passwd',
        '..',
        '../outside/x',
        'a/../../x',
        'a//b',
        './a',
        'a/.',
        'C:/x',
        'a:stream',
        'a\\..\\..\\x',
        'a\0b',
        'trailing.',
        'trailing ',
        'a /b',
      ]) {
        await refused(file, 'invalid-path');
      }
    });

    it('in a git repository is refused, however its name is written', async () => {
      for (const file of [
        '.git',
        '.git/HEAD',
        '.GIT/index',
        '.Git/config',
        'sub/.git/hooks/pre-commit',
        'git~1/HEAD',
        'GIT~2/x',
        '.g\u200cit/HEAD',
        '.git\u200e/config',
        '.\uff27\uff29\uff34/HEAD',
        'sub/.git',
      ]) {
        await refused(file, 'git-repository');
      }
    });

    it('in a repository under another name is refused', async () => {
      await workspace.put('meta/HEAD', 'ref: refs/heads/main\n');
      await workspace.put('meta/objects/x', '');
      await workspace.put('meta/refs/x', '');
      await refused('meta/HEAD', 'git-repository');
      await refused('meta/hooks/pre-commit', 'git-repository');
      await workspace.put('src/ok', 'fine');
      assert.ok(await workspace.files.read(workspace.at('src/ok')));
    });

    it('with a link in it is refused', async () => {
      await writeFile(path.join(workspace.outside, 'file'), 'theirs');
      await symlink(workspace.outside, workspace.onDisk('out'));
      await symlink(path.join(workspace.outside, 'file'), workspace.onDisk('link'));
      await mkdir(workspace.onDisk('real'));
      await symlink(workspace.onDisk('real'), workspace.onDisk('inner'));
      await refused('out/file', 'outside-workspace');
      await refused('out/new', 'outside-workspace');
      await refused('inner/file', 'outside-workspace');
      const location = workspace.at('link');
      await assert.rejects(workspace.files.read(location), { code: 'not-a-file' });
      await assert.rejects(workspace.files.write(location, content('!'), 't'), { code: 'not-a-file' });
      await assert.rejects(workspace.files.remove(location), { code: 'not-a-file' });
      assert.equal(await readFile(path.join(workspace.outside, 'file'), 'utf8'), 'theirs');
    });

    it('in a folder that is none of the workspace is refused', async () => {
      const elsewhere = { folder: 'file:///elsewhere', path: 'a' };
      await assert.rejects(workspace.files.read(elsewhere), { code: 'outside-workspace' });
    });
  });

  const locate = async (given: string, guard = workspace.guard): Promise<FileLocation> => {
    const { folder, path: below } = await guard.resolve(given);
    return { folder, path: below };
  };

  describe('the one location of a file', () => {
    it('is found through links within the workspace', async () => {
      await workspace.put('real/file', 'x');
      await symlink(workspace.onDisk('real'), workspace.onDisk('alias'));
      assert.deepEqual(await locate('alias/file'), workspace.at('real/file'));
      assert.deepEqual(await locate('alias/new/er'), workspace.at('real/new/er'));
      assert.deepEqual(await locate('real/file'), workspace.at('real/file'));
    });

    it('is refused where links lead out, into a repository, or to nothing', async () => {
      await mkdir(workspace.onDisk('.git'));
      await symlink(workspace.outside, workspace.onDisk('out'));
      await symlink(workspace.onDisk('.git'), workspace.onDisk('innocent'));
      await symlink(path.join(workspace.outside, 'nothing'), workspace.onDisk('dangling'));
      for (const [file, code] of [
        ['out/x', 'outside-workspace'],
        ['innocent/HEAD', 'git-repository'],
        ['dangling', 'outside-workspace'],
        ['../outside/x', 'outside-workspace'],
      ] as const) {
        await assert.rejects(locate(file), { code }, file);
      }
    });
  });

  it('of folders within each other belong to the inner one', async () => {
    await workspace.put('inner/file', 'x');
    const inner = { name: 'inner', uri: `${workspace.uri}/inner`, root: workspace.onDisk('inner') };
    const outer = { name: 'outer', uri: workspace.uri, root: workspace.folder };
    const guard = new PathGuard(() => [outer, inner]);
    const location = { folder: inner.uri, path: 'file' };
    assert.deepEqual(await locate('outer/inner/file', guard), location);
    const files = new NodeWorkspaceFiles(guard, writeJournalIn(workspace.storage));
    assert.deepEqual((await files.read(location))?.bytes, bytes('x'));
    assert.deepEqual(await locate('outer/other', guard), workspace.at('other'));
  });

  it('stay inside while another program swaps a folder for a link as fast as it can', async function () {
    if (process.platform !== 'linux') this.skip();
    await workspace.put('sub/file', 'ours');
    await writeFile(path.join(workspace.outside, 'file'), 'theirs');
    const stopped = new AbortController();
    // What the writer makes in between may be in the way of a step; the next round goes on from there.
    const inTheWay = (): undefined => undefined;
    const sub = workspace.onDisk('sub');
    const swapping = (async () => {
      for (let round = 0; !stopped.signal.aborted; round += 1) {
        await rename(sub, workspace.onDisk(`away-${round}`)).catch(inTheWay);
        await symlink(workspace.outside, sub).catch(inTheWay);
        await unlink(sub).catch(inTheWay);
        await rename(workspace.onDisk(`away-${round}`), sub).catch(inTheWay);
      }
    })();
    const outcomes = { done: 0, refused: 0 };
    for (let round = 0; round < 300; round += 1) {
      const location = workspace.at(round % 3 === 0 ? 'sub/deep/er/file' : 'sub/file');
      try {
        const found = await workspace.files.read(location);
        assert.notDeepEqual(found?.bytes, bytes('theirs'));
        await workspace.files.write(location, content(`ours ${round}`), String(round));
        if (round % 3 === 0) await workspace.files.remove(location);
        outcomes.done += 1;
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        outcomes.refused += 1;
      }
    }
    stopped.abort();
    await swapping;
    assert.deepEqual(await readdir(workspace.outside), ['file']);
    assert.equal(await readFile(path.join(workspace.outside, 'file'), 'utf8'), 'theirs');
    assert.ok(outcomes.done > 0 && outcomes.refused > 0, JSON.stringify(outcomes));
  });
});
