import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CommandOutput } from '../../../src/agent/tools/commands/commandOutput.ts';
import { drawn } from '../../../src/agent/tools/commands/drawnText.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const ESC = '\u001b';
const small = { rows: 5, columns: 10 };

function outputOf(...pieces: readonly string[]): CommandOutput {
  const output = new CommandOutput();
  for (const piece of pieces) output.add(piece);
  return output;
}

describe('the output of a command, drawn as a terminal does', () => {
  for (const [title, written, shown] of [
    ['lines of a terminal and of a pipe', 'a\r\nb\nc', 'a\nb\nc'],
    ['a version without an end of line', '1.2.3', '1.2.3'],
    ['tabs and spaces', 'x\ty  \r\n', 'x\ty  \n'],
    ['colors', `${ESC}[31mred${ESC}[0m and ${ESC}[38;5;196mmore\u009b0m`, 'red and more'],
    ['a line that is written over', '10%\r20%\r100%\r\n', '100%\n'],
    ['a longer line that is written over', 'abcdef\rxy\r\n', 'xycdef\n'],
    ['a line that is emptied', `downloading…${ESC}[2K\rdone\r\n`, 'done\n'],
    ['a line that is emptied to its end', `abcdef\rab${ESC}[K\n`, 'ab\n'],
    ['a line that is begun again by a column', `one${ESC}[1Gtwo\n`, 'two\n'],
    ['letters that are struck twice', 'N\bNA\bAM\bME\bE', 'NAME'],
    ['several lines of progress', `a 1\r\nb 1\r\n${ESC}[2A${ESC}[2Ka 2\r\n${ESC}[2Kb 2\r\n`, 'a 2\nb 2\n'],
    ['titles, links and marks', `${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\b${ESC}]633;C\u0007c`, 'abc'],
    ['a mark that does not end', `a${ESC}]633;oops\nb`, 'a633;oops\nb'],
    ['a code that is cut off', `a${ESC}[`, 'a'],
    ['other control characters', 'a\u0007b\u0000c\u000ed', 'abcd'],
    ['a form feed', 'a\fb', 'a\nb'],
    [
      'what is cleared again and again, and what was there before',
      `kept\n${ESC}[2J${ESC}[Hone\n${ESC}[H${ESC}[2Jtwo\n`,
      'kept\ntwo\n',
    ],
    ['the screen below the cursor, when it is cleared', `a\r\nb\r\nc${ESC}[1A\r${ESC}[Jx`, 'a\nx'],
    ['letters of two cells', '日本語\r\n', '日本語\n'],
  ] as const) {
    it(`shows ${title}`, () => {
      assert.equal(drawn(written), shown);
    });
  }

  it('shows the last screen of each program that fills the terminal, between what was written', () => {
    const editor = [
      `before\r\n${ESC}[?1049h${ESC}[2J${ESC}[1;1Hold text${ESC}[5;1H-- INSERT --`,
      `${ESC}[1;1Hnew${ESC}[K${ESC}[2;3H日本${ESC}[2;4Hx${ESC}[?1049lafter\r\n`,
    ].join('');
    assert.equal(drawn(editor, { rows: 5, columns: 20 }), 'before\nnew\n   x本\n\n\n-- INSERT --\nafter\n');
    assert.equal(drawn(`${ESC}[?1049h${ESC}[3;2Hstill`, small), '\n\n still\n');
    assert.equal(drawn(`a${ESC}[?1049h${ESC}[?1049lb`), 'ab');
  });

  for (const [title, written, shown] of [
    ['lines that scroll', 'a\r\nb\r\nc\r\nd\r\ne\r\nf', 'b\nc\nd\ne\nf'],
    ['a line that is longer than the screen', '0123456789ab', '0123456789\nab'],
    ['lines that scroll in a part of it', `${ESC}[5;1Hend${ESC}[1;3r${ESC}[3;1Ha\nb\nc`, 'a\n b\n  c\n\nend'],
    ['lines put in and taken out', `a\r\nb\r\nc${ESC}[2;1H${ESC}[Lx${ESC}[1;1H${ESC}[M`, 'x\nb\nc'],
    ['a scroll back', `a\r\nb${ESC}[1;1H${ESC}Mtop`, 'top\na\nb'],
    [
      'characters put in, taken out and cleared',
      `abcdef${ESC}[1;2H${ESC}[2P${ESC}[1;1H${ESC}[@x${ESC}[1;4H${ESC}[1X`,
      'xad f',
    ],
    ['a character that is repeated', `-${ESC}[4b`, '-----'],
    ['a cursor that is kept', `ab${ESC}7${ESC}[3;3Hx${ESC}8c`, 'abc\n\n  x'],
    ['what stands on a letter', 'e\u0301x', 'e\u0301x'],
    ['half of a letter of two cells', `日${ESC}[1;1Hx`, 'x'],
  ] as const) {
    it(`shows ${title} on such a screen`, () => {
      assert.equal(drawn(`${ESC}[?1049h${ESC}[H${written}`, small).trimEnd(), shown);
    });
  }

  it('takes the size of the screen from the mark of its terminal', () => {
    const marks = `${ESC}]633;C\u0007${ESC}]633;P;OffshootSize=3 12\u0007`;
    const output = outputOf(marks, `${ESC}[?1049h${ESC}[9;9Hx`);
    assert.equal(output.whole(), '\n\n        x\n');
    const huge = outputOf(`${ESC}]633;P;OffshootSize=999999 999999\u0007${ESC}[?1049h${ESC}[999999;1Hx`);
    assert.ok(huge.whole().length < 1_000);
  });

  it('shows the present screen as its end, however much was written for it', () => {
    const frames = Array.from({ length: 5_000 }, (_, index) => `${ESC}[1;1Hframe ${index}${ESC}[K`);
    const output = outputOf('begun\r\n', `${ESC}[?1049h`, ...frames);
    assert.ok(output.fillsTerminal());
    assert.equal(output.end(2_000), 'frame 4999\n');
    output.add(`${ESC}[?1049lover\r\n`);
    assert.ok(!output.fillsTerminal());
    assert.equal(output.end(2_000), 'over\n');
  });

  it('takes time and room that grow with the output alone (fuzz)', () => {
    const codes = ['?1049h', '?1049l', 'H', '2J', 'K', '1A', '99C', '5;5H', 'L', 'M', '999b', '2;4r', '1;x@'];
    const chars = ['a', '日', '\r', '\n', '\b', '\u0007', ESC, `${ESC}]`, `${ESC}M`, `${ESC}8`, `${ESC}c`];
    const piece = fc.oneof(
      fc.constantFrom(...chars),
      fc.constantFrom(...codes).map((code) => `${ESC}[${code}`),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const shown = drawn(text, small);
        assert.ok(shown.isWellFormed());
        assert.ok(!/(?![\n\t])\p{Cc}/u.test(shown), JSON.stringify([text, shown]));
        assert.ok(shown.length <= 20 * (text.length + 60), `${shown.length} of ${text.length}`);
      }),
      { numRuns: fuzzRuns(300) },
    );
    const started = performance.now();
    for (const text of ['\ry', `${ESC}[`, `${ESC}]`, `${ESC}[9999C`, `${ESC}[2Jx`, `x${ESC}[1A`, '\b\b日']) {
      drawn(`${'x'.repeat(1_999)}${text.repeat(100_000)}`);
    }
    assert.ok(performance.now() - started < 15_000);
  });
});
