import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GitHistory } from '../../../src/host/node/gitHistory.ts';
import { CommittedWorld } from '../../worlds/committedWorld.ts';
import { isThere } from '../../worlds/gitRepository.ts';
import { FilesWorld } from '../../worlds/filesWorld.ts';

const START = 'const first = 1;\nconst second = 2;\nconst third = 3;\n';
/** What a step makes of it. */
const STEP = START.replace('second = 2', 'second = compute(first, 2)');
const LARGE = `${START}${Array.from({ length: 10_000 }, (_, at) => `// line number ${at}\n`).join('')}`;
/** How a user changes a line little by little: a comparison of the first and the last text finds nothing in common. */
const WRITTEN = 'const total = alpha(beta, gamma);\n';
const LITTLE = [
  'const total = alpha(beta, delta);\n',
  'const amount = alpha(epsilon, delta);\n',
  'let amount = zeta(epsilon, delta);\n',
];
const [LITTLE_1 = '', LITTLE_2 = '', LITTLE_3 = ''] = LITTLE;

describe('what git knows of lines', () => {
  describe('of versions that were not kept', () => {
    it('is read where they were committed', async () => {
      await using world = await CommittedWorld.make();
      await world.step({ 'a.ts': START });
      await world.step({ 'a.ts': LARGE });
      assert.deepEqual(await world.lines('a.ts', `${START}// line number 7\n`), {
        0: 'a1',
        1: 'a1',
        2: 'a1',
      });
      await world.commit();
      await world.step({ 'a.ts': `${START}// line number 7\n// mine\n` });
      assert.deepEqual(await world.lines('a.ts'), { 0: 'a1', 1: 'a1', 2: 'a1', 3: 'a2', 4: 'a3' });
      // Nothing is known of what the third step found there.
      assert.deepEqual(await world.linesWithoutGit('a.ts'), { 0: 'a1', 1: 'a1', 2: 'a1' });
    });

    it('is read where they are staged, and where git keeps other line ends than the disk', async () => {
      await using world = await CommittedWorld.make();
      await world.git('config', 'core.autocrlf', 'true');
      const windows = (text: string): string => text.replaceAll('\n', '\r\n');
      await world.step({ 'a.ts': windows(START) });
      await world.step({ 'a.ts': windows(LARGE) });
      await world.git('add', '--all');
      const now = windows(`${START}// line number 7\n`);
      assert.deepEqual(await world.lines('a.ts', now), { 0: 'a1', 1: 'a1', 2: 'a1', 3: 'a2' });
    });

    it('claims nothing by a step whose file could not be read before it', async () => {
      await using world = await CommittedWorld.make();
      await world.write('a.ts', LARGE);
      await world.step({ 'a.ts': START });
      assert.deepEqual(await world.lines('a.ts'), {});
      await world.step({ 'a.ts': STEP });
      assert.deepEqual(await world.lines('a.ts'), { 1: 'a2' });
    });
  });

  describe('of files that the user renamed', () => {
    it('is followed when they were changed as well, and by runs afterwards', async () => {
      await using world = await CommittedWorld.make();
      await world.write('a.ts', START);
      await world.commit();
      await world.step({ 'a.ts': STEP });
      await world.commit();
      await world.git('mv', 'a.ts', 'b.ts');
      await world.replace('b.ts', 'third = 3', 'third = 33');
      // It is staged.
      assert.deepEqual(await world.lines('b.ts'), { 1: 'a1' });
      await world.commit();
      assert.deepEqual(await world.lines('b.ts'), { 1: 'a1' });
      assert.deepEqual(await world.linesWithoutGit('b.ts'), {});
      await world.step({ 'b.ts': `// made\n${await world.read('b.ts')}` });
      assert.deepEqual(await world.lines('b.ts'), { 0: 'a2', 2: 'a1' });
      assert.deepEqual(await world.linesWithoutGit('b.ts'), { 0: 'a2' });
      await mkdir(world.at('in'));
      await world.git('mv', 'b.ts', 'in/c d.ts');
      await world.replace('in/c d.ts', 'first = 1', 'first = 11');
      await world.commit();
      assert.deepEqual(await world.lines('in/c d.ts'), { 0: 'a2', 2: 'a1' });
    });

    it('is followed before it is committed, where a run changed them at once', async () => {
      await using world = await CommittedWorld.make();
      const rest = 'const fourth = 4;\nconst fifth = 5;\nconst sixth = 6;\n';
      await world.write('a.ts', START + rest);
      await world.commit();
      await world.step({ 'a.ts': STEP + rest });
      await world.git('mv', 'a.ts', 'b.ts');
      await world.step({ 'b.ts': `// made\n${STEP}${rest}` });
      assert.deepEqual(await world.lines('b.ts'), { 0: 'a2', 2: 'a1' });
      assert.deepEqual(await world.linesWithoutGit('b.ts'), { 0: 'a2' });
      await world.commit();
      assert.deepEqual(await world.lines('b.ts'), { 0: 'a2', 2: 'a1' });
    });

    it('is not taken from an earlier file of that name', async () => {
      await using world = await CommittedWorld.make();
      const other = 'function unlike() {\n  return other(1);\n}\n';
      await world.write('b.ts', other);
      await world.commit();
      await world.step({ 'b.ts': other.replace('other(1)', 'other(2, more)') });
      await world.commit();
      await rm(world.at('b.ts'));
      await world.commit();
      await world.write('a.ts', START);
      await world.commit();
      await world.step({ 'a.ts': STEP });
      await world.commit();
      await world.git('mv', 'a.ts', 'b.ts');
      await world.commit();
      assert.deepEqual(await world.lines('b.ts'), { 1: 'a2' });
    });
  });

  describe('of what the user committed', () => {
    it('keeps the step of a line that changed little by little since', async () => {
      await using world = await CommittedWorld.make();
      await world.write('a.ts', START);
      await world.commit();
      await world.step({ 'a.ts': `${START}${WRITTEN}` });
      await world.replace('a.ts', WRITTEN, LITTLE_1);
      await world.commit();
      await world.replace('a.ts', LITTLE_1, LITTLE_2);
      await world.commit();
      await world.replace('a.ts', LITTLE_2, LITTLE_3);
      assert.deepEqual(await world.linesWithoutGit('a.ts'), {});
      assert.deepEqual(await world.lines('a.ts'), { 3: 'a1 changed' });
      await world.commit();
      assert.deepEqual(await world.lines('a.ts'), { 3: 'a1 changed' });
    });

    it('keeps it before the next step as well, and where the lines moved', async () => {
      await using world = await CommittedWorld.make();
      await world.write('a.ts', START);
      await world.commit();
      await world.step({ 'a.ts': `${START}${WRITTEN}` });
      await world.write('a.ts', `${WRITTEN}${START}`);
      await world.commit();
      for (const [from, to] of [
        [WRITTEN, LITTLE_1],
        [LITTLE_1, LITTLE_2],
      ] as const) {
        await world.replace('a.ts', from, to);
        await world.commit();
      }
      await world.step({ 'a.ts': `${await world.read('a.ts')}// more\n` });
      await world.replace('a.ts', LITTLE_2, LITTLE_3);
      assert.deepEqual(await world.linesWithoutGit('a.ts'), { 4: 'a2' });
      assert.deepEqual(await world.lines('a.ts'), { 0: 'a1 changed', 4: 'a2' });
    });

    it('is followed with other line ends, and not through pointers to files elsewhere', async () => {
      await using world = await CommittedWorld.make();
      await world.git('config', 'core.autocrlf', 'true');
      const windows = (text: string): string => text.replaceAll('\n', '\r\n');
      await world.step({ 'a.ts': windows(`${START}${WRITTEN}`) });
      await world.commit();
      for (const text of [LITTLE_1, LITTLE_2]) {
        await world.write('a.ts', windows(`${START}${text}`));
        await world.commit();
      }
      await world.write('a.ts', 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n');
      await world.commit();
      await world.write('a.ts', windows(`${START}${LITTLE_3}`));
      assert.deepEqual(await world.lines('a.ts'), { 0: 'a1', 1: 'a1', 2: 'a1', 3: 'a1 changed' });
    });

    it('knows the lines of a branch that is checked out again, and was changed by hand', async () => {
      await using world = await CommittedWorld.make();
      await world.write('a.ts', START);
      await world.commit();
      await world.step({ 'a.ts': STEP });
      await world.commit();
      await world.git('checkout', '--quiet', '-b', 'other');
      await world.step({ 'a.ts': 'unlike(other);\n' });
      await world.commit();
      await world.git('checkout', '--quiet', 'main');
      await world.replace('a.ts', 'third = 3', 'third = 33');
      assert.deepEqual(await world.linesWithoutGit('a.ts'), {});
      assert.deepEqual(await world.lines('a.ts'), { 1: 'a1' });
    });

    it('takes no step from a line because another line of history is without it', async () => {
      await using world = await CommittedWorld.make();
      await world.write('a.ts', START);
      await world.commit();
      await world.git('checkout', '--quiet', '-b', 'other');
      await world.replace('a.ts', 'first = 1', 'first = 11');
      await world.commit();
      await world.git('checkout', '--quiet', 'main');
      await world.step({ 'a.ts': STEP });
      // Stashed, while others' commits come; they are committed after the step, and know nothing of it.
      await world.git('stash', '--quiet');
      await world.git('merge', '--quiet', '--no-ff', 'other');
      await world.replace('a.ts', 'third = 3', 'third = 33');
      await world.commit();
      await world.git('stash', 'pop', '--quiet').catch(() => undefined);
      await world.write('a.ts', STEP.replace('first = 1', 'first = 11').replace('third = 3', 'third = 33'));
      assert.deepEqual(await world.lines('a.ts'), { 1: 'a1' });
      await world.commit();
      assert.deepEqual(await world.lines('a.ts'), { 1: 'a1' });
      await world.commit('--amend');
      assert.deepEqual(await world.lines('a.ts'), { 1: 'a1' });
    });

    it('is the same after a rebase, and after a commit was made again', async () => {
      await using world = await CommittedWorld.make();
      await world.write('a.ts', START);
      await world.write('c.ts', START);
      await world.commit();
      await world.git('branch', 'upstream');
      await world.step({ 'a.ts': `${START}${WRITTEN}` });
      for (const text of [LITTLE_1, LITTLE_2]) {
        await world.write('a.ts', `${START}${text}`);
        await world.commit();
      }
      await world.commit('--amend');
      await world.git('checkout', '--quiet', 'upstream');
      await world.replace('c.ts', 'first = 1', 'first = 11');
      await world.commit();
      await world.git('checkout', '--quiet', 'main');
      await world.git('rebase', '--quiet', 'upstream');
      await world.write('a.ts', `${START}${LITTLE_3}`);
      assert.deepEqual(await world.lines('a.ts'), { 3: 'a1 changed' });
    });
  });

  describe('of repositories', () => {
    /** A line that only git knows about, by its commits and its name. */
    async function check(world: CommittedWorld, folder = ''): Promise<void> {
      await world.write(`${folder}a.ts`, START);
      await world.commit();
      await world.step({ [`${folder}a.ts`]: `${START}${WRITTEN}` });
      for (const text of [LITTLE_1, LITTLE_2]) {
        await world.write(`${folder}a.ts`, `${START}${text}`);
        await world.commit();
      }
      await rename(world.at(`${folder}a.ts`), world.at(`${folder}b.ts`));
      await world.write(`${folder}b.ts`, `${START}${LITTLE_3}`);
      await world.commit();
      assert.deepEqual(await world.lines(`${folder}b.ts`), { 3: 'a1 changed' });
      assert.deepEqual(world.errors, []);
    }

    it('above the folder that is open', async () => {
      const files = await FilesWorld.make();
      const top = path.dirname(files.workspace.folder);
      await using world = await CommittedWorld.make(files, top);
      await world.git('init', '--quiet', '--initial-branch=main');
      await check(world);
    });

    it('below the folder that is open', async () => {
      const files = await FilesWorld.make();
      const top = path.join(files.workspace.folder, 'below here');
      await mkdir(top);
      await using world = await CommittedWorld.make(files, top);
      await world.git('init', '--quiet', '--initial-branch=main');
      await check(world, 'below here/');
    });

    it('that are submodules', async () => {
      const files = await FilesWorld.make();
      const [outer, source] = [files.workspace.folder, path.join(files.workspace.outside, 'source')];
      await mkdir(source);
      await using other = await CommittedWorld.make(files, source);
      await other.git('init', '--quiet', '--initial-branch=main');
      await writeFile(path.join(source, 'x.ts'), 'x\n');
      await other.commit();
      const around = await CommittedWorld.make(files, outer);
      await around.git('init', '--quiet', '--initial-branch=main');
      await around.git('submodule', '--quiet', 'add', source, 'inner');
      await around.commit();
      await check(await CommittedWorld.make(files, path.join(outer, 'inner')), 'inner/');
    });

    it('that have several work trees', async () => {
      const files = await FilesWorld.make();
      const main = path.join(files.workspace.outside, 'main');
      await mkdir(main);
      const origin = await CommittedWorld.make(files, main);
      await origin.git('init', '--quiet', '--initial-branch=main');
      await writeFile(path.join(main, 'x.ts'), 'x\n');
      await origin.commit();
      await origin.git('worktree', 'add', '--quiet', '-b', 'mine', files.workspace.folder);
      await using world = await CommittedWorld.make(files, files.workspace.folder);
      await check(world);
    });

    it('that are shallow', async () => {
      const files = await FilesWorld.make();
      const main = path.join(files.workspace.outside, 'main');
      await mkdir(main);
      const origin = await CommittedWorld.make(files, main);
      await origin.git('init', '--quiet', '--initial-branch=main');
      for (const text of ['x\n', 'y\n']) {
        await writeFile(path.join(main, 'x.ts'), text);
        await origin.commit();
      }
      await using world = await CommittedWorld.make(files, files.workspace.folder);
      await world.git('clone', '--quiet', '--depth=1', `file://${main}`, files.workspace.folder);
      await check(world);
    });

    it('that log nothing of what is checked out, and ask for signatures to be checked', async () => {
      await using world = await CommittedWorld.make();
      await world.git('config', 'core.logAllRefUpdates', 'false');
      const mark = path.join(world.files.workspace.outside, 'mark');
      await writeFile(path.join(world.files.workspace.outside, 'spy'), `#!/bin/sh\ntouch ${mark}\n`, {
        mode: 0o755,
      });
      const spy = path.join(world.files.workspace.outside, 'spy');
      await world.git('config', 'log.showSignature', 'true');
      await world.git('config', 'gpg.program', spy);
      await world.git('config', 'core.fsmonitor', spy);
      await world.git('config', 'diff.external', spy);
      await world.git('config', 'diff.relative', 'true');
      await world.git('config', 'log.showRoot', 'false');
      await check(world);
      await rm(mark, { force: true });
      await world.lines('b.ts');
      assert.equal(await isThere(mark), false);
    });

    it('that are empty, or none, or broken: what was recorded is told, and the failure once', async () => {
      await using world = await CommittedWorld.make();
      await world.step({ 'a.ts': START });
      const known = { 0: 'a1', 1: 'a1', 2: 'a1' };
      assert.deepEqual(await world.lines('a.ts'), known);
      assert.deepEqual(world.errors, []);
      await world.commit();
      const objects = path.join(world.top, '.git', 'objects');
      await rename(objects, `${objects}-away`);
      assert.deepEqual(await world.lines('a.ts'), known);
      assert.deepEqual(await world.lines('a.ts', `// mine\n${START}`), { 1: 'a1', 2: 'a1', 3: 'a1' });
      assert.equal(world.errors.length, 1);
      await rm(path.join(world.top, '.git'), { recursive: true });
      assert.deepEqual(await world.lines('a.ts'), known);
      assert.equal(world.errors.length, 1);
    });
  });

  it('is asked for once, until something else is checked out or committed', async () => {
    await using world = await CommittedWorld.make();
    await world.step({ 'a.ts': START });
    await world.commit();
    const history = new GitHistory();
    const past = async () => {
      const file = await history.open(world.location('a.ts'), 0);
      file?.dispose();
      return file?.past;
    };
    const first = await past();
    assert.equal(first?.versions.length, 1);
    assert.equal(await past(), first);
    await world.replace('a.ts', 'first = 1', 'first = 11');
    await world.commit();
    const second = await past();
    assert.equal(second?.versions.length, 2);
    assert.equal(await past(), second);
    await world.git('checkout', '--quiet', 'HEAD~1');
    assert.equal((await past())?.versions.length, 1);
    assert.equal(await history.open({ folder: 'file:///no/such', path: 'a.ts' }, 0), undefined);
    assert.equal(await history.open({ folder: 'vscode-vfs://github/a/b', path: 'a.ts' }, 0), undefined);
  });
});
