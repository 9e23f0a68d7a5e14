import assert from 'node:assert/strict';
import { readDataUrl } from '../../../src/base/dataUrl.ts';

describe('data URLs', () => {
  it('tell the type and the data', () => {
    const read = (url: string) => {
      const { mediaType, base64 } = readDataUrl(url) ?? {};
      return [mediaType, base64];
    };
    assert.deepEqual(read('data:image/png;base64,AAAA'), ['image/png', 'AAAA']);
    assert.deepEqual(read('data:text/plain;charset=utf-8;base64,AAAA'), ['text/plain', 'AAAA']);
    assert.deepEqual(read('data:text/plain,a,b;base64,c'), ['text/plain', undefined]);
    assert.deepEqual(read('data:;base64,'), [undefined, '']);
    assert.deepEqual(read('data:,'), [undefined, undefined]);
  });

  it('are no other URLs, and no beginnings of one', () => {
    for (const url of ['', 'data:', 'data:image/png;base64', 'https://example.org/data:,', 'Data:,'])
      assert.equal(readDataUrl(url), undefined);
  });

  it('may be of megabytes that are held in two bytes each', () => {
    const base64 = 'A'.repeat(12 * 1024 * 1024);
    // A part of a text with other letters keeps their size.
    const url = `漢data:image/png;base64,${base64}`.slice(1);
    assert.equal(readDataUrl(url)?.base64?.length, base64.length);
  });
});
