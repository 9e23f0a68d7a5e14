import assert from 'node:assert/strict';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, finish, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { messageText, offshoot, sayOnPage, untilChanged, useModelServer } from './support.ts';

describe('messages that the page sends during a long answer', () => {
  let api: Offshoot;
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (!question.startsWith('long')) return answer(`You said ${question}`);
    return [say(`${question} begins`), pause(question), say(' and ends'), finish()];
  });

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());

  const queued = async (): Promise<string[]> =>
    (await readConversation(api.parts)).queue?.map(({ text }) => text) ?? [];
  const idOf = async (text: string): Promise<string> =>
    (await readConversation(api.parts)).queue?.find((each) => each.text === text)?.id ?? assert.fail(text);
  const send = (text: string): Promise<void> => sayOnPage(api, { type: 'sendMessage', text });
  const texts = (count: number): Promise<void> =>
    untilChanged(api, async () => (await messageText(api)).length === count);

  it('are shown in order, put in another, and sent one after the other once it has ended', async () => {
    await send('long one');
    await server().pauseReached('long one');
    for (const text of ['two', 'three', 'four']) await send(text);
    assert.deepEqual(await queued(), ['two', 'three', 'four']);
    await sayOnPage(api, { type: 'moveQueued', id: await idOf('four'), to: 1 });
    assert.deepEqual(await queued(), ['two', 'four', 'three']);
    server().release('long one');
    await texts(8);
    assert.deepEqual(await messageText(api), [
      ...['long one', 'long one begins and ends', 'two', 'You said two'],
      ...['four', 'You said four', 'three', 'You said three'],
    ]);
    await untilChanged(api, async () => (await queued()).length === 0);
  });

  it('are taken out to be edited or removed, and stop it when they are sent at once', async () => {
    await send('long one');
    await server().pauseReached('long one');
    for (const text of ['two', 'three', 'four']) await send(text);
    await sayOnPage(api, { type: 'editQueued', id: await idOf('two') });
    await sayOnPage(api, { type: 'removeQueued', id: await idOf('three') });
    assert.deepEqual(await queued(), ['four']);
    await sayOnPage(api, { type: 'sendQueuedNow', id: await idOf('four') });
    await texts(4);
    assert.deepEqual(await messageText(api), ['long one', 'long one begins', 'four', 'You said four']);
    server().release('long one');
  });
});
