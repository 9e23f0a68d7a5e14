import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BlockReader, type Block } from '../../../src/webview/markdown/blocks.ts';

const markdown = [
  '# Title',
  'A paragraph with **bold** and `code`.',
  '- one\n- two\n\n  still two',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '> quoted',
  'The end.',
].join('\n\n');

const shape = (blocks: readonly Block[]): string[] =>
  blocks.map((block) => (block.kind === 'code' ? `code ${block.language}: ${block.code}` : block.html));

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

  it('begins anew when the text is another one', () => {
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
});
