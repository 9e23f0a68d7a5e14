import assert from 'node:assert/strict';
import { BroadcastChannels } from '../../../src/host/browser/broadcastChannels.ts';
import { WebLock } from '../../../src/host/browser/webLock.ts';
import type { Link, Listener } from '../../../src/host/platform.ts';
import { until } from '../../fixtures/until.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What another page of the site may put on the channel of a connection: it is closed, and nothing of it is heard. */
const forged: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a number': 7,
  'a text': 'accepted',
  'a list': [{ kind: 'data' }],
  'an object': {},
  'another kind': { kind: 'DATA', bytes: bytesOf('x') },
  'a kind of a prototype': { kind: '__proto__' },
  'a kind that is a list': { kind: ['data'], bytes: bytesOf('x') },
  'data of nothing': { kind: 'data' },
  'data of a text': { kind: 'data', bytes: 'x' },
  'data of a list': { kind: 'data', bytes: [120] },
  'data of an object': { kind: 'data', bytes: { 0: 120, byteLength: 1, length: 1 } },
  'data of a buffer': { kind: 'data', bytes: new ArrayBuffer(1) },
  'data of larger numbers': { kind: 'data', bytes: new Uint16Array(1) },
  'data of a view': { kind: 'data', bytes: new DataView(new ArrayBuffer(1)) },
  'data of a map': { kind: 'data', bytes: new Map([[0, 120]]) },
  'data of a date': { kind: 'data', bytes: new Date() },
  'too much': { kind: 'data', bytes: new Uint8Array(4_097) },
  'far too much': { kind: 'data', bytes: new Uint8Array(10_000_000) },
};

/** What may be put on the channel of a window that listens: no connection is made for it. */
const calls: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a text': crypto.randomUUID(),
  'a number': { call: 7 },
  'a path': { call: '../x' },
  'a name': { call: 'x' },
  'a name without an end': { call: 'x'.repeat(1_000_000) },
  'a list of names': { call: [crypto.randomUUID()] },
  'a name and more': { call: `${crypto.randomUUID()} caller` },
  'a name in a prototype': JSON.parse('{"__proto__":{"call":"x"}}'),
};

// Versions of Node.js without locks have no such channels.
if ('locks' in navigator) {
  describe('attack: the channels between the windows of a browser', () => {
    let name: string;
    let channels: BroadcastChannels;
    let listener: Listener;
    let heard: string[];
    let closed: number;
    let accepted: Link[];
    const others: BroadcastChannel[] = [];
    beforeEach(async () => {
      name = crypto.randomUUID();
      channels = new BroadcastChannels(name);
      [heard, closed, accepted] = [[], 0, []];
      listener = await channels.listen('', (link) => {
        accepted.push(link);
        return {
          onMessage: (message) => void heard.push(new TextDecoder().decode(message)),
          onClose: () => (closed += 1),
        };
      });
    });
    afterEach(async () => {
      for (const other of others.splice(0)) other.close();
      await Promise.all(accepted.map((link) => link.close()));
      await listener.close();
    });

    /** A channel of another page of the site. */
    const other = (channel: string): BroadcastChannel => {
      const made = new BroadcastChannel(channel);
      others.push(made);
      return made;
    };
    const quiet = { onMessage: () => undefined, onClose: () => undefined };

    /** A connection, and the channel of another page that has overheard its name. */
    async function overheard(): Promise<{ readonly link: Link; readonly page: BroadcastChannel }> {
      const overhearing = other(`${name} listener ${listener.address}`);
      const call = new Promise<string>((resolve) => {
        overhearing.onmessage = (event) => resolve((event as MessageEvent<{ call: string }>).data.call);
      });
      const link = await channels.connect(listener.address, () => quiet);
      assert.ok(link);
      return { link, page: other(`${name} link ${await call}`) };
    }

    it('carry what is sent over them', async () => {
      const link = await channels.connect(listener.address, () => quiet);
      link?.send(bytesOf('hello'));
      await until(() => heard.length === 1, 'the message');
      assert.deepEqual(heard, ['hello']);
      await link?.close();
    });

    for (const [what, data] of Object.entries(forged)) {
      it(`close where a page forges ${what}, and hear nothing of it`, async () => {
        const { page } = await overheard();
        page.postMessage(data);
        await until(() => closed === 1, 'the connection to be closed');
        assert.deepEqual(heard, []);
      });
    }

    for (const [what, data] of Object.entries(calls)) {
      it(`open for no call that is ${what}`, async () => {
        other(`${name} listener ${listener.address}`).postMessage(data);
        // One that is a call comes after it.
        const link = await channels.connect(listener.address, () => quiet);
        assert.ok(link);
        assert.equal(accepted.length, 1);
        await link.close();
      });
    }

    it('open for no more calls than there are windows, and close those that nobody made', async () => {
      const page = other(`${name} listener ${listener.address}`);
      for (let count = 0; count < 200; count++) page.postMessage({ call: crypto.randomUUID() });
      await until(() => accepted.length > 0 && closed === accepted.length, 'all of them to be closed');
      let link: Link | undefined;
      await until(async () => {
        link = await channels.connect(listener.address, () => quiet);
        return link !== undefined;
      }, 'a window to get through');
      await link?.close();
    });

    it('end where a page says goodbye for one side, and say nothing afterwards', async () => {
      const { link, page } = await overheard();
      page.postMessage({ kind: 'bye' });
      await until(() => closed === 1, 'the connection to be closed');
      page.postMessage({ kind: 'data', bytes: bytesOf('late') });
      await link.close();
      assert.deepEqual(heard, []);
    });

    it('stay as they are where a page says again that they are open', async () => {
      const { link, page } = await overheard();
      page.postMessage({ kind: 'accepted' });
      link.send(bytesOf('hello'));
      await until(() => heard.length === 1, 'the message');
      assert.equal(closed, 0);
      await link.close();
    });

    it('take more once both sides know each other, up to the new bound', async () => {
      const { page } = await overheard();
      const [link] = accepted;
      assert.ok(link);
      link.limit = 10_000;
      page.postMessage({ kind: 'data', bytes: new Uint8Array(10_000) });
      await until(() => heard.length === 1, 'the message');
      page.postMessage({ kind: 'data', bytes: new Uint8Array(10_001) });
      await until(() => closed === 1, 'the connection to be closed');
      assert.equal(heard.length, 1);
    });

    it('keep what arrives while they pause, and lose it when they close', async () => {
      const { page } = await overheard();
      const [link] = accepted;
      assert.ok(link);
      link.pause();
      page.postMessage({ kind: 'data', bytes: bytesOf('held') });
      page.postMessage({ kind: 'bye' });
      await until(() => closed === 1, 'the connection to be closed');
      link.resume();
      assert.deepEqual(heard, []);
    });

    for (const address of ['', 'x', '../x', '__proto__', crypto.randomUUID()]) {
      it(`connect to nobody at an address where nobody listens: ${JSON.stringify(address.slice(0, 10))}`, async () => {
        assert.equal(await channels.connect(address, () => assert.fail('it is connected')), undefined);
      });
    }

    it('are none of another storage, though its name ends or begins like theirs', async () => {
      for (const another of [`${name} `, `${name} listener`, name.slice(0, -1), `x ${name}`]) {
        const stranger = new BroadcastChannels(another);
        const link = await stranger.connect(listener.address, () => assert.fail('it is connected'));
        assert.equal(link, undefined);
      }
      assert.equal(accepted.length, 0);
    });
  });

  describe('attack: the lock of the window that writes in a browser', () => {
    it('is held by one, whatever others do with its name', async () => {
      const name = crypto.randomUUID();
      const [first, second] = [new WebLock(name), new WebLock(name)];
      assert.deepEqual([await first.tryAcquire(), await second.tryAcquire()], [true, false]);
      await second.release();
      assert.deepEqual([await first.confirm(), await second.tryAcquire()], [true, false]);
      await first.release();
      assert.equal(await second.tryAcquire(), true);
      await second.release();
    });

    it('is known to be lost where a page of the site steals it', async () => {
      const name = crypto.randomUUID();
      const lock = new WebLock(name);
      assert.equal(await lock.tryAcquire(), true);
      const stolen = Promise.withResolvers<undefined>();
      const stealing = navigator.locks.request(name, { steal: true }, () => stolen.promise);
      await until(async () => !(await lock.confirm()), 'the loss to be known');
      stolen.resolve(undefined);
      await stealing;
    });
  });
}
