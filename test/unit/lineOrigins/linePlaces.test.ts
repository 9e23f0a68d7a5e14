import assert from 'node:assert/strict';
import {
  isSameFile,
  linePlaceText,
  linesNamedIn,
  readLinePlace,
} from '../../../src/lineOrigins/linePlaces.ts';

describe('lines of a file', () => {
  it('are read as they are typed', () => {
    const read = (query: string): string | undefined => {
      const place = readLinePlace(query);
      return place && linePlaceText(place);
    };
    assert.equal(read('src/x.ts:10-20'), 'src/x.ts:10-20');
    assert.equal(read(' src\\x.ts:10 '), 'src/x.ts:10');
    assert.equal(read('src/x.ts:20–10'), 'src/x.ts:10-20');
    assert.equal(read('src/x.ts#L10-L20'), 'src/x.ts:10-20');
    assert.equal(read('src/x.ts:10:5'), 'src/x.ts:10');
    assert.equal(read('file:src/my file.ts:3'), 'src/my file.ts:3');
    for (const query of ['src/x.ts', 'at 10', 'src/x.ts:0', 'src/x.ts:10 and more', ''])
      assert.equal(read(query), undefined, query);
  });

  it('are found where a text names them', () => {
    const named = (text: string): string[] =>
      linesNamedIn(text, 'src/a/x.ts').map(({ first, last }) => `${first}-${last}`);
    for (const text of [
      'src/a/x.ts:10-20',
      '`x.ts:10-20`',
      '[x.ts](src/a/x.ts#L10-L20)',
      'https://example.com/blob/main/src/a/x.ts#L10-L20',
      'C:\\work\\src\\a\\x.ts:10-20',
      'in `a/x.ts`, lines 10–20',
      'x.ts (lines 10 to 20)',
      'lines 10-20 of `./src/a/x.ts`',
      'x.ts 第10到20行',
    ])
      assert.deepEqual(named(text), ['10-20'], text);
    assert.deepEqual(named('see x.ts(10,5) and x.ts:30:2'), ['10-10', '30-30']);
    for (const text of ['max.ts:10', 'src/b/x.ts:10', 'x.ts has 10 lines', 'x.tsx:10', 'x.ts and 10'])
      assert.deepEqual(named(text), [], text);
  });

  it('are found quickly in a long text', () => {
    assert.deepEqual(linesNamedIn('x.ts'.repeat(200_000), 'x.ts'), []);
  });

  it('are of the same file under an absolute path, and under a shorter one', () => {
    assert.ok(isSameFile('/home/me/p/src/x.ts', 'src/x.ts'));
    assert.ok(isSameFile('.\\src\\x.ts', 'src/x.ts'));
    assert.ok(isSameFile('x.ts', 'src/x.ts'));
    assert.ok(!isSameFile('lib/x.ts', 'src/x.ts'));
  });
});
