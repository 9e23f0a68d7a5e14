import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { socketChannels } from '../../../src/host/node/socketChannels.ts';
import type { DurableContextStore } from '../../../src/store/durableContextStore.ts';
import { SCHEMA_VERSION } from '../../../src/store/sqlite/schema.ts';
import * as protocol from '../../../src/store/windows/channelProtocol.ts';
import { contactIn, frame, Peer, type Contact } from '../../fixtures/storage/peer.ts';
import { pictureOf } from '../../fixtures/realWorkspace.ts';
import { say, StoragePlace } from '../../fixtures/storage/storagePlace.ts';

const id = crypto.randomUUID();
const hello = { kind: 'hello', version: 1, schema: SCHEMA_VERSION, window: 'peer', nonce: 'n'.repeat(40) };
const remove = { kind: 'request', number: 1, name: 'deleteChat', given: { chatId: 'chat' }, id };

/** First messages of a program that has read no secret. */
const strangers: Readonly<Record<string, Uint8Array | object>> = {
  'a write': remove,
  'a question': { kind: 'ask', number: 1, name: 'add_note', given: {} },
  'a proof without a greeting': { kind: 'response', proof: '0'.repeat(64) },
  'a welcome of its own': { kind: 'welcome' },
  'a challenge': { kind: 'challenge', nonce: 'n'.repeat(40), proof: '0'.repeat(64) },
  news: { kind: 'changed', changes: [], point: { generation: 1, size: 1 } },
  'another version': { ...hello, version: 2 },
  'a version that is a text': { ...hello, version: '1' },
  'another schema': { ...hello, schema: SCHEMA_VERSION + 1 },
  'no window': { ...hello, window: '' },
  'a window of 501 letters': { ...hello, window: 'w'.repeat(501) },
  'another role': { ...hello, role: 'writer' },
  'a short nonce': { ...hello, nonce: 'n' },
  'a long nonce': { ...hello, nonce: 'n'.repeat(101) },
  'a nonce that is a list': { ...hello, nonce: ['n'.repeat(40)] },
  'a prototype': Buffer.from('{"__proto__":{"kind":"hello"}}'),
  nothing: new Uint8Array(),
  null: Buffer.from('null'),
  'a list': Buffer.from(`[${JSON.stringify(hello)}]`),
  'a text': Buffer.from(JSON.stringify(JSON.stringify(hello))),
  'no JSON': Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  'half of it': Buffer.from(JSON.stringify(hello).slice(0, -5)),
  'more than it': Buffer.from(`${JSON.stringify(hello)}{}`),
  'no UTF-8': Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d),
  'what nests deeply': Buffer.from('['.repeat(4_000)),
};

/** What follows a greeting of a program that has read no secret. */
const proofs: Readonly<Record<string, (heard: Record<string, unknown>) => Uint8Array | object>> = {
  'no proof': () => ({ kind: 'response', proof: '' }),
  zeros: () => ({ kind: 'response', proof: '0'.repeat(64) }),
  'the writer’s own proof': ({ proof }) => ({ kind: 'response', proof }),
  'the nonce': ({ nonce }) => ({ kind: 'response', proof: nonce }),
  'a list': () => ({ kind: 'response', proof: Array.from({ length: 64 }, () => '0') }),
  true: () => ({ kind: 'response', proof: true }),
  'a write instead': () => remove,
  'another greeting': () => hello,
  'a welcome': () => ({ kind: 'welcome' }),
  nothing: () => new Uint8Array(),
};

/** What a window that has proved itself may not send: it is cut off. */
const forgeries: Readonly<Record<string, Uint8Array | object>> = {
  'a question of a guest': { kind: 'ask', number: 1, name: 'add_note', given: {} },
  'an answer': { kind: 'done', number: 1, result: 1, changes: [], point: { generation: 1, size: 1 } },
  'a request without an id': { ...remove, id: undefined },
  'an id that is none': { ...remove, id: '../../x' },
  'a number that is none': { ...remove, number: 1.5 },
  'a name that is none': { ...remove, name: 7 },
  'no JSON': Buffer.from('DELETE'),
  'no UTF-8': Uint8Array.of(0xc3, 0x28),
};

/** Names of what is no write; they are refused, and nothing is done. */
const noWrites = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'valueOf',
    'hasOwnProperty',
    'prototype',
    'then',
    '',
    ' deleteChat',
  ],
  ...[
    'close',
    'open',
    'exportChat',
    'listChats',
    'blobs',
    'transaction',
    'execute',
    'DELETECHAT',
    'deleteChat\u0000',
  ],
];

/** What a guest may not send: it is cut off, and nobody is asked. */
const guests: Readonly<Record<string, Uint8Array | object>> = {
  'a write': remove,
  'a name without an end': { kind: 'ask', number: 1, name: 'n'.repeat(101), given: {} },
  'a number that is none': { kind: 'ask', number: '1', name: 'add_note', given: {} },
  'an answer to itself': { kind: 'answered', number: 1, result: {} },
  'no JSON': Buffer.from('yes'),
};

describe('attack: the socket of the window that writes', () => {
  let place: StoragePlace;
  let store: DurableContextStore;
  let contact: Contact;
  const peers: Peer[] = [];
  before(async () => {
    place = await StoragePlace.create();
    store = place.open();
    await say(store, 'one');
    contact = await contactIn(place);
  });
  afterEach(async () => {
    for (const { socket } of peers.splice(0)) socket.destroy();
    assert.equal((await store.listChats()).length, 1);
    assert.deepEqual(place.errors, []);
  });
  after(() => place[Symbol.asyncDispose]());

  const join = async (): Promise<Peer> => {
    const peer = await Peer.connect(contact.address);
    peers.push(peer);
    return peer;
  };
  const friend = async (role: 'window' | 'guest' = 'window'): Promise<Peer> => {
    const peer = await join();
    const nonce = protocol.newNonce();
    peer.send({ ...hello, nonce, role });
    await peer.untilHeard(1);
    const nonces = [nonce, String(peer.heard[0]?.['nonce'])];
    peer.send({ kind: 'response', proof: await protocol.proofOf(contact.secret, 'reader', nonces) });
    await peer.untilHeard(2);
    return peer;
  };

  for (const [what, message] of Object.entries(strangers)) {
    it(`tells nothing to a stranger that begins with ${what}`, async () => {
      const peer = await join();
      peer.send(message);
      await peer.untilClosed();
      assert.deepEqual(peer.heard, []);
    });
  }

  for (const [what, answer] of Object.entries(proofs)) {
    it(`takes nobody for a window by ${what}`, async () => {
      const peer = await join();
      peer.send(hello);
      await peer.untilHeard(1);
      peer.send(answer(peer.heard[0] ?? {}));
      peer.send(remove);
      await peer.untilClosed();
      assert.equal(peer.heard.length, 1);
      assert.ok(!JSON.stringify(peer.heard).includes(contact.secret));
    });
  }

  for (const [what, message] of Object.entries(forgeries)) {
    it(`cuts off a window that sends ${what}`, async () => {
      const peer = await friend();
      peer.send(message);
      await peer.untilClosed();
      assert.equal(peer.heard.length, 2);
    });
  }

  for (const [what, message] of Object.entries(guests)) {
    it(`cuts off a guest that sends ${what}`, async () => {
      const peer = await friend('guest');
      peer.send(message);
      await peer.untilClosed();
      assert.equal(peer.heard.length, 2);
    });
  }

  it('does nothing by a name that is no write', async () => {
    const peer = await friend();
    for (const [number, name] of noWrites.entries())
      peer.send({ ...remove, number, id: crypto.randomUUID(), name });
    await peer.untilHeard(2 + noWrites.length);
    for (const answer of peer.heard.slice(2)) assert.equal(answer['kind'], 'failed', JSON.stringify(answer));
  });

  for (const [who, length] of [
    ['a stranger', 4_097],
    ['a stranger', 0x7fffffff],
    ['a stranger', 0xffffffff],
    ['a guest', 1024 * 1024 + 1],
    ['a guest', 0xffffffff],
    ['a window', 256 * 1024 * 1024 + 1],
    ['a window', 0xffffffff],
  ] as const) {
    it(`cuts off ${who} before anything of a message of ${length} bytes is read`, async () => {
      const peer = await (who === 'a stranger' ? join() : friend(who === 'a guest' ? 'guest' : 'window'));
      const header = Buffer.alloc(4);
      header.writeUInt32BE(length);
      peer.socket.write(header);
      await peer.untilClosed();
    });
  }

  it('does nothing of a message that was cut anywhere', async () => {
    const whole = frame({ ...remove, id: crypto.randomUUID() });
    for (const length of [0, 1, 3, 4, 5, Math.floor(whole.length / 2), whole.length - 1]) {
      const peer = await friend();
      peer.socket.end(whole.subarray(0, length));
      await peer.untilClosed();
      assert.equal(peer.heard.length, 2);
    }
  });

  it('takes a message that comes byte by byte for what it is', async () => {
    const peer = await join();
    for (const byte of frame(hello)) peer.socket.write(Uint8Array.of(byte));
    await peer.untilHeard(1);
    assert.equal(peer.heard[0]?.['kind'], 'challenge');
  });
});

describe('attack: an address that is no socket of a window', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-socket-'));
    await mkdir(path.join(folder, 'offshoot-channel-x', 'kept'), { recursive: true });
    await writeFile(path.join(folder, 'offshoot.db'), 'kept');
    await writeFile(path.join(folder, 'offshoot-1234567.sock'), 'kept');
    await writeFile(path.join(folder, 'offshoot-12345678.sock.bak'), 'kept');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const name of [
    ...['offshoot.db', '', '.', 'offshoot-1234567.sock', 'offshoot-12345678.sock.bak', 'offshoot-channel-x'],
    ...[
      'offshoot-channel-x/kept',
      'offshoot-channel-x/..',
      'offshoot-channel-x/../offshoot.db',
      '*',
      '\u0000',
    ],
    ...['offshoot-12345678.sock/../offshoot.db', 'offshoot-12345678.sock\u0000', 'offshoot-1234567G.sock'],
  ]) {
    it(`is not removed: ${JSON.stringify(name)}`, async () => {
      const before = await pictureOf(folder);
      await socketChannels.discard(path.join(folder, name)).catch(() => undefined);
      await socketChannels.discard(name).catch(() => undefined);
      assert.deepEqual(await pictureOf(folder), before);
    });

    it(`is not connected to: ${JSON.stringify(name)}`, async () => {
      const link = await socketChannels
        .connect(path.join(folder, name), () => assert.fail('it is connected'))
        .catch(() => undefined);
      assert.equal(link, undefined);
    });
  }

  it('is removed as the link that it is, and not what it leads to', async () => {
    await symlink(path.join(folder, 'offshoot.db'), path.join(folder, 'offshoot-abcdef01.sock'));
    await socketChannels.discard(path.join(folder, 'offshoot-abcdef01.sock'));
    const left = await pictureOf(folder);
    assert.ok('offshoot.db' in left && !('offshoot-abcdef01.sock' in left));
  });

  it('takes the place of nothing that is there already', async () => {
    const listener = await socketChannels.listen(folder, () => assert.fail('nobody connects'));
    const server = net.createServer();
    const taken = new Promise((resolve) => server.once('error', resolve));
    server.listen(listener.address);
    assert.equal(((await taken) as { code?: string }).code, 'EADDRINUSE');
    await listener.close();
  });
});
