import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanTitle } from '../../../src/extension/commands/titles.ts';
import { hostileText } from '../../fixtures/hostileTexts.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

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
    ['[Settings](command:workbench.action.openSettings)', 'Settings'],
    ['Herons [here](https://evil.example "t") and ![i](https://evil.example/i.png)', 'Herons here and i'],
    ['[[x](command:y)](command:z) rest', 'x rest'],
    ['[![i](u)](command:z) herons', 'i herons'],
    ['[x][y] herons', 'x herons'],
    ['Cut [off](command:workbench', 'Cut [off] (command:workbench'],
    ['<a href="command:x">Herons</a> <img src=x> of <b>the</b> marsh', 'Herons of the marsh'],
    ['Read <https://evil.example/x> or www.evil.example', 'Read evil.example/x or evil.example'],
    ['$(zap) Herons $(sync~spin)', 'zap Herons sync~spin'],
    ['$($(zap))', 'zap'],
    ['**Bold** *and* _more_ ~~struck~~', 'Bold and more struck'],
    [
      'Sort a List<string> by snake_case_name, 2 * 3 * 4',
      'Sort a List<string> by snake_case_name, 2 * 3 * 4',
    ],
    ['', ''],
  ];
  for (const [written, title] of titles) {
    it(`is cleaned: ${JSON.stringify(written)}`, () => assert.equal(cleanTitle(written), title));
  }

  it('is one short line of words in which nothing is hidden, whatever was written, in a fuzz test', () => {
    fc.assert(
      fc.property(hostileText({ maxLength: 300 }), (text) => {
        const title = cleanTitle(text);
        assert.doesNotMatch(title, /[\p{Cc}\u202A-\u202E\u2066-\u2069]|^\s|\s$/u);
        assert.ok(Array.from(new Intl.Segmenter().segment(title)).length <= 60);
        assert.doesNotMatch(
          title,
          /\]\(|https?:\/\/|(?<![\p{L}\p{N}])www\.|\$\([a-z0-9~-]+\)|<(?:a|img)(?:\s[^<>]*)?>|\*\*|`/iu,
        );
      }),
      { numRuns: fuzzRuns(500) },
    );
  });
});
