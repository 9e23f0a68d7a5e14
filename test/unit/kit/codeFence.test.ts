import assert from 'node:assert/strict';
import { codeFence } from '../../../src/base/codeFence.ts';

describe('fences of Markdown', () => {
  it('are longer than any row of backticks', () => {
    assert.equal(codeFence(''), '```');
    assert.equal(codeFence('a `b` ``'), '```');
    assert.equal(codeFence('```\n````'), '`````');
  });

  it('hold any number of rows', () => {
    assert.equal(codeFence('```\n'.repeat(300_000)), '````');
  });
});
