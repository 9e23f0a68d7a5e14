import assert from 'node:assert/strict';
import { fileOfPatch, isPatch, patched } from '../../../src/extension/files/patch.ts';
import { placeCode } from '../../../src/extension/files/placeCode.ts';

const file = `import { a } from './a.ts';

/** Says hello. */
export function greet(name: string): string {
  return 'hello ' + name;
}

class Door {
  open(): void {
    a();
  }
}

export const answer = 42;
`;

describe('code of an answer in a file', () => {
  it('replaces the function it redefines, and nothing else changes', () => {
    const code = 'function greet(name: string, mark = "!"): string {\n  return `hello ${name}${mark}`;\n}';
    const after = placeCode(file, code);
    assert.equal(
      after,
      file.replace("export function greet(name: string): string {\n  return 'hello ' + name;\n}", () => code),
    );
  });

  it('brings its imports to the others, once, and new definitions after what it replaced', () => {
    const code =
      "import { a } from './a.ts';\nimport { b } from './b.ts';\n\nexport const answer = b;\n\nconst more = 1;";
    const after = placeCode(file, code);
    assert.equal(
      after,
      file
        .replace("'./a.ts';\n", "'./a.ts';\nimport { b } from './b.ts';\n")
        .replace('export const answer = 42;', 'export const answer = b;\n\nconst more = 1;'),
    );
  });

  it('takes the comment over what it replaces along', () => {
    const code = '/** Says good-bye. */\nexport function greet(): string {\n  return "bye";\n}';
    const after = placeCode(file, code);
    assert.ok(after.includes(`\n\n${code}\n\nclass Door`), after);
    assert.ok(!after.includes('Says hello'));
  });

  it('is the whole file where it holds most of it', () => {
    const code = file.replace('42', '43').trimEnd();
    assert.equal(placeCode(file, code), file.replace('42', '43'));
  });

  it('is as far in as what it replaces, in Python too', () => {
    const python = 'class A:\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n';
    const after = placeCode(python, 'def one(self):\n    x = 1\n    return x');
    assert.equal(after, python.replace('        return 1', '        x = 1\n        return x'));
  });

  it('goes where something is selected, else to the cursor, else to the end', () => {
    const text = 'one\ntwo\n';
    assert.equal(placeCode(text, 'x', { selection: { start: 0, end: 3 } }), 'x\ntwo\n');
    assert.equal(placeCode(text, 'x\n', { selection: { start: 4, end: 4 }, cursor: 4 }), 'one\nxtwo\n');
    assert.equal(placeCode(text, 'x'), 'one\ntwo\n\nx\n');
    assert.equal(placeCode('', 'x'), 'x\n');
  });

  it('has the line ends of the file', () => {
    const crlf = file.replaceAll('\n', '\r\n');
    const after = placeCode(crlf, 'export const answer = [\n  1,\n];');
    assert.ok(after.includes('export const answer = [\r\n  1,\r\n];'));
    assert.ok(!/[^\r]\n/.test(after));
  });

  it('changes nothing of which there are two', () => {
    const twice = 'function a() {\n  1;\n}\n\nfunction a() {\n  2;\n}\n';
    assert.equal(placeCode(twice, 'function a() {\n  3;\n}'), `${twice}\nfunction a() {\n  3;\n}\n`);
  });
});

describe('a change in an answer', () => {
  const messages = { severalFiles: 'several', doesNotFit: 'does not fit', tooLarge: 'too large' };
  const change = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+three';

  it('is made to the file it names', () => {
    assert.equal(isPatch(change, 'diff'), true);
    assert.equal(isPatch(change, 'ts'), false);
    assert.equal(fileOfPatch(change), 'src/a.ts');
    assert.equal(patched('one\ntwo\n', change, messages), 'one\nthree\n');
    assert.equal(patched('zero\none\r\ntwo\r\n'.replace('zero\n', ''), change, messages), 'one\r\nthree\r\n');
  });

  it('is refused where it does not fit, cannot be read, or is of several files', () => {
    assert.throws(() => patched('four\nfive\n', change, messages), { code: 'does-not-fit' });
    assert.throws(() => patched('one\n', change.replace('1,2', '1,9'), messages), { code: 'does-not-fit' });
    assert.throws(() => patched('one\ntwo\n', `${change}\n${change}`, messages), { code: 'several-files' });
  });
});
