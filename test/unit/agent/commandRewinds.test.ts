import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { pictureOf } from '../../fixtures/realWorkspace.ts';
import { undoRestored } from '../../fixtures/undoRestored.ts';
import { CHAT, type World } from '../../worlds/agentWorld.ts';
import { commandWorld } from '../../worlds/commandWorld.ts';
import { script } from '../../worlds/gitRepository.ts';
import { restoreAll, restorerOf } from '../../worlds/restores.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { request } from '../../worlds/toolCalls.ts';
import { Person } from '../../worlds/writingWorld.ts';

interface Ran {
  readonly world: World;
  /** What the user and the model are told of it. */
  readonly result: string;
}

/** A model that runs one command in a workspace. */
async function ran(workspace: TestWorkspace, command: string): Promise<Ran> {
  const person = new Person(() => 'once');
  const { world, runs } = await commandWorld(workspace, person, [
    useTools(['run_command', { command }]),
    answer('ok'),
  ]);
  await world.answered('?');
  runs.dispose();
  const results = toolResultsOf(request(world.server, world.server.requests.length));
  return { world, result: results[0]?.result ?? '' };
}

/** All but git's own data. */
async function workOf(workspace: TestWorkspace): Promise<Record<string, string>> {
  const all = Object.entries(await pictureOf(workspace.root));
  return Object.fromEntries(all.filter(([name]) => !name.split('/').includes('.git')));
}

const init = 'git init -q .; git add -A; git commit -qm first';

interface Case {
  readonly before: string;
  readonly command: string;
}

/** In a folder with `notes.md` in it. */
const cases: Readonly<Record<string, Case>> = {
  'files without git': {
    before: 'echo one > a; mkdir b; echo one > b/c; echo x > run.sh; chmod 644 run.sh',
    command: 'echo two > a; rm b/c; mkdir -p d/e; echo new > d/e/f; chmod +x run.sh',
  },
  'a repository without a commit in another one': {
    before: `${init}; mkdir inner; cd inner; git init -q .; echo one > kept.txt; echo one > lost.txt; cd ..
      ln -s notes.md a-link`,
    command: 'echo two > inner/kept.txt; rm inner/lost.txt; rm a-link',
  },
  'a repository in another one: clean, changed, new and ignored files': {
    before: `${init}; mkdir -p tools/inner/deep; cd tools/inner; echo c > clean; echo g > deep/gone; echo d > dirty
      echo '*.log' > .gitignore; ${init}; echo more >> dirty; echo n > new; echo l > x.log`,
    command:
      'cd tools/inner; echo 2 > clean; rm -r deep; echo 3 > dirty; rm new; echo 4 > x.log; echo 5 > made',
  },
  'a submodule': {
    before: `mkdir seed; cd seed; echo s > s.txt; echo l > lost.txt; ${init}; cd ..; git init -q .
      git submodule --quiet add "$PWD/seed" sub; git add -A; git commit -qm first`,
    command: 'echo two > sub/s.txt; rm sub/lost.txt; echo n > sub/new; rm seed/s.txt',
  },
  'a linked worktree': {
    before: `${init}; git worktree add -q tree; echo u > tree/uncommitted`,
    command: 'echo two > tree/notes.md; rm tree/uncommitted',
  },
  'what git ignores': {
    before: `echo 'local\n*.dat' > .gitignore; ${init}; mkdir -p local/deep; echo 1 > local/deep/x; echo 2 > a.dat`,
    command: 'rm -r local; echo 3 > a.dat; echo 4 > b.dat',
  },
  'links, which are never followed': {
    before: `mkdir real e; echo x > real/x; ln -s notes.md a; ln -s real b; ln -s nowhere c; ln -s notes.md d
      echo 1 > e/1; echo f > f; ln -s /etc/hostname out`,
    command: `rm a; ln -sfn notes.md b; rm c; rm d; echo file > d; rm -r e; ln -s real e; rm f; ln -s real/x f
      ln -s real g; rm out`,
  },
  'folders: empty ones, emptied ones, removed ones, and files in their place': {
    before: `mkdir -p empty/deep full/sub private swap; echo 1 > full/1; echo 2 > full/sub/2; echo k > private/key
      chmod 700 private; echo s > swap/s; echo t > thing`,
    command: `rm -r empty full/sub private swap; rm full/1 thing; mkdir -p made/deep other; echo n > other/n
      echo file > swap; mkdir thing; echo in > thing/in`,
  },
};

describe('what a command did to a folder', () => {
  for (const [name, { before: prepare, command }] of Object.entries(cases)) {
    it(`goes back on a rewind, and forth again: ${name}`, async () => {
      await using workspace = await TestWorkspace.create({ 'notes.md': 'notes\n' });
      await script(workspace, prepare);
      const before = await workOf(workspace);
      const { world, result } = await ran(workspace, command);
      await using _world = world;
      const after = await workOf(workspace);
      assert.notDeepEqual(after, before);
      assert.doesNotMatch(result, /a rewind does not restore/);
      const last = (await world.path()).at(-1)?.id ?? assert.fail();
      for (const _round of [1, 2]) {
        const plan = await restoreAll(world, workspace, null);
        for (const { planned } of plan.files) assert.ok(result.includes(planned.location.path));
        assert.deepEqual(await workOf(workspace), before);
        await restoreAll(world, workspace, last);
        assert.deepEqual(await workOf(workspace), after);
      }
    });
  }

  it('goes back and can be undone, all of it, also where links and folders took the place of each other', async () => {
    await using workspace = await TestWorkspace.create({ 'notes.md': 'notes\n' });
    const { before, command } = cases['links, which are never followed'] ?? assert.fail();
    await script(workspace, before);
    const { world } = await ran(workspace, command);
    await using _world = world;
    const after = await workOf(workspace);
    const restorer = restorerOf(world, workspace);
    const plan = await restorer.preview(CHAT, null);
    const restored = await restorer.restore(CHAT, plan, plan.files);
    assert.deepEqual(await undoRestored(world.store, restorer, restored), []);
    assert.deepEqual(await workOf(workspace), after);
    const failing = (): Promise<void> => Promise.reject(new Error('no room for a branch'));
    await assert.rejects(
      restorer.restore(CHAT, plan, plan.files, { commit: failing }),
      /no room for a branch/,
    );
    assert.deepEqual(await workOf(workspace), after);
  });

  it('brings back the files of a repository within that was removed with all it had', async () => {
    await using workspace = await TestWorkspace.create({ 'notes.md': 'notes\n' });
    await script(workspace, `${init}; mkdir -p inner/deep; cd inner; echo a > a; echo b > deep/b; ${init}`);
    const before = await workOf(workspace);
    const { world, result } = await ran(workspace, 'rm -rf inner');
    await using _world = world;
    assert.match(result, /which a rewind does not restore: inner\/\.git\]/);
    await restoreAll(world, workspace, null);
    assert.deepEqual(await workOf(workspace), before);
  });

  it('brings a private folder back as a private one', async () => {
    await using workspace = await TestWorkspace.create({ 'private/key': 'k' });
    await script(workspace, 'chmod 700 private');
    const { world } = await ran(workspace, 'rm -r private');
    await using _world = world;
    await restoreAll(world, workspace, null);
    assert.equal((await stat(workspace.at('private'))).mode & 0o777, 0o700);
    assert.equal(await workspace.text('private/key'), 'k');
  });
});

/** Each “no” of the table in `docs/restored-files.md` for commands. */
interface Unrestored {
  readonly before?: string;
  readonly command: string;
  /** What the question says; left out where nobody can know it before. */
  readonly asked?: readonly string[];
  readonly told: RegExp;
}

const unrestored: Readonly<Record<string, Unrestored>> = {
  'git’s own data: commits, branches, the index, settings, hooks': {
    before: init,
    command: 'echo x > new; git add new; git -c user.name=a -c user.email=b commit -qm second',
    told: /It also changed these, which a rewind does not restore: \.git\]/,
  },
  'git’s own data of a repository within': {
    before: `${init}; mkdir inner; cd inner; git init -q .; echo x > x`,
    command: 'git -C inner add x',
    told: /which a rewind does not restore: inner\/\.git\]/,
  },
  'a repository without a working tree': {
    before: 'git init -q --bare store',
    command: 'echo x > store/description',
    asked: ['store'],
    told: /\[Not watched: .*: store\]/,
  },
  'folders of generated or downloaded files': {
    before: 'mkdir node_modules; echo x > node_modules/x',
    command: 'rm node_modules/x; mkdir dist; echo y > dist/y',
    asked: ['node_modules'],
    told: /It also changed these, which a rewind does not restore: dist\/?\].*\[Not watched: .*: dist, node_modules\]/s,
  },
  'files over 1 MB that git does not have': {
    before: 'head -c 1000001 /dev/zero > large',
    command: 'echo x > large',
    asked: ['large'],
    told: /which a rewind does not restore: large\].*\[Not watched: .*: large\]/s,
  },
  'pipes, sockets and devices': {
    before: 'mkfifo pipe',
    command: 'rm pipe',
    told: /which a rewind does not restore: pipe\]/,
  },
  'files with names that are none on some system': {
    command: 'echo x > odd:name',
    told: /which a rewind does not restore: odd:name\]/,
  },
  'permissions but for execution, owner and group, other names, extended attributes and access lists': {
    before: 'echo x > a; chmod 644 a; echo y > b; ln b b2',
    command: 'chmod 600 a; rm b',
    told: /does not restore the owner, permissions and other attributes of these: a, b, b2\]/,
  },
  'what is changed while nobody waits for the command': {
    command: 'sleep 1000',
    told: /What it changes while nobody waits for it is not restored by a rewind\./,
  },
};

describe('what a rewind does not restore of a command', () => {
  for (const [name, { before = 'true', command, asked, told }] of Object.entries(unrestored)) {
    it(`is named: ${name}`, async () => {
      await using workspace = await TestWorkspace.create({ 'notes.md': 'notes\n' });
      await script(workspace, before);
      const isLong = command.startsWith('sleep');
      const person = new Person(() => 'once');
      const { world, runs } = await commandWorld(workspace, person, [
        useTools(['run_command', { command, ...(isLong ? { waitSeconds: 0 } : {}) }]),
        answer('ok'),
      ]);
      await using _world = world;
      await world.answered('?');
      runs.dispose();
      const [{ result } = { result: '' }] = toolResultsOf(
        request(world.server, world.server.requests.length),
      );
      assert.match(result, told);
      if (asked) assert.deepEqual(person.asked[0]?.command?.unwatched, asked);
    });
  }

  it('is not looked for where nobody is asked', async () => {
    await using workspace = await TestWorkspace.create({ 'node_modules/x': 'x' });
    const person = new Person(() => 'deny');
    const { world } = await commandWorld(
      workspace,
      person,
      [useTools(['run_command', { command: 'ls' }]), answer('ok')],
      { allowed: ['ls'] },
    );
    await using _world = world;
    await world.answered('?');
    assert.deepEqual(person.asked, []);
  });
});
