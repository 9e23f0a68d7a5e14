import assert from 'node:assert/strict';
import { knownServers } from '../../src/extension/models/keyedServers.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { events, startRawServer, type RawServer } from '../fixtures/rawServer.ts';
import { ask, offshoot, messageText, setSetting } from './support.ts';

const reply = (text: string) =>
  events({ id: '1', choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] });

describe('several compatible servers in the extension host', () => {
  let api: Offshoot;
  let first: RawServer;
  let second: RawServer;

  before(async () => {
    api = await offshoot();
    const serving = (name: string) =>
      startRawServer(({ path }) =>
        path.endsWith('/models')
          ? {
              headers: { 'content-type': 'application/json' },
              pieces: [JSON.stringify({ data: [{ id: 'big' }] })],
            }
          : reply(`I am ${name}.`),
      );
    [first, second] = await Promise.all([serving('the first'), serving('the second')]);
  });
  beforeEach(() => api.parts.current.startNew());
  after(async () => {
    await setSetting('openaiCompatible.servers', undefined);
    await setSetting('model', undefined);
    await api.parts.keys.remove(second.origin);
    await Promise.all([first.close(), second.close()]);
  });

  it('are all offered, and one that cannot be read is named next to them', async () => {
    await setSetting('openaiCompatible.servers', [
      { name: 'One', address: `${first.origin}/v1` },
      { address: 'nowhere' },
      { name: 'Two', address: second.origin, contextWindow: 9_000 },
    ]);
    const { models, problems } = await api.parts.models.list();
    const ours = models.filter(({ id }) => id.startsWith('openai-compatible.'));
    assert.deepEqual(
      ours.map(({ id, detail, contextWindow }) => [id, detail, contextWindow]),
      [
        ['openai-compatible.One:big', 'One', undefined],
        ['openai-compatible.Two:big', 'Two', 9_000],
      ],
    );
    assert.match(problems.map(({ message }) => message).join(), /Server 2 in the setting/);
  });

  it('answer, each with its own key, which stays when the address is corrected', async () => {
    await setSetting('model', 'openai-compatible.Two:big');
    const server = knownServers(api.parts).find(({ id }) => id === 'openai-compatible.Two');
    assert.equal(server?.at, second.origin);
    await api.parts.keys.set(server.at, 'key-of-two');
    await ask(api, 'Who are you?');
    assert.equal((await messageText(api)).at(-1), 'I am the second.');
    await setSetting('openaiCompatible.servers', [
      { name: 'One', address: `${first.origin}/v1` },
      { name: 'Two', address: `${second.origin}/v1` },
    ]);
    await ask(api, 'And now?');
    assert.deepEqual(
      second.requests.filter(({ body }) => body !== undefined).map(({ headers }) => headers.authorization),
      ['Bearer key-of-two', 'Bearer key-of-two'],
    );
    await setSetting('model', 'openai-compatible.One:big');
    await ask(api, 'And you?');
    assert.equal((await messageText(api)).at(-1), 'I am the first.');
    assert.equal(first.requests.at(-1)?.headers.authorization, undefined);
  });
});
