import assert from 'node:assert/strict';
import fc from 'fast-check';
import { portions } from '../../../src/agent/summaries/portions.ts';

/** A token for every two characters, so that the sum of parts can be more than the whole. */
const count = (text: string): Promise<number> => Promise.resolve(Math.ceil(text.length / 2));

describe('portions of what a model cannot read at once', () => {
  it('have all of it in order, and none is too large', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((each) => each.replaceAll('\n', ' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.integer({ min: 3, max: 30 }), async (texts, limit) => {
        const made = await portions(texts, limit, count);
        assert.equal(made.join('').replaceAll('\n', ''), texts.join(''));
        for (const portion of made) assert.ok((await count(portion)) <= limit);
        assert.ok(made.every((portion) => portion.isWellFormed()));
      }),
    );
  });

  it('are as few as can be in their order', async () => {
    assert.deepEqual(await portions(['aaaa', 'bbbb', 'cccc'], 6, count), ['aaaa\nbbbb', 'cccc']);
    assert.deepEqual(await portions(['aaaa', 'bbbb'], Infinity, count), ['aaaa\nbbbb']);
    assert.deepEqual(await portions([], 6, count), []);
  });
});
