import assert from 'node:assert/strict';
import { fileNamesIn, mayBeFile, pathIn } from '../../../src/webview/markdown/fileMentions.ts';

describe('the names of files in an answer', () => {
  it('are pieces of code with a slash or an ending', () => {
    for (const name of [
      ...[
        'src/a.ts',
        'a.ts:12',
        'src/a.ts:12:5',
        './a.ts',
        'C:\\src\\a.ts',
        'Makefile',
        'src/a#b.ts#L3',
        '.github/x',
      ],
    ]) {
      assert.ok(mayBeFile(name), name);
    }
  });

  it('are not other code, addresses and options', () => {
    for (const name of [
      ...[
        'greet()',
        'a ? b : c',
        'https://example.com/a.ts',
        'npm i',
        '-x/y',
        '$HOME/a',
        'a\nb/c',
        '*.ts',
        ' a.ts',
      ],
      ...['javascript:alert.a', 'x'.repeat(400) + '.ts', '~/a.ts'],
    ]) {
      assert.ok(!mayBeFile(name), name);
    }
  });

  it('are words of plain text where they are paths, or have a line', () => {
    const text =
      'See src/a.ts:12, (lib/b.js) and c.ts:3; “d/e.md”. Not and/or, e.g. this, a.ts or https://x.com/a.ts.';
    assert.deepEqual(
      fileNamesIn(text).map(({ at, name }) => [name, text.slice(at, at + name.length)]),
      [
        ['src/a.ts:12', 'src/a.ts:12'],
        ['lib/b.js', 'lib/b.js'],
        ['c.ts:3', 'c.ts:3'],
        ['d/e.md', 'd/e.md'],
      ],
    );
  });

  it('are looked for in little time, whatever the text', () => {
    const start = performance.now();
    for (const piece of ['a/', 'a.', '(', 'a:1', ')', '/.a']) fileNamesIn(piece.repeat(300_000));
    assert.ok(performance.now() - start < 2_000);
    assert.equal(pathIn('a.ts:12-14'), 'a.ts');
  });
});
