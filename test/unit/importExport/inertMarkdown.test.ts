import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lexer, walkTokens } from 'marked';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { inertMarkdown } from '../../../src/importExport/inertMarkdown.ts';
import { chatAsMarkdown } from '../../../src/importExport/markdownExport.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** What of a Markdown text a viewer would load, or run. */
function loading(markdown: string): string[] {
  const found: string[] = [];
  void walkTokens(new Lexer({ gfm: true }).lex(markdown), (token) => {
    if (token.type === 'image' || token.type === 'html') found.push(token.raw);
  });
  return found;
}

describe('Markdown that loads nothing', () => {
  it('has links in the place of pictures, and HTML as text', () => {
    assert.equal(
      inertMarkdown('See ![a chart](https://example.org/x.png?q=1) and <img src="https://example.org/y">.'),
      'See \\![a chart](https://example.org/x.png?q=1) and &lt;img src="https://example.org/y">.',
    );
    assert.equal(inertMarkdown('\\\\![a](b)'), '\\\\\\![a](b)');
    assert.equal(
      inertMarkdown('![a][b]\n\n[b]: https://example.org'),
      '\\![a][b]\n\n[b]: https://example.org',
    );
  });

  it('leaves code, links and everything else as they are', () => {
    const text = [
      '# A *title*',
      '    <indented>',
      'Compare `a < b` and `<img>`, `![x](y)`; 1 < 2. <https://example.org> [link](https://example.org)',
      '```html\n<img src="x">\n![x](y)\n```',
      '- one\n  ```ts\n  const a = <T,>(b: T) => b;\n  ```\n- two\\!',
      '| a | b |\n| - | - |\n| `<i>` | 2 |',
    ].join('\n\n');
    assert.equal(inertMarkdown(text), text);
  });

  it('takes nothing for code that stands as code elsewhere', () => {
    const piece = '```\n<img src="https://example.org">\n```';
    assert.deepEqual(loading(inertMarkdown(`<div>\n${piece}\n</div>\n\n${piece}`)), []);
  });

  it('holds whatever a model writes (fuzz)', () => {
    const bit = fc.constantFrom(
      ...[
        '![',
        '](',
        ')',
        '[',
        ']',
        '[a]: ',
        'http://x.y/z',
        '<img src=',
        '<',
        '>',
        '<!--',
        '-->',
        '<div>',
        '</div>',
      ],
      ...[
        '`',
        '``',
        '```',
        '~~~',
        '\n',
        '\n\n',
        '    ',
        '\t',
        '> ',
        '- ',
        '1. ',
        '\\',
        '!',
        '&lt;',
        '|',
        '|-|',
        '*',
        'a',
      ],
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 40 }), (bits) => {
        assert.deepEqual(loading(inertMarkdown(bits.join(''))), []);
      }),
      { numRuns: fuzzRuns(1_000) },
    );
  });

  it('is what an exported chat is made of, in messages of each role', async () => {
    const store = memoryStore();
    const leak = '![x](https://example.org/leak?secret) <img src="https://example.org/leak">';
    const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    engine.set(user(leak), assistant(leak));
    await engine.save();
    const markdown = chatAsMarkdown(await store.exportChat('chat'));
    await store.close();
    assert.equal(markdown.split('leak?secret').length, 3);
    assert.deepEqual(loading(markdown), []);
  });

  it('reads what nests deeper than a reader holds', () => {
    const deep = `${'> '.repeat(20_000)}![x](https://example.org)`;
    assert.ok(inertMarkdown(deep).endsWith('\\![x](https://example.org)'));
  });
});
