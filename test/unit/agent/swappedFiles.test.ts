import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { attachedFileParts } from '../../../src/agent/attachments/attachedFile.ts';
import { PathGuard } from '../../../src/host/node/pathGuard.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { instructionNames } from '../../worlds/instructionsWorld.ts';
import { request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

/** What another program does to the path of a file while the user is asked about it. */
const swaps: Readonly<Record<string, (work: TestWorkspace, other: TestWorkspace) => Promise<void>>> = {
  'the file by another with the same text': async (work) => {
    await writeFile(work.at('src/b.ts.new'), 'one');
    await rename(work.at('src/b.ts.new'), work.at('src/b.ts'));
  },
  'the file by a link': async (work, other) => {
    await rm(work.at('src/b.ts'));
    await symlink(other.at('src/b.ts'), work.at('src/b.ts'));
  },
  'the text of the file': (work) => writeFile(work.at('src/b.ts'), 'changed'),
  'the folder by a link': async (work, other) => {
    await rename(work.at('src'), work.at('away'));
    await symlink(other.at('src'), work.at('src'));
  },
  'the folder by another with the same file': async (work) => {
    await rename(work.at('src'), work.at('away'));
    await work.put('src/b.ts', 'one');
  },
  'the file by nothing': (work) => rm(work.at('src/b.ts')),
};

async function editWhile(
  swap: (work: TestWorkspace, other: TestWorkspace) => Promise<void>,
  call: readonly [string, unknown] = ['edit_file', { path: 'src/b.ts', oldText: 'one', newText: 'two' }],
): Promise<{ result: string; here: string | undefined; there: string }> {
  await using work = await TestWorkspace.create({ 'src/b.ts': 'one' });
  await using other = await TestWorkspace.create({ 'src/b.ts': 'one' });
  const person = new Person(() => undefined);
  await using world = await writingWorld(work, person, [useTools(call), answer('ok')]);
  const run = await world.ask('?');
  await world.until(() => person.asked.length === 1);
  await swap(work, other);
  person.approvals.answer(person.asked[0]?.id ?? '', 'once');
  await run.done;
  const [found] = toolResultsOf(request(world.server, 2));
  const here = await readFile(work.at('src/b.ts'), 'utf8').catch(() => undefined);
  return { result: found?.result ?? '', here, there: await other.text('src/b.ts') };
}

describe('a file that is not what was shown', () => {
  for (const [what, swap] of Object.entries(swaps)) {
    it(`is not written when another program replaced ${what} while the user was asked`, async () => {
      const { result, here, there } = await editWhile(swap);
      assert.doesNotMatch(result, /^Changed/u);
      assert.notEqual(here, 'two');
      assert.equal(there, 'one');
    });
  }

  it('is not made over one that came in between, nor through a link that did', async () => {
    const call = ['write_file', { path: 'new/c.ts', content: 'mine' }] as const;
    const file = await editWhile((work) => work.put('new/c.ts', 'theirs'), call);
    assert.doesNotMatch(file.result, /^Created/u);
    const link = await editWhile((work, other) => symlink(other.root, work.at('new')), call);
    assert.doesNotMatch(link.result, /^Created/u);
  });

  it('is written when nothing was replaced', async () => {
    const { result, here } = await editWhile(() => Promise.resolve());
    assert.deepEqual([result, here], ['Changed src/b.ts.', 'two']);
  });
});

describe('what is no file', () => {
  it('is never opened: pipes as instructions, as attachments, and by the tools', async function () {
    if (process.platform === 'win32') this.skip();
    await using work = await TestWorkspace.create({ 'sub/a.ts': '' });
    for (const name of ['AGENTS.md', 'sub/AGENTS.md', 'pipe.txt']) execFileSync('mkfifo', [work.at(name)]);
    assert.deepEqual(await instructionNames(work.guarded, work.uri('sub/a.ts')), []);
    await assert.rejects(attachedFileParts(work.guarded, { path: 'pipe.txt' }, work), { code: 'not-a-file' });
    const person = new Person(() => 'once');
    await using world = await writingWorld(work, person, [
      useTools(
        ['read_file', { path: 'pipe.txt' }],
        ['edit_file', { path: 'AGENTS.md', oldText: 'a', newText: 'b' }],
      ),
      answer('ok'),
    ]);
    await world.answered('?');
    const results = toolResultsOf(request(world.server, 2)).map(({ result }) => result);
    assert.deepEqual(results, ['pipe.txt is not a file.', 'AGENTS.md is not a file.']);
  });
});

describe('a file with a name like secrets', () => {
  it('is asked for once, separately, and never for longer than the chat', async () => {
    await using work = await TestWorkspace.create({ '.env': 'KEY=1', id_rsa: 'key' });
    await symlink(work.at('.env'), work.at('notes.txt'));
    const person = new Person(() => 'workspace');
    await using world = await writingWorld(work, person, [
      useTools(['read_file', { path: '.env' }], ['read_file', { path: 'notes.txt' }]),
      useTools(['read_file', { path: 'id_rsa' }]),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.deepEqual(new Set(person.asked.map(({ reads }) => reads)), new Set(['.env', 'id_rsa']));
    assert.equal(person.allowances.kinds.size, 0);
    const results = toolResultsOf(request(world.server, 3)).map(({ result }) => result);
    assert.match(results[1] ?? '', /KEY=1/u);
  });

  it('is not read when it is denied, and search tells of it without what is in it', async () => {
    await using work = await TestWorkspace.create({ '.env': 'KEY=1', 'a.ts': 'KEY=1' });
    work.secrets = ['.env'];
    work.matches = [work.match('.env', 1, 'KEY=1'), work.match('a.ts', 1, 'KEY=1')];
    const person = new Person(() => 'deny');
    await using world = await writingWorld(work, person, [
      useTools(['read_file', { path: '.env' }], ['search_files', { query: 'KEY' }]),
      answer('ok'),
    ]);
    await world.answered('?');
    const [read, found] = toolResultsOf(request(world.server, 2)).map(({ result }) => result);
    assert.match(read ?? '', /did not allow/u);
    assert.match(found ?? '', /^a\.ts:1: KEY=1\n\[1 file was not looked into, .*: \.env\./u);
    assert.equal(person.asked.length, 1);
  });

  it('is searched once it was allowed', async () => {
    await using work = await TestWorkspace.create({ '.env': 'KEY=1' });
    work.secrets = ['.env'];
    work.matches = [work.match('.env', 1, 'KEY=1')];
    await using world = await writingWorld(work, new Person(() => 'chat'), [
      useTools(['read_file', { path: '.env' }]),
      useTools(['search_files', { query: 'KEY' }]),
      answer('ok'),
    ]);
    await world.answered('?');
    assert.equal(toolResultsOf(request(world.server, 3)).at(-1)?.result, '.env:1: KEY=1');
  });
});

describe('any text as a path', () => {
  it('leads into the workspace and to no repository, or nowhere (fuzz)', async () => {
    await using work = await TestWorkspace.create({ 'src/a.ts': 'x', '.git/config': 'x' });
    await using other = await TestWorkspace.create({ secret: 'x' });
    for (const [name, value] of [
      ['HEAD', 'ref: refs/heads/main'],
      ['objects/x', ''],
      ['refs/x', ''],
      ['config', ''],
    ] as const) {
      await work.put(`bare/${name}`, value);
    }
    await symlink(other.root, work.at('out'));
    await symlink(work.at('.git'), work.at('git-link'));
    await symlink(work.at('bare'), work.at('bare-link'));
    await mkdir(work.at('empty'));
    const guard = new PathGuard(() => work.folders());
    for (const given of ['bare/config/0', 'bare-link/config/0', 'bare/objects/x/0'])
      await assert.rejects(guard.resolve(given), { code: 'git-repository' }, given);
    const names = [
      '..',
      '.',
      '',
      'src',
      'a.ts',
      'out',
      'git-link',
      'bare',
      'bare-link',
      'config',
      '.git',
      '.GIT ',
    ];
    const odd = [
      '.git.',
      'git~1',
      'CON',
      'NUL',
      'a:b',
      'a.ts::$DATA',
      'x'.repeat(300),
      '\u202e',
      '.\u200dgit',
      '~',
      'C:',
    ];
    const piece = fc.oneof(fc.constantFrom(...names, ...odd), fc.string({ unit: 'grapheme', maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 7 }),
        fc.constantFrom('/', '\\'),
        fc.constantFrom('', '/', '//', `${work.root}/`, 'file:///', '\\\\?\\'),
        async (pieces, slash, start) => {
          const given = start + pieces.join(slash);
          const at = await guard.resolve(given).catch(() => undefined);
          if (!at) return;
          assert.ok(at.fsPath === work.root || at.fsPath.startsWith(work.root + path.sep), given);
          const top = path.relative(work.root, at.fsPath).split(path.sep);
          assert.ok(!top.some((part) => part.toLowerCase() === '.git'), given);
          const isBare = top[0] === 'bare' && top.length > 1;
          assert.equal(isBare, false, given);
        },
      ),
      { numRuns: fuzzRuns(300) },
    );
  });
});
