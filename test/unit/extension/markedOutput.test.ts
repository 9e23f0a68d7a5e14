import assert from 'node:assert/strict';
import { MarkedOutput } from '../../../src/extension/tools/markedOutput.ts';

const marks = { begin: '\u001b]633;P;OffshootBegin=1\u0007', end: '\u001b]633;P;OffshootEnd=1\u0007' };
const other = marks.end.replace('1', '2');

function between(...pieces: readonly string[]): { readonly text: string; readonly output: MarkedOutput } {
  const output = new MarkedOutput(marks);
  return { text: pieces.map((piece) => output.add(piece)).join(''), output };
}

describe('what stands between the marks of a command', () => {
  const whole = `before\u001b[1m${marks.begin}a\u001b[0m\u001b${other}b\u001b]633;P\u001b${marks.end}after`;
  const own = `a\u001b[0m\u001b${other}b\u001b]633;P\u001b`;

  it('is found wherever what comes is split', () => {
    for (let at = 0; at <= whole.length; at++) {
      assert.equal(between(whole.slice(0, at), whole.slice(at)).text, own, `at ${at}`);
    }
    const { text, output } = between(...whole.split(''));
    assert.equal(text, own);
    assert.ok(output.hasBegun && output.hasEnded);
  });

  it('is given as soon as it can be no mark', () => {
    assert.equal(between(marks.begin, 'a\u001b]633').text, 'a');
    assert.equal(between(marks.begin, 'a\u001b]633', ';C').text, 'a\u001b]633;C');
  });

  it('is nothing of another command', () => {
    const { text, output } = between('a', marks.begin.replace('1', '2'), 'b', other);
    assert.equal(text, '');
    assert.ok(!output.hasBegun && !output.hasEnded);
  });
});
