import assert from 'node:assert/strict';
import { readReference } from '../../../src/extension/files/fileReference.ts';
import { trueName } from '../../../src/extension/files/trueName.ts';

describe('a place in a file, as an answer names it', () => {
  const forms: Record<string, object> = {
    'src/a.ts': { path: 'src/a.ts' },
    'src/a.ts:12': { path: 'src/a.ts', line: 12 },
    'src/a.ts:12:5': { path: 'src/a.ts', line: 12, column: 5 },
    'src/a.ts:12-20': { path: 'src/a.ts', line: 12, endLine: 20 },
    'src/a.ts#L12': { path: 'src/a.ts', line: 12 },
    'src/a.ts#L12-L20': { path: 'src/a.ts', line: 12, endLine: 20 },
    'src/a.ts#L12C3': { path: 'src/a.ts', line: 12, column: 3 },
    'src/a.ts(12,5):': { path: 'src/a.ts', line: 12, column: 5 },
    'src/a.ts:0': { path: 'src/a.ts', line: 1 },
    'C:\\src\\a.ts:3': { path: 'C:\\src\\a.ts', line: 3 },
    'a#b.ts': { path: 'a#b.ts' },
  };
  for (const [text, expected] of Object.entries(forms)) {
    it(`is read from “${text}”`, () => assert.deepEqual(readReference(text), expected));
  }
});

describe('the true name of a file', () => {
  for (const name of [
    'src/greet.ts',
    'src/naïve café.md',
    'docs/отчёт.md',
    '文档/报告v2.md',
    'a_b-c (1).txt',
  ]) {
    it(`is “${name}” itself`, () => assert.equal(trueName(name), name));
  }

  const tricks: Record<string, string> = {
    'src/gr\u0435et.ts': 'src/gr‹U+0435›et.ts',
    'src/\u0455\u0441\u043e\u0440\u0435.ts': 'src/‹U+0455›‹U+0441›‹U+043E›‹U+0440›‹U+0435›.ts',
    'src\u2215greet.ts': 'src‹U+2215›greet.ts',
    'src/greet\u2024ts': 'src/greet‹U+2024›ts',
    'src/greet.ts\u200b': 'src/greet.ts‹U+200B›',
    'src/st\u202e.exe': 'src/st‹U+202E›.exe',
    'src/\u0251.ts': 'src/‹U+0251›.ts',
    'src/\u{1d5ba}.ts': 'src/‹U+1D5BA›.ts',
    'src/a\u00a0b.ts': 'src/a‹U+00A0›b.ts',
    'src/g\uff52eet.ts': 'src/g‹U+FF52›eet.ts',
  };
  for (const [name, shown] of Object.entries(tricks)) {
    it(`spells out what looks like something else: ${shown}`, () => assert.equal(trueName(name), shown));
  }
});
