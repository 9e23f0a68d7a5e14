import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Marked, type Token } from 'marked';
import { inertHoverText, inertMarkdown, inertText, plainText } from '../../../src/extension/ui/inertText.ts';
import { hostileNames, reorderedNames } from '../../fixtures/hostileNames.ts';
import { hostileText } from '../../fixtures/hostileTexts.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

/** Reads a text for links as notifications and prompts of VS Code do: `[label](href)` with an address or a command. */
function linksIn(text: string): string[] {
  const links: string[] = [];
  for (let at = text.indexOf(']('); at >= 0; at = text.indexOf('](', at + 1)) {
    const label = text.slice(text.lastIndexOf('[', at), at);
    const href = text.slice(at + 2);
    if (label.length > 1 && /^(?:https?:\/\/|command:|file:)[^)\s]/i.test(href) && href.includes(')')) {
      links.push(href);
    }
  }
  return links;
}

/** Reads a text for icons as labels of VS Code do: `$(name)` or `$(name~modifier)`, escaped or not. */
function iconsIn(text: string): string[] {
  return text
    .split('$(')
    .slice(1)
    .flatMap((rest) => {
      const [name = '', ...closed] = rest.split(')');
      return closed.length > 0 && /^[a-z0-9-]+(?:~[a-z]+)?$/i.test(name) ? [name] : [];
    });
}

const markdown = new Marked({ gfm: true });

/** The kinds of tokens that GitHub's Markdown, which VS Code renders, makes of a text. */
function markdownKinds(text: string): Set<string> {
  const kinds = new Set<string>();
  const visit = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      kinds.add(token.type);
      if ('tokens' in token) visit(token.tokens ?? []);
    }
  };
  visit(markdown.lexer(text));
  return kinds;
}

/** What one reads of a Markdown text. */
function readMarkdown(text: string): string {
  const html = markdown.parse(text, { async: false });
  const entities: Readonly<Record<string, string>> = {
    '&nbsp;': ' ',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return html
    .replaceAll(/<\/p>\n<p>/g, '\n')
    .replaceAll(/<\/?p>|\n$/g, '')
    .replaceAll(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity);
}

/** What one sees of a text that was made inert. */
function seen(text: string): string {
  return text.replaceAll('\u2060', '');
}

const anyName = hostileText({ maxLength: 60 });

describe('a text for a surface of VS Code', () => {
  it('reads as it was written, whatever it holds', () => {
    for (const name of Object.values(hostileNames)) {
      assert.equal(plainText(name), name);
      assert.equal(seen(inertText(name)), name);
      assert.equal(seen(inertHoverText(name)), name);
      assert.equal(readMarkdown(inertMarkdown(name)), name);
    }
  });

  it('is one line that reads in the order it is written in', () => {
    assert.equal(plainText(reorderedNames.lines), 'one two   three four');
    assert.equal(plainText(reorderedNames.override), 'invoice\uFFFDfdp.exe');
    assert.equal(inertText(reorderedNames.isolate), 'a\uFFFDb\uFFFDc');
    assert.equal(inertMarkdown(reorderedNames.override), 'invoice\uFFFDfdp\\.exe');
  });

  it('stays as long as it was where places in it count, in a fuzz test', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        assert.equal(plainText(name).length, name.length);
        assert.doesNotMatch(plainText(name), /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
      }),
      { numRuns: fuzzRuns(500) },
    );
  });

  it('holds no link and no icon in a notification, prompt, label or status, in a fuzz test', () => {
    fc.assert(
      fc.property(anyName, anyName, (name, other) => {
        const text = inertText(`Chat “${name}” (${other}) is imported.`);
        assert.deepEqual(linksIn(text), []);
        assert.deepEqual(iconsIn(text), []);
        // VS Code cuts a label where it marks what was typed.
        for (let cut = 0; cut <= text.length; cut++) {
          assert.deepEqual([...iconsIn(text.slice(cut)), ...iconsIn(text.slice(0, cut))], []);
        }
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('leads nowhere in the hover of a row, which is Markdown with HTML escaped, in a fuzz test', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const text = inertHoverText(name);
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        const kinds = markdownKinds(escaped);
        assert.ok(!kinds.has('link') && !kinds.has('image') && !kinds.has('html'), JSON.stringify(text));
        assert.deepEqual([...linksIn(text), ...iconsIn(text)], []);
      }),
      { numRuns: fuzzRuns(500) },
    );
  });

  it('is nothing but paragraphs of text in Markdown, and reads the same, in a fuzz test', () => {
    const inert = new Set(['paragraph', 'text', 'escape', 'space', 'strong']);
    fc.assert(
      fc.property(anyName, anyName, (name, other) => {
        const text = `**${inertMarkdown('Heading')}**\n\n${inertMarkdown(name)}\n\n${inertMarkdown(other)}`;
        for (const kind of markdownKinds(text))
          assert.ok(inert.has(kind), `${kind} in ${JSON.stringify(text)}`);
        assert.deepEqual(iconsIn(inertMarkdown(name)), []);
        const expected = name
          .split(/[\r\n]+/u)
          .map(plainText)
          .filter((line) => line !== '')
          .join('\n');
        assert.equal(readMarkdown(inertMarkdown(name)), expected);
      }),
      { numRuns: fuzzRuns(500) },
    );
  });
});
