import assert from 'node:assert/strict';
import { lineTest, walkedSearch, type WalkedFiles } from '../../../src/agent/tools/workspace/walkedSearch.ts';
import { FileTexts } from '../../../src/host/fileTexts.ts';
import { encoded, encodingsOf } from '../../fixtures/legacyEncodings.ts';
import type { TextQuery } from '../../../src/agent/tools/workspace/workspaceHost.ts';

const query = (text: string, more: Partial<TextQuery> = {}): TextQuery => ({
  text,
  isRegex: false,
  matchCase: false,
  include: [],
  ...more,
});
const signal = (): AbortSignal => new AbortController().signal;

/** Files by their paths, and a note of what was read. */
function walked(
  files: Readonly<Record<string, string | Uint8Array>>,
): WalkedFiles & { readonly read: WalkedFiles['read'] } {
  return {
    find: (_folder, include, limit) =>
      Promise.resolve(
        Object.keys(files)
          .filter((path) => include === undefined || path.endsWith(include))
          .slice(0, limit + 1)
          .map((path) => ({ uri: `memfs:/${path}`, path })),
      ),
    read: (uri) => {
      const text = files[uri.slice('memfs:/'.length)];
      return Promise.resolve(typeof text === 'string' ? new TextEncoder().encode(text) : text);
    },
    texts: new FileTexts(encodingsOf((uri) => (uri.endsWith('.sjis') ? 'shiftjis' : 'utf8'))),
  };
}

describe('searching without a program', () => {
  it('finds lines of texts, by file and line', async () => {
    const search = walkedSearch(
      walked({ 'b.ts': 'a needle\r\nno\nNEEDLE', 'a.ts': 'needle', 'c.bin': 'needle\0' }),
    );
    const { matches, note } = await search.find('memfs:/', query('needle'), 10, signal(), () => true);
    assert.deepEqual(
      matches.map(({ path, line, text }) => [path, line, text]),
      [
        ['a.ts', 1, 'needle'],
        ['b.ts', 1, 'a needle'],
        ['b.ts', 3, 'NEEDLE'],
      ],
    );
    assert.equal(note, undefined);
    const cased = await search.find(
      'memfs:/',
      query('NEEDLE', { matchCase: true }),
      10,
      signal(),
      () => true,
    );
    assert.deepEqual(
      cased.matches.map(({ path }) => path),
      ['b.ts'],
    );
  });

  it('reads each file in its encoding', async () => {
    const files = {
      'a.sjis': await encoded('日本\r\n', 'shiftjis'),
      'b.txt': await encoded('\uFEFFin 日本', 'utf16be'),
      'c.txt': await encoded(`${'x'.repeat(300)}\n日本`, 'utf16le'),
      'd.txt': '日本',
    };
    const search = walkedSearch(walked(files));
    const { matches } = await search.find('memfs:/', query('日'), 10, signal(), () => true);
    assert.deepEqual(
      matches.map(({ path, line, text }) => [path, line, text]),
      [
        ['a.sjis', 1, '日本'],
        ['b.txt', 1, 'in 日本'],
        ['c.txt', 2, '日本'],
        ['d.txt', 1, '日本'],
      ],
    );
  });

  it('leaves out what is not wanted, and names what may hold secrets', async () => {
    const search = walkedSearch(walked({ '.env': 'needle', 'a.ts': 'needle' }));
    const { matches } = await search.find(
      'memfs:/',
      query('needle'),
      10,
      signal(),
      ({ path }) => path !== '.env',
    );
    assert.deepEqual(
      matches.map(({ path }) => path),
      ['a.ts'],
    );
    assert.deepEqual(await search.secretFiles('memfs:/', query('needle'), signal()), ['memfs:/.env']);
  });

  it('ends at its limits, and says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, index) => [`f${index}.ts`, 'hay']));
    const search = walkedSearch(walked({ ...many, 'z.ts': 'needle' }));
    const { matches, note } = await search.find('memfs:/', query('needle'), 10, signal(), () => true);
    assert.deepEqual(matches, []);
    assert.match(note ?? '', /Only 2000 files were looked into/u);
    const few = await walkedSearch(walked(many)).find('memfs:/', query('hay'), 10, signal(), () => true);
    assert.equal(few.matches.length, 11);
    const stopped = AbortSignal.abort();
    await assert.rejects(
      search.find('memfs:/', query('needle'), 10, stopped, () => true),
      { name: 'AbortError' },
    );
  });

  it('refuses expressions that might never end, and takes those that end', () => {
    for (const endless of [
      '(a+)+$',
      '(a|aa)*b',
      '(.*)*x',
      '(?=a+)b',
      '(a)\\1',
      'a*b*c*d*e*f*g*h',
      '((ab)*c)+',
      '(',
    ]) {
      assert.throws(() => lineTest(query(endless, { isRegex: true })), { code: 'invalid-query' }, endless);
    }
    const lines: readonly (readonly [string, string, boolean])[] = [
      ['function\\s+\\w+\\(.*\\)', 'function greet(name)', true],
      ['^import .* from', 'import a from', true],
      ['(foo|bar)baz', 'barbaz', true],
      ['(ab)+c', 'xababc', true],
      ['[+*]{2}', 'a ** b', true],
      ['\\d{3,}', '12', false],
      ['\\-', 'a-b', true],
    ];
    for (const [text, line, expected] of lines) {
      assert.equal(lineTest(query(text, { isRegex: true }))(line), expected, text);
    }
    const started = performance.now();
    lineTest(query('.*a.*b.*c.*d.*e.*f$', { isRegex: true }))('abcdef'.repeat(100));
    assert.ok(performance.now() - started < 2_000);
  });
});
