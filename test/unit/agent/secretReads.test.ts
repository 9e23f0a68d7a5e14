import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import type { ApprovalChoice } from '../../../src/agent/tools/approvals.ts';
import { editorTools } from '../../../src/agent/tools/workspace/editorTools.ts';
import { readTools } from '../../../src/agent/tools/workspace/readTools.ts';
import { writeTools } from '../../../src/agent/tools/workspace/writeTools.ts';
import { PathGuard } from '../../../src/host/node/pathGuard.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { instructionNames } from '../../worlds/instructionsWorld.ts';
import { request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person, writingWorld } from '../../worlds/writingWorld.ts';

/** What calls come to, and which files were asked for. */
async function calling(
  workspace: TestWorkspace,
  choice: ApprovalChoice,
  ...calls: (readonly [string, unknown])[]
): Promise<{ results: string[]; asked: (string | undefined)[] }> {
  const person = new Person(() => choice);
  const tools = [...readTools(workspace), ...writeTools(workspace), ...editorTools(workspace)];
  await using world = await writingWorld(workspace, person, [useTools(...calls), answer('ok')], {
    tools: () => tools,
  });
  await world.answered('?');
  return {
    results: toolResultsOf(request(world.server, 2)).map(({ result }) => result),
    asked: person.asked.map(({ reads }) => reads),
  };
}

describe('what is in a file with a name like secrets', () => {
  it('is not found out by trying to change it', async () => {
    await using work = await TestWorkspace.create({ '.env': 'KEY=1\nKEY=1\n' });
    const guesses = ['KEY=1', 'KEY=2', 'KEY'].map(
      (oldText) => ['edit_file', { path: '.env', oldText, newText: 'x' }] as const,
    );
    const { results, asked } = await calling(work, 'deny', ...guesses);
    assert.deepEqual([...new Set(asked)], ['.env']);
    assert.equal(new Set(results).size, 1);
    assert.match(results[0] ?? '', /did not allow/);
  });

  it('is asked for by its name though what it leads to is called otherwise', async () => {
    await using work = await TestWorkspace.create({ 'config/plain.txt': 'KEY=1' });
    await symlink(work.at('config/plain.txt'), work.at('.env'));
    const { results, asked } = await calling(work, 'deny', ['read_file', { path: '.env' }]);
    assert.equal(asked.length, 1);
    assert.match(results[0] ?? '', /did not allow/);
  });

  it('is not told by what the editor knows of it', async () => {
    await using work = await TestWorkspace.create({ '.env': 'KEY=1', 'a.ts': '' });
    work.problems = ['.env', 'a.ts'].map((name) => ({
      uri: work.uri(name),
      line: 1,
      severity: 'error' as const,
      message: `KEY=1 in ${name}`,
      source: undefined,
    }));
    work.symbols = [{ uri: work.uri('.env'), line: 1, name: 'KEY', kind: 'variable', container: undefined }];
    const { results, asked } = await calling(
      work,
      'deny',
      ['get_diagnostics', { path: '.env' }],
      ['find_symbols', { path: '.env' }],
      ['get_diagnostics', {}],
      ['find_symbols', { query: 'KEY' }],
    );
    assert.deepEqual([...new Set(asked)], ['.env']);
    for (const result of results.slice(0, 2)) assert.match(result, /did not allow/);
    assert.match(results[2] ?? '', /^a\.ts:1: error: KEY=1 in a\.ts\n\[1 file was not looked into/);
    assert.doesNotMatch(results[3] ?? assert.fail(), /KEY/);
  });

  it('does not count in a search, so that the number of matches tells nothing of it', async () => {
    await using work = await TestWorkspace.create({ '.env': '', 'a.ts': '' });
    work.matches = Array.from({ length: 300 }, (_, line) =>
      work.match(line === 0 ? 'a.ts' : '.env', line + 1, 'KEY'),
    );
    const wanted: string[] = [];
    const find = work.search.find.bind(work.search);
    Object.assign(work.search, {
      find: ((folder, query, limit, signal, isWanted) =>
        find(folder, query, limit, signal, (file) => {
          if (isWanted(file)) wanted.push(file.path);
          return isWanted(file);
        })) satisfies typeof find,
    });
    const { results } = await calling(work, 'deny', ['search_files', { query: 'KEY' }]);
    assert.deepEqual(wanted, ['a.ts']);
    assert.equal(results[0], 'a.ts:1: KEY');
  });

  it('does not become an instruction by a link', async () => {
    await using work = await TestWorkspace.create({ '.env': 'KEY=1' });
    await symlink(work.at('.env'), work.at('AGENTS.md'));
    assert.deepEqual(await instructionNames(work.guarded), []);
  });
});

describe('what is in a repository', () => {
  it('is neither listed nor named, by whatever finds files', async () => {
    await using work = await TestWorkspace.create({
      'a.ts': '',
      '.git/config': 'KEY',
      'sub/.git': 'gitdir: ../x',
      'sub/b.ts': '',
      'bare/HEAD': 'ref: refs/heads/main',
      'bare/objects/x': '',
      'bare/refs/x': '',
      'bare/config': 'KEY',
    });
    const all = ['a.ts', '.git', '.git/config', 'sub/.git', 'sub/b.ts', 'bare/config', 'bare/refs/x'];
    work.found = all;
    work.matches = all.map((name) => work.match(name, 1, 'KEY'));
    const { results } = await calling(
      work,
      'once',
      ['list_files', {}],
      ['list_files', { path: 'sub' }],
      ['find_files', { pattern: '**' }],
      ['search_files', { query: 'KEY' }],
    );
    assert.deepEqual(results, [
      'a.ts\nbare/\nsub/',
      'b.ts',
      'a.ts\nsub/b.ts',
      'a.ts:1: KEY\nsub/b.ts:1: KEY',
    ]);
    const guard = new PathGuard(() => work.folders());
    const named = await guard.nameable(all.map((name) => work.at(name)));
    assert.deepEqual(
      named.map(({ shown }) => shown),
      ['a.ts', 'sub/b.ts'],
    );
  });
});
