import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { socketChannels } from '../../../../src/host/node/socketChannels.ts';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import type { Link, LinkEvents } from '../../../../src/host/platform.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { ClosedError } from '../../../../src/engine/errors.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import type { UIMessage } from '../../../../src/engine/uiMessage.ts';
import { followFolder } from '../../../../src/store/followFolder.ts';
import * as protocol from '../../../../src/store/windows/channelProtocol.ts';
import type { AnswerQuestion } from '../../../../src/store/windows/guestQuestions.ts';
import { toWireError } from '../../../../src/store/windows/wireErrors.ts';
import { LeftRunning } from '../../../fixtures/leftRunning.ts';
import { contactIn, Peer } from '../../../fixtures/storage/peer.ts';
import { say, StoragePlace, storedTexts } from '../../../fixtures/storage/storagePlace.ts';
import { stores } from '../../../fixtures/stores.ts';
import { until } from '../../../fixtures/until.ts';

const message: UIMessage = { id: 'answer', role: 'assistant', parts: [] };
const draft = { chatId: 'chat', branch: 'main', message };

describe('after closing, nothing runs', () => {
  for (const [kind, open] of Object.entries(stores)) {
    it(`of a store ${kind}`, async () => {
      // What all stores of a kind share, such as a server, stays.
      await (await open()).close();
      using left = new LeftRunning();
      const store = await open();
      const changes = store.onDidChange(() => undefined);
      const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
      await engine.set(user('one')).save();
      await store.saveDraft(draft);
      await engine.close();
      await store.close();
      changes.dispose();
      await left.isNothing();
    });
  }

  for (const [order, sorted] of [
    ['the writer first', (each: readonly Closing[]) => each],
    ['the writer last', (each: readonly Closing[]) => each.toReversed()],
  ] as const) {
    it(`of windows, guests and strangers, ${order}`, async () => {
      await using place = await StoragePlace.create();
      using left = new LeftRunning();
      const asked: string[] = [];
      const onAsk: AnswerQuestion = ({ name, signal }) => {
        asked.push(name);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('Nobody waits for it.')), { once: true });
        });
      };
      const writer = place.open({ onAsk });
      await say(writer, 'one');
      const windows = [place.open(), place.open()];
      for (const [index, window] of windows.entries()) await say(window, `from ${index}`);
      // The writer waits for the window of a draft to come back.
      for (const window of windows) await window.saveDraft(draft);
      const guest = followFolder({
        folder: place.folder,
        platform: nodePlatform('dist'),
        onError: (error) => place.errors.push(error),
      });
      const question = guest.ask('may-i', {}, new AbortController().signal);
      const answer = assert.rejects(question, { name: 'LinkLostError' });
      await until(() => asked.length > 0, 'the question to be asked');
      const contact = await contactIn(place);
      const [silent, begun] = [await Peer.connect(contact.address), await Peer.connect(contact.address)];
      await begun.begin(contact.secret);
      const closings: Closing[] = [
        () => writer.close(),
        ...windows.map((window) => () => window.close()),
        () => guest.dispose(),
      ];
      for (const close of sorted(closings)) await close();
      await answer;
      for (const peer of [silent, begun]) await peer.untilClosed();
      await left.isNothing();
      assert.deepEqual([place.errors, place.reports], [[], []]);
    });
  }

  it('of a store that is closed twice: both calls wait for it', async () => {
    await using place = await StoragePlace.create();
    const store = place.open();
    await say(store, 'one');
    const closing = store.close();
    await store.close();
    assert.ok(!(await place.names()).includes('offshoot.db.lock'));
    await closing;
  });

  it('of a guest that has only asked', async () => {
    await using place = await StoragePlace.create();
    using left = new LeftRunning();
    const guest = followFolder({
      folder: place.folder,
      platform: nodePlatform('dist'),
      onError: (error) => place.errors.push(error),
    });
    await assert.rejects(guest.ask('may-i', {}, new AbortController().signal), { code: 'no-window' });
    guest.dispose();
    await assert.rejects(guest.look(), { code: 'closed' });
    await left.isNothing();
    assert.deepEqual(place.errors, []);
  });
});

type Closing = () => void | Promise<void>;

describe('a writer that closes', () => {
  let place: StoragePlace;
  beforeEach(async () => {
    place = await StoragePlace.create();
  });
  afterEach(async () => {
    await place[Symbol.asyncDispose]();
    assert.deepEqual([place.errors, place.reports], [[], []]);
  });

  it('admits nobody any more, however far they have come', async () => {
    const writer = place.open();
    await say(writer, 'one');
    const contact = await contactIn(place);
    const peer = await Peer.connect(contact.address);
    const proof = await peer.begin(contact.secret);
    await writer.close();
    const request = { kind: 'request', number: 1, id: crypto.randomUUID(), name: 'deleteChat' };
    for (const each of [proof, { ...request, given: { chatId: 'chat' } }]) peer.send(each);
    await peer.untilClosed();
    assert.deepEqual(
      peer.heard.map(({ kind }) => kind),
      ['challenge'],
    );
  });

  it('is no answer to a window that saves in that moment, whether it is connected or about to be', async () => {
    const expected: string[] = [];
    for (let round = 0; round < 12; round++) {
      const writer = place.open();
      await say(writer, `writer ${round}`);
      const window = place.open();
      if (round % 2 === 0) await window.listChats({ limit: 1 });
      const saving = say(window, `window ${round}`);
      await Promise.all([saving, writer.close()]);
      expected.push(`writer ${round}`, `window ${round}`);
      assert.deepEqual(await storedTexts(window), expected);
      await window.close();
    }
  });

  it('is asked no more when it says so, as earlier versions do; the next one is', async () => {
    const writer = place.open();
    await say(writer, 'one');
    const contact = await contactIn(place);
    const file = place.file('offshoot.db.channel');
    const real = await readFile(file);
    let answers = 0;
    const listener = await socketChannels.listen(place.folder, (link) =>
      closedWriter(link, contact.secret, async () => {
        answers += 1;
        await writeFile(file, real);
      }),
    );
    await writeFile(file, JSON.stringify({ ...contact, address: listener.address }));
    const window = place.open();
    await say(window, 'two');
    await listener.close();
    assert.ok(answers > 0);
    assert.deepEqual(await storedTexts(writer), ['one', 'two']);
  });
});

/** Greets as a writer does, and answers the first request that its database has been closed. */
function closedWriter(link: Link, secret: string, beforeAnswer: () => Promise<void>): LinkEvents {
  link.limit = protocol.FRIEND_LIMIT;
  const nonce = protocol.newNonce();
  const error = toWireError(new ClosedError('database'));
  const answer = async (bytes: Uint8Array): Promise<void> => {
    const hello = protocol.decode(protocol.hello, bytes);
    const request = protocol.decode(protocol.request, bytes);
    if (hello) {
      const proof = await protocol.proofOf(secret, 'writer', [hello.nonce, nonce]);
      link.send(protocol.encode({ kind: 'challenge', nonce, proof }));
    } else if (request) {
      await beforeAnswer();
      link.send(protocol.encode({ kind: 'failed', number: request.number, error }));
    } else link.send(protocol.encode({ kind: 'welcome' }));
  };
  return { onMessage: (bytes) => void answer(bytes), onClose: () => undefined };
}
