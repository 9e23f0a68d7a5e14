import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanTitle } from '../../../src/extension/titles.ts';

describe('a title as a model writes it', () => {
  const titles: readonly (readonly [string, string])[] = [
    ['Herons of the marsh', 'Herons of the marsh'],
    ['"Herons of the marsh."', 'Herons of the marsh'],
    ['# **Herons** of the `marsh`\n\nThat is the title.', 'Herons of the marsh'],
    ['Title: Herons', 'Herons'],
    ['「湿地的苍鹭」。', '湿地的苍鹭'],
    ['<think>What is it about?\nBirds.</think>\nHerons', 'Herons'],
    ['invoice\u202Egpj.exe', 'invoice gpj.exe'],
    ['What is C#?', 'What is C#?'],
    ['', ''],
  ];
  for (const [written, title] of titles) {
    it(`is cleaned: ${JSON.stringify(written)}`, () => assert.equal(cleanTitle(written), title));
  }

  it('is one short line in which nothing is hidden, whatever was written, and stays so', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (written) => {
        const title = cleanTitle(written);
        assert.doesNotMatch(title, /[\p{Cc}\u202A-\u202E\u2066-\u2069]|^\s|\s$/u);
        assert.ok(Array.from(new Intl.Segmenter().segment(title)).length <= 60);
      }),
    );
  });
});
