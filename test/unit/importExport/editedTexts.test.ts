import assert from 'node:assert/strict';
import { editedTexts, type EditedText } from '../../../src/importExport/editedTexts.ts';
import type { ToolCallState } from '../../../src/engine/uiMessage.ts';

const editsOf = (toolName: string, input: unknown, failed = false): EditedText[] => {
  const state: ToolCallState = failed
    ? { state: 'output-error', input, errorText: 'no' }
    : { state: 'output-available', input, output: null };
  return editedTexts({ parts: [{ type: 'dynamic-tool', toolName, toolCallId: '1', ...state }] });
};

describe('texts that the calls of other programs put into files', () => {
  it('are read of Claude Code', () => {
    const edit = { file_path: '/p/a.ts', old_string: 'one', new_string: 'two' };
    assert.deepEqual(editsOf('Edit', edit), [{ path: '/p/a.ts', before: 'one', after: 'two' }]);
    const edits = [edit, { old_string: 'x', new_string: 'y' }];
    assert.deepEqual(
      editsOf('MultiEdit', { file_path: '/p/a.ts', edits }).map(({ before, after }) => [before, after]),
      [
        ['one', 'two'],
        ['x', 'y'],
      ],
    );
    assert.deepEqual(editsOf('Write', { file_path: 'a.ts', content: 'all' }), [
      { path: 'a.ts', before: undefined, after: 'all' },
    ]);
  });

  it('are read of opencode', () => {
    assert.deepEqual(editsOf('edit', { filePath: '/p/a.ts', oldString: 'one', newString: 'two' }), [
      { path: '/p/a.ts', before: 'one', after: 'two' },
    ]);
  });

  it('are read of Codex, as a patch alone and in a command', () => {
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/a.ts',
      '@@ class A',
      ' kept',
      '-old',
      '+new',
      '@@',
      '+more',
      '*** Add File: src/b.ts',
      '+first',
      '+second',
      '*** Update File: src/c.ts',
      '*** Move to: src/d.ts',
      '-c',
      '+d',
      '*** Delete File: src/e.ts',
      '*** End Patch',
    ].join('\n');
    const expected: EditedText[] = [
      { path: 'src/a.ts', before: 'kept\nold', after: 'kept\nnew' },
      { path: 'src/a.ts', before: '', after: 'more' },
      { path: 'src/b.ts', before: undefined, after: 'first\nsecond' },
      { path: 'src/d.ts', before: 'c', after: 'd' },
    ];
    assert.deepEqual(editsOf('apply_patch', { input: patch }), expected);
    const command = ['bash', '-lc', `apply_patch <<'EOF'\n${patch}\nEOF\necho done`];
    assert.deepEqual(editsOf('shell', { command }), expected);
  });

  it('are read of Cline and Roo Code', () => {
    const diff =
      '------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n\n<<<<<<< SEARCH\n:start_line:3\n-------\nthree\n=======\nfour\n>>>>>>> REPLACE\n';
    assert.deepEqual(editsOf('replace_in_file', { path: 'a.ts', diff }), [
      { path: 'a.ts', before: 'one\n', after: 'two\n' },
      { path: 'a.ts', before: 'three\n', after: 'four\n' },
    ]);
    assert.deepEqual(editsOf('write_to_file', { path: 'a.ts', content: 'all' }), [
      { path: 'a.ts', before: undefined, after: 'all' },
    ]);
  });

  it('are none of calls that failed, and of calls that only read', () => {
    assert.deepEqual(editsOf('Write', { file_path: 'a.ts', content: 'all' }, true), []);
    assert.deepEqual(editsOf('Read', { file_path: 'a.ts' }), []);
    assert.deepEqual(editsOf('remember', { path: 'a.ts', content: 'all' }), []);
    assert.deepEqual(editsOf('Edit', null), []);
  });
});
