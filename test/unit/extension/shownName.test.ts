import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fileNameFor, shownName } from '../../../src/extension/ui/shownName.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        'C:',
        'x',
        '\u202E',
        '\u200B',
        '\n',
        '?',
        '#',
        '%2e',
        '.png',
        '$',
        '(zap)',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('the name of an artifact, as it is shown', () => {
  it('hides nothing and turns nothing round', () => {
    assert.equal(shownName('invoice\u202Efdp.exe'), 'invoice‹U+202E›fdp.exe');
    assert.equal(shownName('a\u200Bb\nc'), 'a‹U+200B›b‹U+000A›c');
    assert.equal(shownName('x'.repeat(10_000)).length, 80);
  });

  it('leads nowhere as a path, whatever it is', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const path = fileNameFor(name, 'text/plain');
        assert.notEqual(path, '');
        for (const part of path.split('/')) {
          assert.doesNotMatch(part, /^\.*$/u);
          assert.doesNotMatch(part, /[\\:?#%\p{Cc}\u202A-\u202E]/u);
          // Lists of editors would make an icon of it.
          assert.doesNotMatch(part, /\$\(/u);
        }
      }),
    );
  });

  it('ends as what it holds, so that a picture opens as a picture', () => {
    assert.equal(fileNameFor('logo', 'image/png'), 'logo.png');
    assert.equal(fileNameFor('logo.txt', 'image/png'), 'logo.txt.png');
    assert.equal(fileNameFor('photo.JPEG', 'image/jpeg'), 'photo.JPEG');
    assert.equal(fileNameFor('user:notes', 'text/markdown'), 'notes.md');
    assert.equal(fileNameFor('src/greet.ts', 'text/plain'), 'src/greet.ts');
    assert.equal(fileNameFor('blob', 'application/octet-stream'), 'blob');
  });
});
