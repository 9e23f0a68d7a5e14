import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ansiPieces, withoutAnsi } from '../../../src/webview/markdown/ansi.ts';

describe('codes for terminals', () => {
  it('are colors of the theme', () => {
    assert.deepEqual(
      ansiPieces('\u001b[31;1mred\u001b[0m plain \u001b[92mgreen\u001b[39m \u001b[44mblue\u001b[49m'),
      [
        { text: 'red', classes: 'ansi-red-fg ansi-bold' },
        { text: ' plain ', classes: '' },
        { text: 'green', classes: 'ansi-bright-green-fg' },
        { text: ' ', classes: '' },
        { text: 'blue', classes: 'ansi-blue-bg' },
      ],
    );
  });

  it('are left out where they are not colors: titles, links, moves, other pages of letters', () => {
    const codes = [
      ...[
        '\u001b]0;title\u0007',
        '\u001b]8;;http://example.com\u0007',
        '\u001b[2J',
        '\u001b[10;10H',
        '\u001b(0',
        '\u009b1m',
      ],
    ];
    assert.equal(withoutAnsi(`a${codes.join('b')}c`), 'abbbbbc');
    assert.deepEqual(
      ansiPieces('\u001b[38;2;1;2;3mtrue\u001b[0m').map(({ text }) => text),
      ['true'],
    );
  });

  it('leave no sign for machines behind, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('[', ']', ';', '3', 'm', '\u001b', 'x') }),
        (a, b) => {
          const text = `\u001b[3${b}${a}`;
          const pieces = ansiPieces(text);
          for (const shown of [withoutAnsi(text), ...pieces.map((piece) => piece.text)]) {
            // eslint-disable-next-line no-control-regex -- They are what is looked for.
            assert.ok(!/[\u001b\u009b\u0007\u0008]/.test(shown));
          }
          for (const { classes } of pieces) assert.match(classes, /^(?:ansi-[a-z-]+ ?)*$/);
        },
      ),
    );
  });
});
