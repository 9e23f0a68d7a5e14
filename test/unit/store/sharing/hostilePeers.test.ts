import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import fc from 'fast-check';
import type { DurableContextStore } from '../../../../src/store/durableContextStore.ts';
import * as protocol from '../../../../src/store/windows/channelProtocol.ts';
import { SCHEMA_VERSION } from '../../../../src/store/sqlite/schema.ts';
import { fuzzRuns } from '../../../fuzzRuns.ts';
import { contactIn, frame, Peer, type Contact } from '../../../fixtures/storage/peer.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';

describe('what other processes say to the one that writes', () => {
  let place: StoragePlace;
  let store: DurableContextStore;
  let contact: Contact;
  const peers: Peer[] = [];

  beforeEach(async () => {
    place = await StoragePlace.create();
    store = place.open();
    await say(store, 'one');
    contact = await contactIn(place);
  });
  afterEach(async () => {
    for (const { socket } of peers.splice(0)) socket.destroy();
    await say(store, 'afterwards');
    const other = place.open();
    await say(other, 'as well');
    assert.deepEqual((await storedTexts(store)).slice(-2), ['afterwards', 'as well']);
    await place[Symbol.asyncDispose]();
    assert.deepEqual([place.errors, place.reports], [[], []]);
  });

  const join = async (): Promise<Peer> => {
    const peer = await Peer.connect(contact.address);
    peers.push(peer);
    return peer;
  };
  const friend = async (): Promise<Peer> => {
    const peer = await join();
    await peer.greet(contact.secret);
    await peer.untilHeard(2);
    assert.equal(peer.heard[1]?.['kind'], 'welcome');
    return peer;
  };
  const request = (name: string, given: unknown, number = 1): object => ({
    kind: 'request',
    number,
    name,
    given,
    id: crypto.randomUUID(),
  });

  it('comes to nothing with a wrong secret, which is never sent itself', async () => {
    const peer = await join();
    await peer.greet('x'.repeat(72));
    await peer.untilClosed();
    assert.equal(peer.heard.length, 1);
    assert.ok(!JSON.stringify(peer.heard).includes(contact.secret));
  });

  it('can be read and heard by their owner alone', async function () {
    if (process.platform === 'win32') this.skip();
    for (const file of [place.file('offshoot.db.channel'), contact.address]) {
      assert.equal((await stat(file)).mode & 0o077, 0, file);
    }
  });

  it('comes to nothing before they have proved themselves', async () => {
    const peer = await join();
    peer.send(request('deleteChat', { chatId: 'chat' }));
    await peer.untilClosed();
    assert.deepEqual(peer.heard, []);
    assert.equal((await store.listChats()).length, 1);
  });

  it('comes to nothing with the proof of another connection', async () => {
    const before = await join();
    const nonce = protocol.newNonce();
    before.send({ kind: 'hello', version: 1, schema: SCHEMA_VERSION, window: 'peer', nonce });
    await before.untilHeard(1);
    const nonces = [nonce, String(before.heard[0]?.['nonce'])];
    const proof = await protocol.proofOf(contact.secret, 'reader', nonces);
    const peer = await join();
    peer.send({ kind: 'hello', version: 1, schema: SCHEMA_VERSION, window: 'peer', nonce });
    await peer.untilHeard(1);
    peer.send({ kind: 'response', proof });
    await peer.untilClosed();
  });

  it('is cut off where it is longer than it may be, before it is read', async () => {
    const stranger = await join();
    stranger.socket.write(Buffer.from([0, 0, 0x20, 0]));
    await stranger.untilClosed();
    const known = await friend();
    known.socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    await known.untilClosed();
  });

  it('is cut off when nothing is said', async () => {
    const peer = await join();
    await peer.untilClosed();
  }).timeout(20_000);

  it('is refused where it is no write, or not what a write takes', async () => {
    const peer = await friend();
    const given: [string, unknown][] = [
      ['constructor', {}],
      ['close', {}],
      ['deleteChat', { chatId: 7 }],
      ['saveMessages', { chatId: 'chat', messages: 'all' }],
      ['updateChat', { chatId: 'chat', changes: { metadata: [] } }],
      ['removePiece', { first: 'a', last: 2 }],
    ];
    for (const [index, [name, value]] of given.entries()) peer.send(request(name, value, index));
    await peer.untilHeard(2 + given.length);
    for (const answer of peer.heard.slice(2)) {
      assert.equal(answer['kind'], 'failed');
      assert.match(JSON.stringify(answer['error']), /invalid-argument/);
    }
  });

  it('is done once, however often it is asked for under one id', async () => {
    const peer = await friend();
    const id = crypto.randomUUID();
    const [given, kind] = [{ chatId: 'chat', usage: { tokens: 5 } }, 'request'];
    for (let number = 0; number < 5; number++) peer.send({ kind, number, id, name: 'addUsage', given });
    await peer.untilHeard(7);
    const results = peer.heard.slice(2).map(({ result }) => JSON.stringify(result));
    assert.equal(new Set(results).size, 1);
    assert.deepEqual((await store.getChat('chat'))?.metadata['usage'], { tokens: 5 });
  });

  it('does no harm, whatever bytes they are (fuzz)', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    const lines = fc.oneof(
      bytes.map((each) => Buffer.from(each)),
      bytes.map((each) => frame(each)),
      fc.jsonValue().map((value) => frame(Buffer.from(JSON.stringify(value)))),
      fc
        .record({ kind: fc.constantFrom('hello', 'response', 'request', 'welcome'), number: fc.integer() })
        .map((value) => frame(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { maxLength: 5 }), fc.boolean(), async (sent, isFriend) => {
        const peer = isFriend ? await friend() : await join();
        for (const each of sent) peer.socket.write(each);
        peer.socket.end();
        await peer.untilClosed();
        assert.equal((await store.listChats()).length, 1);
      }),
      { numRuns: fuzzRuns(30) },
    );
  }).timeout(120_000);
});
