import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readQuery } from '../../../src/store/common/searchQuery.ts';
import { indexedText, shownText } from '../../../src/store/common/searchText.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { user } from '../../../src/engine/fragments/index.ts';

const anything = fc.string({ unit: 'binary', maxLength: 200 });

describe('the text index', () => {
  it('shows a text as it was, but for what it uses itself', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const expected = text.normalize('NFC').replaceAll(/[\0\u200b\ue000-\ue002]/g, ' ');
        assert.equal(shownText(indexedText(text)), expected);
      }),
    );
  });

  it('keeps an emoji from the digits behind it', () => {
    for (const text of ['👍5', '👍🏽12', '5👍5 👍abc', '©2026', '🇩🇪49', '好5👍'])
      assert.equal(shownText(indexedText(text)), text);
  });

  it('parts emoji and letters that are words of their own from what stands next to them, all of Unicode', () => {
    const own =
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
    const joined: string[] = [];
    for (let code = 0x80; code <= 0x10_ffff; code++) {
      const sign = String.fromCodePoint(code).toWellFormed().normalize('NFC');
      if (own.test(sign) && !indexedText(`a${sign}b`).startsWith('a\u200b')) joined.push(sign);
    }
    assert.deepEqual(joined, []);
  });

  it('finds every text by any run of its words, whatever they are', async () => {
    const store = memoryStore();
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    await fc.assert(
      fc.asyncProperty(anything, fc.nat(), fc.nat(), async (text, from, length) => {
        const { headMessageId } = await engine.set(user(`${text} end`)).save();
        const gaps = [0, ...Array.from(text.matchAll(/\s/g), ({ index }) => index), text.length];
        const start = from % gaps.length;
        const part = text.slice(gaps[start], gaps[start + 1 + (length % gaps.length)] ?? text.length);
        // As a phrase, as any of its words would find it otherwise.
        const query = `"${part.replaceAll('"', ' ')}"`;
        const found = await store.searchMessages('chat', query, { limit: 1e6 });
        const expected = readQuery(query).required.length > 0;
        assert.equal(
          found.some(({ message }) => message.id === headMessageId),
          expected,
          JSON.stringify({ text, query }),
        );
      }),
      { numRuns: 300 },
    );
    await store.close();
  });

  it('asks for nothing when there is no word, and for no more than 64', () => {
    const countWords = (query: string): number => {
      const { words, required, excluded } = readQuery(query);
      return [...words, ...required, ...excluded].reduce((sum, term) => sum + term.words.length, 0);
    };
    for (const query of ['', ' ', '"', '""', '-*', '\0', '\ud800', 'in:', 'by: file:'])
      assert.equal(countWords(query), 0, query);
    const words = Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ');
    assert.equal(countWords(words), 64);
    assert.equal(countWords(`"${words}"`), 64);
  });

  it('reads operators, and leaves what is none', () => {
    const { words, required, excluded, filters } = readQuery(
      'baking -rye -"stale bread" "new oven" in:"My Kitchen" by:me file:Src/a.ts before:2025-03 since:2024 note:that before:noon',
    );
    assert.deepEqual(
      words.map((term) => term.words.join(' ')),
      ['baking', 'note that', 'before noon'],
    );
    assert.deepEqual(
      required.map((term) => term.words),
      [['new', 'oven']],
    );
    assert.deepEqual(
      excluded.map((term) => term.words),
      [['rye'], ['stale', 'bread']],
    );
    assert.deepEqual(filters, {
      titles: ['my kitchen'],
      authors: ['user'],
      files: ['src/a.ts'],
      before: new Date(2025, 2, 1).getTime(),
      since: new Date(2024, 0, 1).getTime(),
    });
    const pasted = readQuery(`${'a long text with an option '.repeat(20)} run -v in:here`);
    assert.deepEqual([pasted.excluded, pasted.filters.titles], [[], []]);
    // Of a sentence without spaces, any two adjacent signs.
    assert.deepEqual(
      readQuery('喜欢文学').words.map((term) => term.words.join('')),
      ['喜欢', '欢文', '文学'],
    );
  });
});
