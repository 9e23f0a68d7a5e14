import assert from 'node:assert/strict';
import { targetOf } from '../../../src/models/modelProviders.ts';
import { fitFiles } from '../../../src/models/requests/fileParts.ts';
import type { FilePart, UserPart } from '../../../src/models/requests/prompt.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA';

/** What becomes of a file for a provider. */
function fitted(base64: string, provider: string, mediaType = 'image/png'): UserPart {
  const url = new URL(`data:${mediaType};base64,${base64}`);
  const file: FilePart = { type: 'file', mediaType, data: { type: 'url', url } };
  const [message] = fitFiles([{ role: 'user', content: [file] }], targetOf({ id: `${provider}:m` }));
  const [part] = message?.role === 'user' ? message.content : [];
  return part ?? assert.fail();
}

describe('the files of a request', () => {
  it('may be larger than an expression can look through, and go or are named', () => {
    const large = PNG + 'AAAA'.repeat(4_000_000);
    assert.equal(fitted(large, 'openai').type, 'file');
    assert.match(JSON.stringify(fitted(large, 'anthropic')), /left out: it is too large for this model/u);
    assert.equal(fitted(large, 'google', 'application/pdf').type, 'file');
  });

  it('are named where their bytes are not base64', () => {
    for (const wrong of ['', `${PNG}A`, `${PNG}A===`, `${PNG}AA=A`, `${PNG}=AAA`, `${PNG}A-_A`]) {
      assert.match(JSON.stringify(fitted(wrong, 'openai')), /left out: its bytes are missing/u, wrong);
    }
    for (const right of ['', 'AAA=', 'AA==', '+/Az']) {
      assert.equal(fitted(PNG + right, 'openai').type, 'file', right);
    }
  });

  it('go as the kind their bytes are', () => {
    const part = fitted(PNG, 'openai', 'image/jpeg');
    assert.equal(part.type === 'file' && part.mediaType, 'image/png');
  });
});
