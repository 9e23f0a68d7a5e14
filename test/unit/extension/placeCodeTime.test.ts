import assert from 'node:assert/strict';
import { patched } from '../../../src/extension/files/patch.ts';
import { placeCode } from '../../../src/extension/files/placeCode.ts';

const MANY = 20_000;
const each = (write: (index: number) => string): string =>
  Array.from({ length: MANY }, (_, index) => write(index)).join('\n');

/** Each of these took from half a minute to several before; what a test may take is far less. */
describe('code of an answer in a very long file', () => {
  it('finds its place among very many functions', () => {
    const file = each((index) => `function f${index}() {\n  return ${index};\n}\n`);
    // Beginning with another line, so that it does not pass for the whole file.
    const code = each((index) => `function f${index}() {\n  one();\n  two();\n  three();\n  four();\n}\n`);
    const after = placeCode(file, `${code}\n// …`);
    assert.equal(after.match(/^ {2}four\(\);$/gm)?.length, MANY);
    assert.equal(after.match(/^function /gm)?.length, MANY);
  });

  it('brings very many new functions and imports along', () => {
    const file = `${each((index) => `import { a${index} } from './a.ts';`)}\n\nfunction old() {\n  1;\n}\n`;
    const fresh = each((index) => `import { b${index} } from './b.ts';\n\nfunction g${index}() {\n  1;\n}\n`);
    const after = placeCode(file, `${fresh}\nfunction old() {\n  2;\n}`);
    assert.equal(after.match(/^import /gm)?.length, 2 * MANY);
    assert.equal(after.match(/^function g/gm)?.length, MANY);
    assert.match(after, /function old\(\) \{\n {2}2;\n\}/);
  });

  it('is read though nothing in it is a definition, or it is mostly empty', () => {
    const file = each((index) => `call(${index});`);
    assert.ok(
      placeCode(
        file,
        each(() => 'other();'),
      ).endsWith('other();\n'),
    );
    const gap = '\n'.repeat(200_000);
    assert.equal(placeCode('a\n', `x${gap}y`), `a\n\nx${gap}y\n`);
    assert.equal(placeCode(`a${gap}b\n`, 'x'), `a${gap}b\n\nx\n`);
  });

  it('takes the comments over very many functions along', () => {
    const write = (body: string) => (index: number) => `// ${index}\nfunction f${index}() {\n  ${body};\n}\n`;
    const after = placeCode(
      each(write('1')),
      `${each(write('one();\n  two();\n  three();\n  four()'))}\n// …`,
    );
    assert.equal(after.match(/^\/\/ \d/gm)?.length, MANY);
  });
});

describe('a change in an answer that fits nearly everywhere', () => {
  const messages = { severalFiles: 'several', doesNotFit: 'does not fit', tooLarge: 'too large' };

  it('is given up when its place would take too long to find', () => {
    const lines = ' same\n'.repeat(10_000);
    const change = `--- a\n+++ a\n@@ -1,10002 +1,10002 @@\n${lines}-other\n+new\n end`;
    assert.throws(() => patched('same\n'.repeat(50_000), change, messages), { code: 'too-large' });
  });

  it('is not looked for beyond the end of the file', () => {
    const change = '--- a\n+++ a\n@@ -4000000000,0 +4000000000,1 @@\n+new';
    assert.equal(patched('one\ntwo\n', change, messages), 'one\ntwo\nnew\n');
    const misnumbered = '--- a\n+++ a\n@@ -4000000000,2 +4000000000,2 @@\n one\n-two\n+three';
    assert.equal(patched('one\ntwo\n', misnumbered, messages), 'one\nthree\n');
  });
});
