import assert from 'node:assert/strict';
import core from 'highlight.js/lib/core';
import { languageOf, loadGrammars } from '../../../src/webview/code/grammars.ts';
import { RecentlyUsed } from '../../../src/webview/code/recentlyUsed.ts';

describe('the language of a code block', () => {
  it('is found by its name and its other names, in either case', () => {
    assert.equal(languageOf('TS'), 'typescript');
    assert.equal(languageOf('html'), 'xml');
    assert.equal(languageOf('rust'), 'rust');
  });

  it('is none for what has no grammar, and for the names of an object’s own members', () => {
    for (const name of ['', 'mermaid', 'klingon', 'constructor', '__proto__']) {
      assert.equal(languageOf(name), undefined);
    }
  });

  it('has a grammar that says so itself, with those of the languages inside it', async () => {
    for (const language of ['typescript', 'xml', 'shell'] as const) {
      const grammars = await loadGrammars(language);
      for (const [name, grammar] of grammars) core.registerLanguage(name, grammar);
      assert.ok(core.getLanguage(language));
      assert.ok(grammars.length > 1);
    }
  });
});

describe('what was used recently', () => {
  it('is kept up to its weight, the least recently used goes first', () => {
    const kept = new RecentlyUsed<number>(10);
    kept.set('a', 1, 4);
    kept.set('b', 2, 4);
    assert.equal(kept.get('a'), 1);
    kept.set('c', 3, 4);
    assert.equal(kept.get('b'), undefined);
    assert.deepEqual([kept.get('a'), kept.get('c')], [1, 3]);
    kept.set('a', 4, 11);
    assert.equal(kept.get('a'), undefined);
    kept.set('d', 5, 6);
    assert.deepEqual([kept.get('c'), kept.get('d')], [3, 5]);
  });
});
