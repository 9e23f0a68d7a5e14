import assert from 'node:assert/strict';
import { TrackedText } from '../../../src/lineOrigins/trackedText.ts';

describe('a text whose lines are followed', () => {
  it('has the lines of a text in which all of many changed at once, each known as what it was', () => {
    const before = Array.from(
      { length: 10_000 },
      (_, line) => `value${line} = compute('a', ${line % 500});\n`,
    );
    const text = TrackedText.of(before.join(''), 0);
    const ids = text.lines.map(({ id }) => id);
    // More are gone than are looked at next to a line.
    const after = before.slice(100).map((line) => line.replaceAll("'", '"'));
    text.changeTo(after.join(''), 1);
    assert.deepEqual(
      text.lines.map((line) => line.text),
      after,
    );
    for (const [line, { id, by }] of text.lines.entries()) {
      assert.equal(id.from[0], ids[line + 100]);
      assert.deepEqual([...new Set(Array.isArray(by) ? by : [])], [0, 1]);
    }
  });

  it('keeps its lines through changes in many places, and those of a copy', () => {
    let made = 0;
    const line = (): string => `const value${made++} = 1;\n`;
    const lines = Array.from({ length: 1_000 }, line);
    const text = TrackedText.of(lines.join(''), 0);
    for (let by = 1; by <= 50; by++) {
      const copy = text.copy();
      const known = lines.join('');
      for (const place of [by * 17, by * 5])
        lines.splice(place, by % 3, ...Array.from({ length: by % 5 }, line));
      text.changeTo(lines.join(''), by);
      assert.deepEqual(
        text.lines.map((each) => each.text),
        lines,
      );
      assert.equal(copy.lines.map((each) => each.text).join(''), known);
    }
    text.changeTo('', 51);
    assert.deepEqual(text.lines, []);
    text.changeTo('one\ntwo', 52);
    text.changeTo('one\ntwo\nthree', 53);
    assert.deepEqual(
      text.lines.map(({ text: own, by }) => [own, by]),
      [
        ['one\n', 52],
        ['two\n', 52],
        ['three', 53],
      ],
    );
  });
});
