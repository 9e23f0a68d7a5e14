import assert from 'node:assert/strict';
import { codeInfo } from '../../../src/webview/markdown/fileMentions.ts';

describe('what stands behind the fence of a code block', () => {
  for (const [fence, expected] of Object.entries({
    ts: { language: 'ts' },
    'ts src/a.ts': { language: 'ts', file: 'src/a.ts' },
    'ts:src/a.ts': { language: 'ts', file: 'src/a.ts' },
    'ts title="src/a.ts"': { language: 'ts', file: 'src/a.ts' },
    'js {highlight: [1]}': { language: 'js' },
    'src/a.py': { language: 'py', file: 'src/a.py' },
    'c++': { language: 'c++' },
    '': { language: '' },
  })) {
    it(`says language and file: “${fence}”`, () => assert.deepEqual(codeInfo(fence, 'x'), expected));
  }

  it('may be said by a comment in the first line as well', () => {
    for (const first of ['// src/a.ts', '# file: src/a.ts', '<!-- src/a.ts -->', '/* src/a.ts */']) {
      assert.deepEqual(codeInfo('ts', `${first}\nx`), { language: 'ts', file: 'src/a.ts' });
    }
    assert.deepEqual(codeInfo('ts', '// see a.ts for more\nx'), { language: 'ts' });
  });
});
