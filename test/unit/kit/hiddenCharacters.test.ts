import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  hasHiddenCharacters,
  hiddenCharacters,
  isHiddenCharacter,
  spelledOut,
  withHiddenSpelledOut,
} from '../../../src/base/hiddenCharacters.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

describe('Hidden characters', () => {
  const ranges: readonly (readonly [string, number, number])[] = [
    ['controls before the tab', 0x00, 0x08],
    ['controls after the line feed', 0x0b, 0x1f],
    ['the delete character and C1', 0x7f, 0x9f],
    ['the soft hyphen', 0xad, 0xad],
    ['the Arabic letter mark', 0x61c, 0x61c],
    ['Hangul fillers', 0x115f, 0x1160],
    ['zero-width characters and marks of direction', 0x200b, 0x200f],
    ['ends of lines and paragraphs', 0x2028, 0x2029],
    ['bidi embeddings and overrides', 0x202a, 0x202e],
    ['the word joiner and invisible operators', 0x2060, 0x2064],
    ['bidi isolates', 0x2066, 0x2069],
    ['the Hangul filler', 0x3164, 0x3164],
    ['variation selectors', 0xfe00, 0xfe0f],
    ['the byte order mark', 0xfeff, 0xfeff],
    ['the halfwidth Hangul filler', 0xffa0, 0xffa0],
    ['interlinear annotation', 0xfff9, 0xfffb],
    ['tags', 0xe0000, 0xe007f],
    ['further variation selectors', 0xe0100, 0xe01ef],
  ];
  for (const [name, first, last] of ranges) {
    it(`are ${name}`, () => {
      for (let point = first; point <= last; point += 1) {
        assert.ok(isHiddenCharacter(point), spelledOut(String.fromCodePoint(point)));
        assert.ok(hasHiddenCharacters(`a${String.fromCodePoint(point)}b`));
      }
    });
  }

  it('are not tabs, ends of lines, letters, spaces', () => {
    for (const char of ['\t', '\n', ' ', 'a', 'ä', '中', '\u00a0', '\u3000', '👍', 'א', 'ع'])
      assert.equal(isHiddenCharacter(char.codePointAt(0) ?? 0), false);
    assert.equal(withHiddenSpelledOut('one\r\ntwo\tthree\n'), 'one\r\ntwo\tthree\n');
  });

  const legitimate: Readonly<Record<string, string>> = {
    'a family of emoji': '👨‍👩‍👧‍👦',
    'a skin tone before a joiner': '👩🏽‍💻',
    'a heart shown as an emoji, and in a couple': '❤️ 👩‍❤️‍👨',
    'a sign shown as text': '☎︎',
    'a key': '1️⃣ #️⃣',
    'flags in tags':
      '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    Persian: 'می‌خواهم',
    Hindi: 'क्‍ष र्‍',
    'Khmer words': 'ខ្មែរ\u200bភាសា',
    'a variant of an ideograph': '葛\u{E0100}',
  };
  for (const [name, text] of Object.entries(legitimate)) {
    it(`are not marked in ${name}`, () => assert.equal(withHiddenSpelledOut(text), text));
  }

  const hostile: Readonly<Record<string, readonly [string, string]>> = {
    'a name turned round': ['photo\u202egnp.js', 'photo‹U+202E›gnp.js'],
    'a joiner between Latin letters': ['rm\u200d -rf', 'rm‹U+200D› -rf'],
    'more than one selector behind an emoji': ['👍\ufe0f\ufe01\u{E0155}', '👍\ufe0f‹U+FE01›‹U+E0155›'],
    'a text in tags behind a flag': ['🏴\u{E0072}\u{E006D}\u{E007F}', '🏴‹U+E0072›‹U+E006D›‹U+E007F›'],
    'two joiners between Arabic letters': ['م\u200c\u200d\u200cم', 'م\u200c‹U+200D›\u200cم'],
    'a joiner behind a mark of direction': ['\u061c\u200c', '‹U+061C›‹U+200C›'],
    'a selector behind another': ['\u180b\u180b', '‹U+180B›‹U+180B›'],
    'a break between vowels that are not seen': ['\u17b4\u200b\u17b4', '‹U+17B4›‹U+200B›‹U+17B4›'],
    'a carriage return alone': ['echo safe\rrm', 'echo safe‹U+000D›rm'],
    'a selector behind a digit': ['1\ufe0f', '1‹U+FE0F›'],
  };
  for (const [name, [text, shown]] of Object.entries(hostile)) {
    it(`are marked: ${name}`, () => assert.equal(withHiddenSpelledOut(text), shown));
  }

  it('fuzz: what is marked is hidden, and what is left out of the marks is the text', () => {
    const points = fc.oneof(
      fc.constantFrom(...ranges.flatMap(([, first, last]) => [first, last])),
      fc.constantFrom(...Array.from('a1 \n\t\r👍🏽❤🏴مक中ខ⃣', (char) => char.codePointAt(0) ?? 0)),
      fc.integer({ min: 0, max: 0xd7ff }),
    );
    fc.assert(
      fc.property(fc.array(points, { maxLength: 30 }), (given) => {
        const text = String.fromCodePoint(...given);
        for (const [char] of text.matchAll(hiddenCharacters)) {
          assert.ok(isHiddenCharacter(char.codePointAt(0) ?? 0));
        }
        const shown = withHiddenSpelledOut(text);
        assert.equal(hasHiddenCharacters(shown), false);
        const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
        assert.equal(bidi.test(shown), false);
      }),
      { numRuns: fuzzRuns(1_000) },
    );
  });
});
