import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FileTexts } from '../../../src/host/fileTexts.ts';
import { markFor, unicodeEncodings, utf16Of } from '../../../src/host/textEncodings.ts';
import { encoded, encodingsOf } from '../../fixtures/legacyEncodings.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const URI = 'file:///w/a.txt';
const textsIn = (encoding: string): FileTexts => new FileTexts(encodingsOf(() => encoding));
const bytes = (...parts: readonly (Uint8Array | string)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => Array.from(typeof part === 'string' ? Buffer.from(part) : part)));

/** By encoding: letters that it has, and one that it lacks. */
const alphabets: readonly (readonly [encoding: string, letters: string, lacks: string | undefined])[] = [
  ['utf8', 'aé日😀', undefined],
  ['utf8bom', 'aé日😀', undefined],
  ['utf16le', 'aé日😀', undefined],
  ['utf16be', 'aé日😀', undefined],
  ['windows1252', 'aé€ß', '日'],
  ['shiftjis', 'a日本ｱ表', 'é'],
  ['gbk', 'a中文€，', '😀'],
];

describe('the text of a file', () => {
  for (const [encoding, letters, lacks] of alphabets) {
    it(`in ${encoding} is read, and changed with every other byte as it was`, async () => {
      const texts = textsIn(encoding);
      const content = bytes(
        markFor(encoding),
        await encoded(`one ${letters}\r\ntwo\nthree ${letters}`, encoding),
      );
      const file = await texts.read(URI, content);
      assert.equal(file.encoding, encoding);
      assert.equal(file.text, `one ${letters}\r\ntwo\nthree ${letters}`);
      assert.ok(await file.isWhole());
      const after = file.text.replace('two', `2 ${letters}`);
      const expected = bytes(markFor(encoding), await encoded(after, encoding));
      assert.deepEqual(await file.contentWith(after), expected);
      assert.deepEqual(await file.contentWith(file.text), content);
      assert.deepEqual(await texts.contentOfNew(URI, after), expected);
      assert.deepEqual(await file.contentWith(''), markFor(encoding));
    });

    if (lacks === undefined) continue;
    it(`in ${encoding} is not changed where a character would be lost, which is named`, async () => {
      const texts = textsIn(encoding);
      const file = await texts.read(URI, await encoded(`${letters}\ntwo\n`, encoding));
      const refusal = { code: 'not-encodable', character: lacks, line: 2, encoding };
      await assert.rejects(file.contentWith(`${letters}\n2 ? ${lacks}\n`), refusal);
      await assert.rejects(texts.contentOfNew(URI, `?\n${lacks}`), refusal);
    });
  }

  it('is known by its byte order mark, whatever else would be expected', async () => {
    const texts = textsIn('shiftjis');
    for (const encoding of ['utf8bom', 'utf16le', 'utf16be']) {
      const file = await texts.read(URI, bytes(markFor(encoding), await encoded('é\n', encoding)));
      assert.deepEqual([file.encoding, file.text], [encoding, 'é\n']);
    }
  });

  it('in UTF-16 needs no mark, where its beginning is in Latin letters', async () => {
    const texts = textsIn('utf8');
    for (const encoding of ['utf16le', 'utf16be'] as const) {
      const content = await encoded(`${'hello\n'.repeat(100)}日本\n`, encoding);
      assert.equal(utf16Of(content), encoding);
      const file = await texts.read(URI, content);
      assert.equal(file.encoding, encoding);
      const changed = await file.contentWith(file.text.replace('日本', '中文'));
      assert.deepEqual(changed, await encoded(`${'hello\n'.repeat(100)}中文\n`, encoding));
    }
    for (const other of [[0, 0, 0, 0], [65, 0, 66, 67], [1, 0, 2, 0], [65, 0, 66], [65, 66], []]) {
      assert.equal(utf16Of(Uint8Array.from(other)), undefined, other.join());
    }
  });

  it('with bytes that are no text is changed in other lines only', async () => {
    const texts = textsIn('utf8');
    const content = bytes('a\n', Uint8Array.of(0x63, 0xe9, 0x0a), 'b\nc\n', Uint8Array.of(0xff));
    const file = await texts.read(URI, content);
    assert.equal(file.text, 'a\nc\uFFFD\nb\nc\n\uFFFD');
    assert.equal(await file.isWhole(), false);
    assert.deepEqual(
      await file.contentWith('A\nc\uFFFD\nnew\nb\nC\n\uFFFD'),
      bytes('A\n', Uint8Array.of(0x63, 0xe9, 0x0a), 'new\nb\nC\n', Uint8Array.of(0xff)),
    );
    const refusal = { code: 'not-text', line: 2, encoding: 'utf8' };
    await assert.rejects(file.contentWith('a\nc\uFFFD!\nb\nc\n\uFFFD'), refusal);
    await assert.rejects(file.contentWith('a\nb\nc\n\uFFFD'), refusal);
    await assert.rejects(file.contentWith('a\nc\uFFFD\nb\nc\n\uFFFD\n'), { code: 'not-text', line: 5 });
    // Two bytes that mean the same character: which of them it was cannot be told from the text.
    const twice = await textsIn('shiftjis').read(URI, Uint8Array.of(0x87, 0x9b, 0x0a, 0x61, 0x0a));
    assert.equal(twice.text, '∩\na\n');
    assert.deepEqual(await twice.contentWith('∩\nb\n'), Uint8Array.of(0x87, 0x9b, 0x0a, 0x62, 0x0a));
    await assert.rejects(twice.contentWith('∩b\na\n'), { code: 'not-text', line: 1 });
  });

  it('that is binary is told', async () => {
    for (const encoding of ['utf8', 'windows1252']) {
      const file = await textsIn(encoding).read(URI, Uint8Array.of(1, 0, 2, 3));
      assert.deepEqual([file.isBinary, file.encoding], [true, 'utf8']);
      assert.deepEqual(await file.contentWith('\u0001\0\u0002\u0004'), Uint8Array.of(1, 0, 2, 4));
    }
    assert.equal((await textsIn('utf8').read(URI, bytes('text'))).isBinary, false);
  });

  it('takes no half of a character', async () => {
    const file = await textsIn('utf8').read(URI, bytes('a\n'));
    await assert.rejects(file.contentWith('a\n\ud800'), { code: 'not-encodable', line: 2 });
  });

  it('keeps the bytes of all lines that stay, in any encoding (fuzz)', async () => {
    const odd = fc.uint8Array({ maxLength: 6 }).map((line) => line.filter((byte) => byte !== 0x0a));
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'é', '日本', 'same', '中文 x').map((text) => ({ text })),
      odd.map((raw) => ({ raw })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('utf8', 'windows1252', 'shiftjis', 'gbk'),
        fc.array(line, { maxLength: 12 }),
        fc.nat(12),
        fc.array(fc.constantFrom('new', '', 'same', 'b'), { maxLength: 3 }),
        async (encoding, lines, at, added) => {
          const encodings = encodingsOf(() => encoding);
          const content = await Promise.all(
            lines.map(async (each) =>
              bytes('raw' in each ? each.raw : await encodings.encode(each.text, encoding), '\n'),
            ),
          );
          const whole = bytes(...content);
          if (whole.includes(0)) return;
          const file = await new FileTexts(encodings).read(URI, whole);
          if (file.encoding !== encoding) return;
          const shown = file.text.split('\n');
          const place = Math.min(at, lines.length);
          const after = [...shown.slice(0, place), ...added, ...shown.slice(place)].join('\n');
          const expected = bytes(
            ...content.slice(0, place),
            ...added.map((each) => `${each}\n`),
            ...content.slice(place),
          );
          assert.deepEqual(await file.contentWith(after), expected);
        },
      ),
      { numRuns: fuzzRuns(200) },
    );
  });
});

describe('encodings without an editor', () => {
  it('are those of Unicode', async () => {
    assert.equal(await unicodeEncodings.ofNew(URI), 'utf8');
    assert.equal(await unicodeEncodings.of(URI, bytes('é')), 'utf8');
    assert.equal(await unicodeEncodings.of(URI, bytes(markFor('utf16be'), 'x')), 'utf16be');
  });
});
