import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { editorTools } from '../../../src/agent/tools/workspace/editorTools.ts';
import { readTools } from '../../../src/agent/tools/workspace/readTools.ts';
import { notesTools } from '../../../src/agent/tools/notesTools.ts';
import { markFor } from '../../../src/host/textEncodings.ts';
import { encoded } from '../../fixtures/legacyEncodings.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { newWorld } from '../../worlds/agentWorld.ts';
import { request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';

/** What the model reads of each of these calls, made in one answer through the whole loop. */
async function resultsOf(
  workspace: TestWorkspace,
  ...calls: readonly (readonly [name: string, input: unknown])[]
): Promise<string[]> {
  const tools = [...readTools(workspace), ...editorTools(workspace), ...notesTools];
  await using world = await newWorld({ tools: () => tools, script: [useTools(...calls), answer('ok')] });
  await world.answered('?');
  return toolResultsOf(request(world.server, 2)).map(({ result }) => result);
}

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('the tools that read', () => {
  it('list a folder, with folders marked', async () => {
    await using workspace = await TestWorkspace.create({ 'b.ts': '', 'src/a.ts': '', 'src/c/d.ts': '' });
    assert.deepEqual(
      await resultsOf(
        workspace,
        ['list_files', {}],
        ['list_files', { path: 'src' }],
        ['list_files', { path: 'none' }],
        ['list_files', { path: '..' }],
      ),
      [
        'b.ts\nsrc/',
        'a.ts\nc/',
        'There is no none.',
        '“..” is not in the folders that are open in the editor. Only files there can be used.',
      ],
    );
  });

  it('read a file whole, a part of it, and say what is left out', async () => {
    await using workspace = await TestWorkspace.create({
      'a.txt': 'one\r\ntwo\r\nthree',
      'long.txt': numbered(5_000),
    });
    const [whole, part, long, rest, beyond] = await resultsOf(
      workspace,
      ['read_file', { path: 'a.txt' }],
      ['read_file', { path: 'a.txt', startLine: 2, endLine: 2 }],
      ['read_file', { path: 'long.txt' }],
      ['read_file', { path: 'long.txt', startLine: 4_999 }],
      ['read_file', { path: 'a.txt', startLine: 9 }],
    );
    assert.equal(whole, 'a.txt, lines 1–3 of 3:\none\ntwo\nthree');
    assert.equal(part, 'a.txt, lines 2–2 of 3:\ntwo');
    assert.match(long ?? '', /^long\.txt, lines 1–2000 of 5000:\nline 1\n/);
    assert.match(
      long ?? '',
      /line 2000\n… \[lines 2001–5000 of 5000 left out: read on with startLine 2001\]$/,
    );
    assert.equal(rest, 'long.txt, lines 4999–5000 of 5000:\nline 4999\nline 5000');
    assert.equal(beyond, 'a.txt has 3 lines only.');
  });

  it('read a file in its encoding, and say which that is, and what is no text in it', async () => {
    const mark = (encoding: string, content: Uint8Array) => Buffer.concat([markFor(encoding), content]);
    await using workspace = await TestWorkspace.create({
      'a.txt': await encoded('日本\r\n', 'shiftjis'),
      'b.txt': mark('utf16be', await encoded('é\n', 'utf16be')),
      'c.txt': await encoded('plain\n', 'utf16le'),
      'd.txt': mark('utf8bom', await encoded('é\n', 'utf8')),
      'e.txt': await encoded('café\n', 'windows1252'),
    });
    workspace.encodings.set(workspace.uri('a.txt'), 'shiftjis');
    assert.deepEqual(
      await resultsOf(
        workspace,
        ...['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'].map((path) => ['read_file', { path }] as const),
      ),
      [
        'a.txt, lines 1–1 of 1:\n日本\n[It is in shiftjis, and stays so.]',
        'b.txt, lines 1–1 of 1:\né\n[It is in utf16be, and stays so.]',
        'c.txt, lines 1–1 of 1:\nplain\n[It is in utf16le, and stays so.]',
        'd.txt, lines 1–1 of 1:\né',
        'e.txt, lines 1–1 of 1:\ncaf\uFFFD\n[Bytes that are no text in utf8 show as \uFFFD. Lines with them cannot be changed.]',
      ],
    );
  });

  it('refuse what is no text, no file, not there or too large, and tell of changes that are not saved', async () => {
    await using workspace = await TestWorkspace.create({
      'a.bin': new Uint8Array([1, 0, 2]),
      'huge.txt': new Uint8Array(10_000_001).fill(65),
      'open.txt': 'text',
      'src/x.ts': '',
    });
    await symlink('/etc/passwd', workspace.at('innocent.txt'));
    workspace.type('open.txt', 'typed\r\ntext');
    const results = await resultsOf(
      workspace,
      ...['a.bin', 'huge.txt', 'src', 'none.ts', 'innocent.txt', 'src/x.ts', 'open.txt'].map(
        (path) => ['read_file', { path }] as const,
      ),
    );
    assert.match(results[0] ?? '', /not a text file/);
    assert.match(results[1] ?? '', /too large/);
    assert.match(results[2] ?? '', /is a folder/);
    assert.match(results[3] ?? '', /There is no none\.ts/);
    assert.match(results[4] ?? '', /not in the folders/);
    assert.equal(results[5], 'src/x.ts is empty.');
    assert.match(results[6] ?? '', /typed\ntext\n\[The user has not saved this yet/);
  });

  it('find files and text, by paths as they are named, and say when there are more', async () => {
    await using workspace = await TestWorkspace.create({ 'src/b.ts': '' });
    workspace.found = ['src/b.ts', 'a.ts'];
    workspace.matches = [workspace.match('src/b.ts', 3, '  const x = 1;')];
    assert.deepEqual(
      await resultsOf(workspace, ['find_files', { pattern: '**/*.ts' }], ['search_files', { query: 'x' }]),
      ['a.ts\nsrc/b.ts', 'src/b.ts:3: const x = 1;'],
    );
    workspace.found = Array.from({ length: 301 }, (_, index) => `f${index}.ts`);
    workspace.matches = Array.from({ length: 201 }, (_, line) =>
      workspace.match('m.ts', line, 'y'.repeat(1_000)),
    );
    const [files, text] = await resultsOf(
      workspace,
      ['find_files', { pattern: '*' }],
      ['search_files', { query: 'y' }],
    );
    assert.match(files ?? '', /\[1 more left out\. Use a narrower pattern\.\]$/);
    assert.match(text ?? '', /y… \[line cut\]\n.*there are more\. Use a narrower query/s);
  });

  it('tell the problems and names the editor knows, and only those of the workspace', async () => {
    await using workspace = await TestWorkspace.create({ 'a.ts': '', 'b.ts': '' });
    workspace.problems = [
      { uri: workspace.uri('a.ts'), line: 2, severity: 'error', message: 'No.\nReally.', source: 'ts' },
      { uri: workspace.uri('b.ts'), line: 1, severity: 'warning', message: 'Hm.', source: undefined },
      { uri: 'file:///elsewhere.ts', line: 1, severity: 'error', message: 'secret', source: undefined },
    ];
    workspace.symbols = [
      { uri: workspace.uri('a.ts'), line: 1, name: 'greet', kind: 'function', container: 'Hello' },
    ];
    assert.deepEqual(
      await resultsOf(
        workspace,
        ['get_diagnostics', {}],
        ['get_diagnostics', { path: 'b.ts' }],
        ['find_symbols', { query: 'gre' }],
        ['find_symbols', { path: 'b.ts' }],
        ['find_symbols', {}],
      ),
      [
        'a.ts:2: error: No. Really. (ts)\nb.ts:1: warning: Hm.',
        'b.ts:1: warning: Hm.',
        'a.ts:1: function greet in Hello',
        'No symbols. The editor may not know this language.',
        'Give a path, or a query, or both.',
      ],
    );
  });
});

describe('the tools that take notes', () => {
  const tools = () => notesTools;

  it('keep values and texts with the conversation, so that going back brings back what was there', async () => {
    await using world = await newWorld({
      tools,
      script: [
        useTools(
          ['write_note', { name: 'k', text: '1' }],
          ['write_note', { name: 'plan', text: 'first', mediaType: 'text/markdown' }],
        ),
        answer('one'),
        useTools(
          ['write_note', { name: 'k', text: '2' }],
          ['write_note', { name: 'plan', text: 'second', mediaType: 'text/markdown' }],
        ),
        answer('two'),
        useTools(['read_notes', {}], ['read_notes', { name: 'plan' }], ['read_notes', { name: 'k' }]),
        answer('three'),
      ],
    });
    await world.answered('one?');
    const second = await world.answered('two?');
    await world.engine().rewindBefore(second.questionId);
    await world.answered('what is there?', 'main-v2');
    assert.deepEqual(
      toolResultsOf(request(world.server, 6))
        .slice(-3)
        .map(({ result }) => result),
      ['k = "1"\nplan (version 0, text/markdown, 5 bytes)', 'first', '1'],
    );
    const engine = world.engine('main');
    assert.equal(await engine.state.get('k'), '2');
    await engine.close();
  });

  it('are kept as soon as the step has ended, also when the answer fails later', async () => {
    await using world = await newWorld({
      tools,
      maxRetries: 0,
      script: [useTools(['write_note', { name: 'k', text: 'kept' }])],
    });
    const run = await world.answered('?');
    assert.equal(run.status, 'failed');
    const engine = world.engine();
    assert.equal(await engine.state.get('k'), 'kept');
    await engine.close();
  });

  it('do not reach what belongs to all conversations', async () => {
    await using world = await newWorld({
      tools,
      script: [
        useTools(
          ['write_note', { name: 'user:x', text: '1' }],
          ['write_note', { name: 'app:x', text: '' }],
          ['write_note', { name: 'user:x', text: '', mediaType: 'text/plain' }],
          ['read_notes', { name: 'none' }],
        ),
        answer('ok'),
      ],
    });
    await world.answered('?');
    const results = toolResultsOf(request(world.server, 2)).map(({ result }) => result);
    assert.ok(results.slice(0, 3).every((text) => text.includes('cannot be written by tools')));
    assert.equal(results[3], 'Nothing is noted under “none”.');
  });
});
