import assert from 'node:assert/strict';
import { z } from 'zod';
import { replyMessage } from '../../../src/protocol/everyPage.ts';
import { PendingRequests } from '../../../src/webview/host.ts';

const schema = z.strictObject({ paths: z.array(z.string()) });

describe('what a page has asked', () => {
  it('is numbered on from where the page began, and gets the reply that names it', async () => {
    const { requests, posted } = asking(1_000);
    const one = requests.send({ type: 'one' }, schema);
    const other = requests.send({ type: 'other' }, schema);
    assert.deepEqual(posted, [
      { type: 'request', messageId: 1_001, body: { type: 'one' } },
      { type: 'request', messageId: 1_002, body: { type: 'other' } },
    ]);
    requests.settle({ type: 'reply', inReplyTo: 1_002, body: { paths: ['b'] } });
    requests.settle({ type: 'reply', inReplyTo: 1_001, body: { paths: ['a'] } });
    assert.deepEqual(await Promise.all([one, other]), [{ paths: ['a'] }, { paths: ['b'] }]);
  });

  it('fails with the reason when it is refused', async () => {
    const { requests } = asking();
    const asked = requests.send({ type: 'one' }, schema);
    requests.settle({ type: 'requestRefused', inReplyTo: 1, reason: 'No folder is open.' });
    await assert.rejects(asked, { message: 'No folder is open.' });
  });

  it('fails when the reply can’t be read, and says what is wrong with it', async () => {
    const { requests } = asking();
    const asked = requests.send({ type: 'one' }, schema);
    const problem = requests.settle({ type: 'reply', inReplyTo: 1, body: { paths: [1] } });
    assert.deepEqual(problem?.issues[0]?.path, ['paths', 0]);
    await assert.rejects(asked, /Couldn’t read a reply/);
  });

  it('ends once: a second reply, one to nothing and one to a page before change nothing', async () => {
    const { requests } = asking(1_000);
    const asked = requests.send({ type: 'one' }, schema);
    for (const inReplyTo of [1, 999, 1_000, 1_002, Number.MAX_SAFE_INTEGER])
      assert.equal(requests.settle({ type: 'reply', inReplyTo, body: 'anything' }), undefined);
    requests.settle({ type: 'reply', inReplyTo: 1_001, body: { paths: ['first'] } });
    requests.settle({ type: 'reply', inReplyTo: 1_001, body: { paths: ['second'] } });
    requests.settle({ type: 'requestRefused', inReplyTo: 1_001, reason: 'late' });
    assert.deepEqual(await asked, { paths: ['first'] });
  });

  it('fails when the page goes, and nothing is asked or heard any more', async () => {
    const { requests, posted } = asking();
    const asked = requests.send({ type: 'one' }, schema);
    requests.dispose();
    requests.settle({ type: 'reply', inReplyTo: 1, body: { paths: [] } });
    await assert.rejects(asked, /gone/);
    await assert.rejects(requests.send({ type: 'two' }, schema), /gone/);
    assert.equal(posted.length, 1);
  });

  it('has replies of one form, with a number that is one', () => {
    const isRead = (message: unknown): boolean => replyMessage.safeParse(message).success;
    assert.equal(isRead({ type: 'reply', inReplyTo: 1, body: {} }), true);
    for (const inReplyTo of [0, -1, 0.5, 2 ** 53, 1e300, Infinity, '1', null, [1]]) {
      assert.equal(isRead({ type: 'reply', inReplyTo, body: {} }), false, String(inReplyTo));
      assert.equal(isRead({ type: 'requestRefused', inReplyTo, reason: '' }), false, String(inReplyTo));
    }
    assert.equal(isRead({ type: 'reply', inReplyTo: 1, body: {}, more: 1 }), false);
    assert.equal(isRead({ type: 'requestRefused', inReplyTo: 1 }), false);
    assert.equal(isRead({ type: 'else', inReplyTo: 1, body: {} }), false);
  });
});

function asking(lastId = 0): { requests: PendingRequests; posted: unknown[] } {
  const posted: unknown[] = [];
  return { requests: new PendingRequests((message) => void posted.push(message), lastId), posted };
}
