import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileTerminalShell } from '../../../src/host/node/fileTerminalShell.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { NodeSandbox } from '../../../src/host/node/walls/nodeSandbox.ts';
import type { SetAside, Wall } from '../../../src/host/sandbox.ts';
import { leakingCommands } from '../../fixtures/leakingCommands.ts';
import { madeUpCommands } from '../../fixtures/madeUpCommands.ts';
import { findBubblewrap, isOnPath } from '../../fixtures/shells.ts';
import { until } from '../../fixtures/until.ts';
import { SECRET, WalledWorld } from '../../worlds/walledWorld.ts';

/** Where there can be no sandbox there is nothing to try; where only its program is missing, that is a failure. */
function bubblewrap(): { readonly program?: string | undefined; readonly problem?: unknown } {
  try {
    return { program: findBubblewrap() };
  } catch (problem) {
    return { problem };
  }
}

const { program, problem } = bubblewrap();
const tried = leakingCommands.filter(({ needs = [] }) => needs.every(isOnPath));

if (problem !== undefined) {
  describe('the sandbox of commands', () => {
    it('is tried with bubblewrap', () => assert.ifError(problem));
  });
}

if (program !== undefined) {
  describe('the sandbox of commands', () => {
    let world: WalledWorld;
    let sandbox: NodeSandbox;
    before(async () => {
      process.env['OFFSHOOT_TEST_TOKEN'] = SECRET;
      world = await WalledWorld.create();
      sandbox = new NodeSandbox({ program, home: world.home, needsProxy: false });
    });
    after(async () => {
      delete process.env['OFFSHOOT_TEST_TOKEN'];
      await world[Symbol.asyncDispose]();
    });

    const wallOf = (
      { work }: WalledWorld,
      chatId = 'chat',
      readable: readonly string[] = [],
    ): Promise<Wall> =>
      sandbox.wall({
        chatId,
        shell: '/bin/bash',
        writable: [uriOf(work)],
        readable: readable.map((each) => uriOf(each)),
        mayReach: ({ origin }) => reachable.has(origin),
      });

    /** The origins that commands may reach. */
    const reachable = new Set<string>();

    async function ended(
      command: string,
      open: WalledWorld,
    ): Promise<SetAside & { readonly output: string; readonly refused: readonly string[] }> {
      const wall = await wallOf(open);
      const { output } = await open.run(command, wall);
      return { ...(await wall.close()), output, refused: wall.refusedHosts() };
    }

    const isThere = ({ work }: WalledWorld, name: string): boolean =>
      lstatSync(path.join(work, name), { throwIfNoEntry: false }) !== undefined;

    async function walled(
      command: string,
      where = world,
    ): Promise<{ exitCode: number | null; output: string }> {
      const wall = await wallOf(where);
      try {
        return await where.run(command, wall);
      } finally {
        await wall.close();
      }
    }

    it('is to be had here', async () => {
      assert.equal(await sandbox.whyNone(), undefined);
    });

    it('is told not to be there without its program, or where that does not wall in', async () => {
      assert.equal(await new NodeSandbox({ program: '/nowhere/bwrap' }).whyNone(), 'program');
      const fake = path.join(world.folder, 'fake-bwrap');
      await writeFile(fake, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n', {
        mode: 0o755,
      });
      assert.equal(await new NodeSandbox({ program: fake }).whyNone(), 'refused');
      assert.equal(await new NodeSandbox({ program: '/bin/false' }).whyNone(), 'refused');
    });

    it('is tried with at least a hundred commands that leak elsewhere', () => {
      assert.ok(tried.length >= 100, String(tried.length));
    });

    for (const { command } of tried) {
      it(`holds against ${command}`, async () => {
        const before = await world.state();
        const { output } = await walled(command);
        assert.equal(await world.state(), before);
        assert.ok(!output.includes(SECRET), output);
      });
    }

    it('holds against a thousand more that are put together from targets, ways to write them and what runs them', async function () {
      this.timeout(300_000);
      assert.ok(madeUpCommands.length >= 1_000, String(madeUpCommands.length));
      const before = await world.state();
      // What one could not change, the next finds as it was.
      for (let at = 0; at < madeUpCommands.length; at += 100) {
        const some = madeUpCommands.slice(at, at + 100);
        const script = ['cp a.txt kept.txt', ...some.map((each) => `(${each}); cp kept.txt a.txt`)].join(
          '\n',
        );
        const { output } = await walled(script);
        assert.equal(await world.state(), before, some.join('\n'));
        assert.ok(!output.includes(SECRET), output);
      }
    });

    it('is what holds: without it, each of these commands leaks', async function () {
      this.timeout(120_000);
      const harmless: string[] = [];
      for (const { command } of tried) {
        await using open = await WalledWorld.create();
        const before = await open.state();
        const { output } = await open.run(command);
        const hasLeaked = async (): Promise<boolean> =>
          output.includes(SECRET) || (await open.state()) !== before;
        // A socket tells a little later that it was reached.
        await until(hasLeaked, command).catch(() => harmless.push(command));
      }
      assert.deepEqual(harmless, []);
    });

    it('lets commands read and write what is theirs, and start programs', async () => {
      const { exitCode, output } = await walled(
        'echo new > new.txt && mkdir -p lib/deep && cp new.txt lib/deep/ && cat lib/deep/new.txt package.json && ' +
          'echo kept > /tmp/between && sed -i s/new/newer/ new.txt && cat new.txt',
      );
      assert.deepEqual([exitCode, output], [0, 'new\n{}\nnewer\n']);
      assert.equal(await readFile(path.join(world.work, 'new.txt'), 'utf8'), 'newer\n');
    });

    it('keeps temporary files for the chat, apart from those of others', async () => {
      await walled('echo kept > /tmp/between');
      assert.equal((await walled('cat /tmp/between')).output, 'kept\n');
      const wall = await wallOf(world, 'other');
      assert.match((await world.run('cat /tmp/between', wall)).output, /No such file/u);
      await wall.close();
      assert.equal(existsSync('/tmp/between'), false);
    });

    it('shows git what it asks for without writing its index', async () => {
      const before = await world.state();
      await writeFile(path.join(world.work, 'a.txt'), 'four\n');
      const { exitCode, output } = await walled(
        'git status --short a.txt && git diff --stat && git log --oneline',
      );
      assert.equal(exitCode, 0, output);
      assert.match(output, /^ M a.txt\n a.txt \| .*\n[^]*first\n$/u);
      assert.equal(await world.state(), before);
    });

    it('ends what a command leaves behind', async () => {
      const mark = String(100_000 + process.pid);
      const isRunning = async (): Promise<boolean> => {
        const processes = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
        const started = await Promise.all(
          processes.map((each) => readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '')),
        );
        return started.includes(`sleep\0${mark}\0`);
      };
      const wall = await wallOf(world);
      const running = world.run(`sleep ${mark} & until [ -e go.txt ]; do :; done`, wall);
      await until(isRunning, 'it to begin');
      await writeFile(path.join(world.work, 'go.txt'), '');
      await running;
      await until(async () => !(await isRunning()), 'it to end');
      await wall.close();
    });

    it('tells that sockets are refused, and lets a server and its client talk', async () => {
      const script =
        "const s = net.createServer((c) => c.end('hi')).listen(0, '127.0.0.1', () => " +
        "net.connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); s.close(); }));";
      assert.deepEqual(await walled(`node -e "${script}"`), { exitCode: 0, output: 'hi\n' });
      const refused = await walled('python3 -c "import socket; socket.socket(socket.AF_UNIX)"');
      assert.match(refused.output, /Operation not permitted/u);
    });

    it('lets tests of a project run', async () => {
      await using project = await WalledWorld.create();
      await writeFile(path.join(project.work, 'package.json'), '{ "scripts": { "test": "node --test" } }');
      const test = "require('node:test').test('adds', () => require('node:assert').equal(1 + 1, 2));\n";
      await writeFile(path.join(project.work, 'sum.test.js'), test);
      const npm = await walled('npm test', project);
      assert.equal(npm.exitCode, 0, npm.output);
      assert.match(npm.output, /pass 1/u);
      if (!isOnPath('pytest')) return;
      await writeFile(path.join(project.work, 'test_sum.py'), 'def test_sum():\n    assert 1 + 1 == 2\n');
      const pytest = await walled('pytest -q', project);
      assert.equal(pytest.exitCode, 0, pytest.output);
      assert.match(pytest.output, /1 passed/u);
    });

    if (isOnPath('cargo') && isOnPath('cc')) {
      it('lets cargo build with the tools of the user’s own folder', async function () {
        this.timeout(120_000);
        await using project = await WalledWorld.create();
        const manifest = '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n';
        await writeFile(path.join(project.work, 'Cargo.toml'), manifest);
        await mkdir(path.join(project.work, 'src'));
        await writeFile(path.join(project.work, 'src/main.rs'), 'fn main() { println!("{}", 1 + 1); }\n');
        execFileSync('cargo', ['generate-lockfile', '--offline', '-q'], { cwd: project.work });
        const wall = await new NodeSandbox({ program, needsProxy: false }).wall({
          chatId: 'chat',
          shell: '/bin/bash',
          writable: [uriOf(project.work)],
          readable: [],
          mayReach: () => false,
        });
        const { exitCode, output } = await project.run('cargo build -q && target/debug/sum', wall);
        assert.deepEqual([exitCode, output], [0, '2\n']);
        assert.deepEqual((await wall.close()).made, []);
      });
    }

    it('reads the repository that a work tree belongs to, and the other folders that it is given', async () => {
      await using other = await WalledWorld.create();
      const tree = path.join(world.folder, 'tree');
      execFileSync('git', ['worktree', 'add', '-q', tree], { cwd: world.work, stdio: 'ignore' });
      const wall = await sandbox.wall({
        chatId: 'chat',
        shell: '/bin/bash',
        writable: [uriOf(tree)],
        readable: [uriOf(other.work)],
        mayReach: () => false,
      });
      const run = (command: string) => world.run(`cd ${tree} && ${command}`, wall);
      assert.match((await run('git log --oneline')).output, /first/u);
      assert.equal((await run(`cat ${other.work}/package.json`)).output, '{}\n');
      assert.notEqual((await run(`touch ${other.work}/x`)).exitCode, 0);
      assert.notEqual((await run(`cat ${other.work}/.env`)).exitCode, 0);
      assert.notEqual((await run('echo > .git')).exitCode, 0);
      await wall.close();
    });

    it('is not set up where its own files could be written', async () => {
      const request = { chatId: 'chat', shell: '/bin/bash', readable: [], mayReach: () => false };
      await assert.rejects(sandbox.wall({ ...request, writable: [uriOf('/tmp')] }), { code: 'own-files' });
    });

    it('sets aside which protected files and repositories a command made, and names them', async () => {
      await using open = await WalledWorld.create();
      const { output, made } = await ended(
        'git init -q made; git init -q --bare bare; mkdir -p lib .husky; touch lib/tsconfig.json lib/plain.ts package.json; ' +
          'echo x > .husky/pre-commit; ln -s lib/plain.ts Dockerfile; ln -s a.txt linked.txt; touch go.mod; rm go.mod',
        open,
      );
      const names = ['.husky', 'Dockerfile', 'bare', 'lib/tsconfig.json', 'made/.git'];
      assert.deepEqual([...made].sort(), names, output);
      for (const each of names.filter((name) => name !== 'bare')) {
        assert.ok(!isThere(open, each), each);
        assert.ok(isThere(open, `${each}.from-sandbox`), each);
      }
      assert.ok(isThere(open, 'bare/HEAD.from-sandbox') && !isThere(open, 'bare/HEAD'));
      for (const each of ['lib/plain.ts', 'linked.txt']) assert.ok(isThere(open, each), each);
      // What was there keeps its name, also what was set aside before.
      assert.deepEqual((await ended('touch Dockerfile', open)).made, ['Dockerfile']);
      assert.ok(isThere(open, 'Dockerfile.from-sandbox-2'));
      assert.deepEqual((await ended('true', open)).made, []);
    });

    it('sets aside what a command made while it goes on', async () => {
      await using open = await WalledWorld.create();
      const wall = await wallOf(open);
      const running = open.run(
        'touch justfile Dockerfile go.mod; until [ -e go.txt ]; do :; done; touch justfile',
        wall,
      );
      await until(() => isThere(open, 'go.mod'), 'it to begin');
      assert.deepEqual([...(await wall.sweep()).made].sort(), ['Dockerfile', 'go.mod', 'justfile']);
      await writeFile(path.join(open.work, 'go.txt'), '');
      await running;
      assert.deepEqual((await wall.close()).made, ['justfile']);
    });

    it('sets aside what stands in place of a link with a protected name', async () => {
      await using open = await WalledWorld.create();
      await symlink('a.txt', path.join(open.work, 'justfile'));
      await symlink('a.txt', path.join(open.work, 'Dockerfile'));
      assert.deepEqual((await ended('cat justfile', open)).made, []);
      assert.deepEqual((await ended('rm justfile; echo x > justfile', open)).made, ['justfile']);
      assert.deepEqual((await ended('ln -sfn rules Dockerfile', open)).made, ['Dockerfile']);
    });

    it('keeps a repository and settings of VS Code from being made at the top, while any command runs', async () => {
      await using open = await WalledWorld.create();
      for (const each of ['.git', '.vscode']) await rm(path.join(open.work, each), { recursive: true });
      // An empty folder is left of a window that was closed.
      await mkdir(path.join(open.work, '.git'));
      const first = await wallOf(open);
      assert.deepEqual(
        ['.git', '.vscode', 'sub'].map((each) => sandbox.holds(uriOf(path.join(open.work, each)))),
        [true, true, false],
      );
      const second = await wallOf(open);
      const attack =
        'git init -q; mkdir -p .vscode; echo {} > .vscode/tasks.json; mv .vscode x; rmdir .git; ls -A .git .vscode';
      assert.equal(isThere(open, '.git/HEAD') || isThere(open, '.vscode/tasks.json'), false);
      await open.run(attack, first);
      assert.deepEqual(await first.close(), { made: [], isCut: false });
      await open.run(attack, second);
      assert.equal(isThere(open, '.git/HEAD') || isThere(open, '.vscode/tasks.json'), false);
      assert.deepEqual(await second.close(), { made: [], isCut: false });
      // Nothing of it stays.
      assert.equal(isThere(open, '.git') || isThere(open, '.vscode'), false);
    });

    it('has Go not ask git where only an empty folder keeps a repository from being made', async () => {
      assert.equal((await walled('echo "$GOFLAGS"')).output, `${process.env['GOFLAGS'] ?? ''}\n`);
      await using open = await WalledWorld.create();
      await rm(path.join(open.work, '.git'), { recursive: true });
      assert.match((await walled('echo "$GOFLAGS"', open)).output, /-buildvcs=false\n$/u);
    });

    it('says where there is too much to be looked through', async () => {
      await using open = await WalledWorld.create();
      const { made, isCut } = await ended(
        'mkdir many; cd many; for x in {1..1600}; do echo > $x.mk; done',
        open,
      );
      assert.equal(isCut, true);
      assert.ok(made.length > 1_000, String(made.length));
    });

    it('is around what a terminal is handed', async () => {
      const wall = await wallOf(world);
      const shell = await FileTerminalShell.open({ shell: '/bin/bash', hint: '' });
      const handed = await shell.hand({
        command: world.command('echo "$PWD" > inside.txt; touch OUT/from-terminal; cat .env'),
        folder: uriOf(world.work),
        wall,
      });
      const { program: reader, options } = shell.launch(handed);
      const child = spawn(reader, options, { detached: true });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => (output += String(data)));
      child.stdin.write(`${handed.line}\n`);
      await until(async () => (await handed.state()).kind === 'ended', 'its end');
      await shell.close();
      await wall.close();
      assert.equal(await readFile(path.join(world.work, 'inside.txt'), 'utf8'), `${world.work}\n`);
      assert.equal(existsSync(path.join(world.outside, 'from-terminal')), false);
      assert.ok(!output.includes(SECRET), output);
    });

    it('keeps a repository of any layout', async () => {
      await using open = await WalledWorld.create();
      for (const name of ['bare/objects', 'bare/refs'])
        await mkdir(path.join(open.work, name), { recursive: true });
      await writeFile(path.join(open.work, 'bare', 'HEAD'), 'ref: refs/heads/main\n');
      assert.notEqual((await walled('echo x > bare/config', open)).exitCode, 0);
      assert.equal(existsSync(path.join(open.work, 'bare', 'config')), false);
    });
  });
}
