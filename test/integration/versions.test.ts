import assert from 'node:assert/strict';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import type { MessageView } from '../../src/protocol/views.ts';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { ask, messageText, offshoot, sayOnPage, untilChanged, useModelServer } from './support.ts';

describe('versions of questions and answers', () => {
  let api: Offshoot;
  let count = 0;
  useModelServer((request) => {
    count += 1;
    const question = lastQuestion(request);
    return answer(question === 'at length' ? `Answer ${count}. So it goes on.` : `You said ${question}`);
  });

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    count = 0;
    await api.parts.current.startNew();
  });

  const messages = async (): Promise<MessageView[]> => (await readConversation(api.parts)).messages;
  const at = async (index: number): Promise<MessageView> => (await messages()).at(index) ?? assert.fail();
  const texts = async (expected: readonly string[]): Promise<void> => {
    const { runs, current } = api.parts;
    await untilChanged(
      api,
      async () =>
        (await messageText(api)).length === expected.length && runs.list(await current.chatId()).length === 0,
    );
    assert.deepEqual(await messageText(api), expected);
  };

  it('result from editing a question, and one goes to where one was last below each', async () => {
    await ask(api, 'one');
    await ask(api, 'two');
    const two = await at(2);
    await sayOnPage(api, { type: 'editMessage', messageId: two.id, text: 'deux' });
    await texts(['one', 'You said one', 'deux', 'You said deux']);
    await ask(api, 'trois');
    const view = await readConversation(api.parts);
    assert.equal(view.branch, 'main-v2');
    const deux = await at(2);
    assert.deepEqual(deux.versions, { number: 2, count: 2, before: { id: two.id, preview: 'two' } });
    assert.deepEqual(
      view.lineage?.map(({ branch, color }) => [branch, color]),
      [
        ['main', 0],
        ['main-v2', 1],
      ],
    );
    assert.deepEqual(
      view.messages.map(({ line }) => line ?? 0),
      [0, 0, 1, 1, 1, 1],
    );
    await sayOnPage(api, { type: 'openVersion', messageId: two.id });
    await texts(['one', 'You said one', 'two', 'You said two']);
    assert.equal((await readConversation(api.parts)).lineage?.length, 1);
    await sayOnPage(api, { type: 'openVersion', messageId: deux.id });
    await texts(['one', 'You said one', 'deux', 'You said deux', 'trois', 'You said trois']);
  });

  it('result from regenerating an answer, each told by how it begins', async () => {
    await ask(api, 'at length');
    const { runs, current } = api.parts;
    for (const number of [2, 3]) {
      await sayOnPage(api, { type: 'runCommandHere', command: 'regenerate', messageId: (await at(-1)).id });
      await untilChanged(
        api,
        async () =>
          runs.list(await current.chatId()).length === 0 && (await at(-1)).versions?.number === number,
      );
    }
    const { versions } = await at(-1);
    assert.deepEqual(
      [versions?.number, versions?.count, versions?.before?.preview, versions?.after],
      [3, 3, 'Answer 2. So it goes on.', undefined],
    );
    await sayOnPage(api, { type: 'openVersion', messageId: versions?.before?.id ?? '' });
    assert.equal((await at(-1)).versions?.number, 2);
  });
});
