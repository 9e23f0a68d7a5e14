import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { textLines } from '../../../src/base/textLines.ts';

describe('lines of texts', () => {
  it('are the text, and end where it has a line end', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '漢', '😀', '\n', '\r') }), (text) => {
        const lines = textLines(text);
        assert.equal(lines.join(''), text);
        assert.ok(lines.every((line) => line !== '' && !line.slice(0, -1).includes('\n')));
        assert.ok(lines.slice(0, -1).every((line) => line.endsWith('\n')));
      }),
    );
  });

  it('may be of megabytes, with letters of two bytes', () => {
    const long = `漢${'A'.repeat(12 * 1024 * 1024)}`;
    assert.deepEqual(
      textLines(`${long}\nb`).map(({ length }) => length),
      [long.length + 1, 1],
    );
  });
});
