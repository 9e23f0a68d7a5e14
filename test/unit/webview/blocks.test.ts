import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BlockReader, takeBlocks, type Block } from '../../../src/webview/markdown/blocks.ts';

const markdown = [
  '# Title',
  'A paragraph with **bold** and `code`.',
  '- one\n- two\n\n  still two',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '> quoted\r\n> twice',
  '1. a step:\n\n   ```sh\n   ls\n   ```\n\n2. [x] another',
  '- [ ] to do\n- [x] done',
  'See [the page][1], and [that][two].',
  '[1]: https://example.com/one',
  'The end.',
  '[two]: https://example.com/two',
].join('\n\n');

/** What the blocks say, without how they are told apart. */
const shape = (blocks: readonly Block[]): string[] =>
  blocks.map((block) => {
    switch (block.kind) {
      case 'code':
        return `code ${block.language}: ${block.code}`;
      case 'html':
        return block.html;
      case 'text':
        return block.text;
      case 'quote':
        return `quote: ${shape(block.blocks).join('')}`;
      case 'list':
        return block.items.map((item) => `- ${shape(item.blocks).join('')}`).join('\n');
    }
  });

describe('Markdown in blocks', () => {
  it('is the same whether it came at once or piece by piece', () => {
    const whole = shape(new BlockReader().read(markdown));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const reader = new BlockReader();
        let length = 0;
        for (let index = 0; length < markdown.length; index++) {
          length += sizes[index % sizes.length] ?? 1;
          reader.read(markdown.slice(0, length));
        }
        assert.deepEqual(shape(reader.read(markdown)), whole);
      }),
    );
  });

  it('begins again when the text is another one', () => {
    const reader = new BlockReader();
    reader.read(markdown);
    assert.deepEqual(shape(reader.read('plain')), ['<p>plain</p>\n']);
  });

  it('loads no image: it is a link with its description', () => {
    const [block] = shape(new BlockReader().read('![a <b>](https://example.com/x.png "t")'));
    assert.equal(block, '<p><a href="https://example.com/x.png">a &lt;b&gt;</a></p>\n');
  });

  it('reads a finished block once, however long the answer grows', () => {
    const reader = new BlockReader();
    let text = '';
    let before: readonly Block[] = [];
    for (let index = 0; index < 200; index++) {
      text += `Paragraph ${index} with some words in it.\n\n`;
      const blocks = reader.read(text);
      // All but the last two, which may still grow, are the very same objects.
      for (const [at, block] of before.slice(0, -2).entries()) assert.equal(blocks[at], block);
      before = blocks;
    }
    assert.equal(before.length, 200);
  });

  it('has a copy of every code block, also of one in a list', () => {
    const [list] = new BlockReader().read('1. so:\n\n   ```sh\n   ls\n   ```\n');
    assert.deepEqual(list, {
      kind: 'list',
      start: 1,
      items: [
        {
          isDone: undefined,
          blocks: [
            { kind: 'html', html: '<p>so:</p>\n' },
            { kind: 'code', language: 'sh', code: 'ls' },
          ],
        },
      ],
    });
  });

  it('leads a link to where it is defined, also when that comes last', () => {
    const reader = new BlockReader();
    const text = '[a][1]\n\nb\n\nc\n\nd\n\n';
    assert.match(shape(reader.read(text)).join(''), /^<p>\[a\]\[1\]/);
    const partly = shape(reader.read(`${text}[1]: https://exam`)).join('');
    assert.match(partly, /^<p><a href="https:\/\/exam">a<\/a>/);
    const whole = shape(reader.read(`${text}[1]: https://example.com`)).join('');
    assert.match(whole, /^<p><a href="https:\/\/example.com">a<\/a>/);
  });

  const hostile = {
    'quotations in quotations without end': '>'.repeat(30_000),
    'lists in lists without end': '- '.repeat(3_000),
    'one long word full of marks': '_a_b'.repeat(30_000),
    'brackets that are never closed': '![['.repeat(40_000),
    'a table with a row for every line': `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(20_000)}`,
  };
  for (const [what, text] of Object.entries(hostile)) {
    it(`reads ${what} in little time, and loses nothing`, () => {
      const start = performance.now();
      const blocks = new BlockReader().read(text);
      assert.ok(performance.now() - start < 1_500);
      const marks = (whole: string): number => whole.replaceAll(/[^>_![|a-z]/g, '').length;
      if (blocks[0]?.kind === 'text') assert.equal(marks(shape(blocks).join('')), marks(text));
      else assert.ok(blocks.length > 0);
    });
  }
});

describe('the first blocks of an answer', () => {
  const blocks = new BlockReader().read('a\n\n- b\n- c\n- d\n\n> e\n>\n> f\n\ng');

  it('are all of them where there is room', () => {
    assert.equal(takeBlocks(blocks, 20), blocks);
  });

  it('count what lists and quotations hold', () => {
    assert.deepEqual(shape(takeBlocks(blocks, 4)), ['<p>a</p>\n', '- b\n- c']);
    assert.deepEqual(shape(takeBlocks(blocks, 1)), ['<p>a</p>\n']);
  });

  it('shows lists and quotations that stand in one another too deep as they are', () => {
    const deepest = (blocks: readonly Block[]): number =>
      1 +
      Math.max(
        0,
        ...blocks.map((block) => {
          if (block.kind === 'quote') return deepest(block.blocks);
          return block.kind === 'list' ? deepest(block.items.flatMap((item) => item.blocks)) : 0;
        }),
      );
    for (const text of [`${'> '.repeat(60)}x`, `${'- '.repeat(60)}x`, `${'> - '.repeat(60)}x`]) {
      const blocks = new BlockReader().read(text);
      assert.ok(deepest(blocks) <= 25, text);
      assert.match(
        JSON.stringify(blocks),
        /"kind":"text","text":"[->]/,
        'the rest is there as it was written',
      );
    }
  });

  it('shows elements that stand in one another without end, and tables of very many cells, as they are', () => {
    for (const text of [
      '<blockquote><details open><ul><li>'.repeat(300),
      `${'<b><i>'.repeat(100)}x`,
      `${'</b></i>'.repeat(100)}${'<b><i>'.repeat(60)}x`,
      `|a|\n|-|\n${'|b|\n'.repeat(600)}`,
      `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${`|${'b|'.repeat(1_000)}\n`.repeat(6)}`,
    ])
      assert.deepEqual(
        new BlockReader().read(text).map(({ kind }) => kind),
        ['text'],
      );
    assert.equal(new BlockReader().read('<ul><li>a<li>b</ul>\n')[0]?.kind, 'html');
  });
});
