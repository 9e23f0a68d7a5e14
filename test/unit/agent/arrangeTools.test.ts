import assert from 'node:assert/strict';
import { chmod, link, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { pictureOf } from '../../fixtures/realWorkspace.ts';
import { CHAT, type World } from '../../worlds/agentWorld.ts';
import { restoreAll } from '../../worlds/restores.ts';
import { request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

const lastResults = (world: World): string[] =>
  toolResultsOf(request(world.server, world.server.requests.length)).map(({ result }) => result);
const remove = (file: string) => ['delete_file', { path: file }] as const;
const rename = (from: string, to: string) => ['rename_file', { from, to }] as const;
const folder = (name: string) => ['create_folder', { path: name }] as const;

describe('the tools that arrange files', () => {
  it('ask first, with what goes and where it goes, and do what was shown', async () => {
    await using workspace = await TestWorkspace.create({
      'a.ts': 'one\n',
      'b.ts': 'two\n',
      'c.png': Uint8Array.from([0, 1]),
    });
    const person = new Person(() => 'once');
    await using world = await writingWorld(workspace, person, [
      useTools(remove('a.ts'), rename('b.ts', 'deep/er/b.ts'), remove('c.png'), folder('new/one')),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.deepEqual(
      person.asked.map(({ toolName, kind, preview }) => [
        toolName,
        kind,
        preview?.shown,
        preview?.before,
        preview?.after,
      ]),
      [
        ['delete_file', 'write', 'a.ts', 'one\n', null],
        ['rename_file', 'write', 'b.ts → deep/er/b.ts', 'two\n', 'two\n'],
        ['delete_file', 'write', 'c.png', '', null],
        ['create_folder', 'write', undefined, undefined, undefined],
      ],
    );
    assert.deepEqual(lastResults(world), [
      'Deleted a.ts.',
      'Renamed b.ts to deep/er/b.ts.',
      'Deleted c.png.',
      'Created the folder new/one.',
    ]);
    assert.equal(await workspace.text('deep/er/b.ts'), 'two\n');
    assert.deepEqual((await readdir(workspace.root)).sort(), ['deep', 'new']);
    assert.deepEqual(await readdir(path.join(workspace.root, 'new/one')), []);
  });

  it('are recorded with the message, so that all of it can go back, the bit for running included', async () => {
    await using workspace = await TestWorkspace.create({ 'a.sh': 'one\n', 'b.ts': 'two\n' });
    await chmod(path.join(workspace.root, 'a.sh'), 0o755);
    await using world = await writingWorld(workspace, new Person(() => 'once'), [
      useTools(rename('a.sh', 'bin/a.sh'), remove('b.ts')),
      answer('ok'),
    ]);
    await world.answered('?');
    const moved = await stat(path.join(workspace.root, 'bin/a.sh'));
    assert.equal(moved.mode & 0o777, 0o755);
    const changes = (await world.store.listFileChanges(CHAT)).flatMap(({ files }) => files);
    assert.deepEqual(
      changes.map((change) => [
        change.path,
        change.before !== null,
        change.after !== null,
        change.madeFolders,
      ]),
      [
        ['bin/a.sh', false, true, ['bin']],
        ['a.sh', true, false, undefined],
        ['b.ts', true, false, undefined],
      ],
    );
    assert.equal(changes[0]?.after?.hash, changes[1]?.before?.hash);
    assert.equal((changes[0]?.after?.mode ?? 0) & 0o100, 0o100);
    for (const { before } of changes) {
      if (before) assert.ok(await world.store.blobs.has(before.hash));
    }
  });

  it('say that a file with other names would come back as another one, and move it as it is', async () => {
    await using workspace = await TestWorkspace.create({ 'a.ts': 'one', 'b.ts': 'two', 'c.ts': 'three' });
    for (const name of ['a', 'b']) await link(workspace.at(`${name}.ts`), workspace.at(`${name}-too.ts`));
    const { ino } = await stat(workspace.at('b.ts'));
    const person = new Person(() => 'once');
    await using world = await writingWorld(workspace, person, [
      useTools(remove('a.ts'), rename('b.ts', 'deep/b.ts'), remove('c.ts')),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.deepEqual(
      person.asked.map(({ preview }) => [preview?.shown, preview?.comesBackAsAnother]),
      [
        ['a.ts', true],
        ['b.ts → deep/b.ts', true],
        ['c.ts', false],
      ],
    );
    assert.equal((await stat(workspace.at('deep/b.ts'))).ino, ino);
    assert.equal(await workspace.text('a-too.ts'), 'one');
  });

  it('have what they made taken back, empty folders included', async () => {
    await using workspace = await TestWorkspace.create({ 'a.ts': 'one' });
    await using world = await writingWorld(workspace, new Person(() => 'once'), [
      useTools(folder('new/one'), rename('a.ts', 'new/two/a.ts')),
      answer('ok'),
    ]);
    await world.answered('?');
    const after = await pictureOf(workspace.root);
    const last = (await world.path()).at(-1)?.id ?? assert.fail();
    await restoreAll(world, workspace, null);
    assert.deepEqual(await readdir(workspace.root), ['a.ts']);
    await restoreAll(world, workspace, last);
    assert.deepEqual(await pictureOf(workspace.root), after);
  });

  it('refuse what is not there, what is in the way, what is not saved, and what is not theirs', async () => {
    await using workspace = await TestWorkspace.create({
      'a.ts': 'one\n',
      'b.ts': 'two\n',
      'c.ts': 'mine\n',
    });
    await mkdir(path.join(workspace.root, 'folder'));
    await mkdir(path.join(workspace.root, '.git'));
    await writeFile(path.join(workspace.root, '.git/HEAD'), 'ref: refs/heads/main\n');
    await symlink('/etc', path.join(workspace.root, 'out'));
    workspace.type('c.ts', 'mine too\n');
    const person = new Person(() => 'once');
    await using world = await writingWorld(workspace, person, [
      useTools(
        remove('gone.ts'),
        rename('gone.ts', 'x.ts'),
        rename('a.ts', 'b.ts'),
        remove('c.ts'),
        rename('c.ts', 'd.ts'),
        remove('folder'),
        remove('.git/HEAD'),
        rename('a.ts', '.git/hooks/a'),
        remove('out/passwd'),
        rename('a.ts', '../a.ts'),
        folder('a.ts'),
        folder('.git/x'),
      ),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.deepEqual(person.asked, []);
    const results = lastResults(world);
    assert.equal(results[0], 'There is no gone.ts.');
    assert.equal(results[2], 'There is a b.ts already.');
    assert.match(results[3] ?? '', /not saved/);
    assert.match(results[4] ?? '', /not saved/);
    assert.equal(results.length, 12);
    for (const result of results) assert.doesNotMatch(result, /^(?:Deleted|Renamed|Created)/);
    assert.equal(await workspace.text('a.ts'), 'one\n');
    assert.equal(await workspace.text('c.ts'), 'mine\n');
    assert.equal(await workspace.text('.git/HEAD'), 'ref: refs/heads/main\n');
  });

  it('do nothing when they are denied, or when the file changed while the user was asked', async () => {
    await using workspace = await TestWorkspace.create({ 'a.ts': 'one\n', 'b.ts': 'two\n' });
    const denying = new Person(() => 'deny');
    await using denied = await writingWorld(workspace, denying, [
      useTools(remove('a.ts'), rename('a.ts', 'x.ts'), folder('new')),
      answer('ok'),
    ]);
    await denied.answered('?');
    assert.deepEqual((await readdir(workspace.root)).sort(), ['a.ts', 'b.ts']);
    const person = new Person(({ id }) => {
      const text = `by hand ${person.asked.length}\n`;
      const change = Promise.all(['a.ts', 'b.ts'].map((name) => workspace.put(name, text)));
      void change.then(() => person.approvals.answer(id, 'once'));
      return undefined;
    });
    await using changed = await writingWorld(workspace, person, [
      useTools(remove('a.ts'), rename('b.ts', 'x.ts')),
      answer('ok'),
    ]);
    await changed.answered('?');
    assert.equal(person.asked.length, 2);
    assert.equal(await workspace.text('a.ts'), 'by hand 2\n');
    assert.equal(await workspace.text('b.ts'), 'by hand 2\n');
    assert.deepEqual((await readdir(workspace.root)).sort(), ['a.ts', 'b.ts']);
  });

  it('ask each time about files that run programs, whichever end of a rename they are', async () => {
    await using workspace = await TestWorkspace.create({ 'package.json': '{}', 'a.json': '{}', 'b.ts': '' });
    const person = new Person(({ preview }) => (preview?.shown === 'b.ts' ? 'workspace' : 'deny'));
    await using world = await writingWorld(workspace, person, [
      useTools(remove('b.ts'), remove('package.json'), rename('a.json', '.vscode/tasks.json')),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.equal(person.asked.length, 3);
    assert.deepEqual(
      person.asked.map(({ protection }) => protection !== undefined),
      [false, true, true],
    );
  });
});
