import assert from 'node:assert/strict';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';

describe('the list of model servers', () => {
  it('takes an address that is typed into it, and no words, other schemes or secrets', async () => {
    const { presetRows } = await withVsCodeStub(
      () => import('../../../src/extension/models/addModelServer.ts'),
    );
    const typedIn = (value: string) => presetRows(value).flatMap(({ typed }) => typed ?? []);
    assert.deepEqual(typedIn(' http://gpu.example:9000/v1 '), ['http://gpu.example:9000/v1']);
    for (const value of ['', 'lm', 'ftp://gpu.example', 'http://me:secret@gpu.example/v1']) {
      assert.deepEqual(typedIn(value), [], value);
    }
    const rows = presetRows('https://gpu.example/v1');
    assert.equal(rows[0]?.alwaysShow, true, 'the address stands first');
    assert.equal(rows.length, presetRows('').length + 1);
  });
});
