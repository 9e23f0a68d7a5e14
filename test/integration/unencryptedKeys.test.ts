import assert from 'node:assert/strict';
import type { OffshootError } from '../../src/engine/errors.ts';
import { offshoot, setSetting } from './support.ts';

describe('a key for a server that is reached without encryption', () => {
  const origin = 'http://models.invalid:1234';

  it('is sent only after the user has agreed, and not after it was removed', async () => {
    const { keys, models } = (await offshoot()).parts;
    await setSetting('openaiCompatible.baseUrl', `${origin}/v1`);
    await setSetting('openaiCompatible.model', 'm');
    try {
      assert.equal(await keys.forSending(origin), undefined);
      await keys.set(origin, 'k1');
      const model = await models.find('openai-compatible:m');
      // The extension has classes of its own.
      const refused = ({ code, message }: OffshootError): boolean =>
        code === 'plain-http' && !message.includes('k1');
      await assert.rejects(async () => model?.open(), refused);
      await keys.allowUnencrypted(origin);
      assert.equal(await keys.forSending(origin), 'k1');
      await keys.remove(origin);
      await keys.set(origin, 'k2');
      await assert.rejects(keys.forSending(origin), refused);
      // On this machine nobody else can read it.
      await keys.set('http://127.0.0.1:1', 'k3');
      assert.equal(await keys.forSending('http://127.0.0.1:1'), 'k3');
    } finally {
      await keys.remove(origin);
      await keys.remove('http://127.0.0.1:1');
      await setSetting('openaiCompatible.baseUrl', undefined);
      await setSetting('openaiCompatible.model', undefined);
    }
  });
});
