import assert from 'node:assert/strict';
import fc from 'fast-check';
import { distinctLabels } from '../../../src/extension/tree/distinctLabels.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

describe('labels of rows that begin alike', () => {
  it('begin with the first word in which they differ', () => {
    assert.deepEqual(
      distinctLabels([
        'Explain what a closure is in JavaScript',
        'Explain what a closure is in Rust',
        'Explain what a closure is',
        'Write a test',
        'Write a story',
      ]),
      ['…JavaScript', '…Rust', 'Explain what a closure is', 'Write a test', 'Write a story'],
    );
    assert.deepEqual(
      distinctLabels([
        '请解释一下什么是闭包以及它在实际项目中的用途一',
        '请解释一下什么是闭包以及它在实际项目中的用途二',
      ]),
      ['…一', '…二'],
    );
  });

  it('are numbered where they are the same, and whole where only their middles differ', () => {
    assert.deepEqual(distinctLabels(['Again', 'Again', 'Again (2)', 'Again']), [
      'Again',
      'Again (2)',
      'Again (2) (2)',
      'Again (3)',
    ]);
    const alike = [
      'How do I read a large file in Rust',
      'How do I read a large file in Go',
      'How do I write a large file in Rust',
      'How do I write a large file in Go',
    ];
    assert.equal(new Set(distinctLabels(alike)).size, 4);
  });

  it('are never the same, and never made up, whatever they are (fuzz)', () => {
    const word = fc.constantFrom(
      'explain',
      'closures',
      'in',
      'a',
      '😀',
      '闭包',
      'Explain what a closure is',
      '(2)',
    );
    const label = fc.oneof(
      fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 8 }), (labels) => {
        const distinct = distinctLabels(labels);
        assert.equal(new Set(distinct).size, labels.length);
        distinct.forEach((text, index) => {
          const own = text.replace(/^…/, '').replace(/(?: \(\d+\))+$/, '');
          assert.ok((labels[index] ?? '').includes(own), `${text} of ${labels[index] ?? ''}`);
          assert.ok(text.isWellFormed());
        });
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
