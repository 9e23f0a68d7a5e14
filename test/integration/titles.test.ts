import assert from 'node:assert/strict';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { ConversationTree } from '../../src/extension/tree/conversationTree.ts';
import { answer, lastQuestion, pause, refuse, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, setSetting, untilChanged, useModelServer } from './support.ts';

describe('titles by the model', () => {
  let api: Offshoot;
  const isForTitle = (question: string): boolean => question.startsWith('Give this a title.');
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (!isForTitle(question)) return answer(`You said ${question}`);
    if (question.includes('refused')) return refuse(500);
    if (question.includes('endless')) return answer('word '.repeat(200));
    if (question.includes('slowly')) return [say('Too '), pause('title'), say('late')];
    return answer('**"Birds\u202E of the marsh."**\nand more');
  });
  const titlesAsked = (): number =>
    server().requests.filter((request) => isForTitle(lastQuestion(request))).length;
  const title = async (): Promise<string | undefined> =>
    (await api.parts.store.getChat(await api.parts.current.chatId()))?.title;

  before(async () => {
    api = await offshoot();
  });
  after(() => setSetting('titles', 'words'));
  beforeEach(async () => {
    await setSetting('titles', 'model');
    await api.parts.current.startNew();
  });

  it('are written after the first answer of a chat, cleaned, and are no use of the chat', async () => {
    const { store, current } = api.parts;
    await ask(api, 'Which herons live here, and where do they nest?');
    assert.equal(await title(), 'Which herons live here, and where do they nest?');
    const used = (await store.getChat(await current.chatId()))?.updatedAt;
    await untilChanged(api, async () => (await title()) === 'Birds of the marsh');
    assert.equal((await store.getChat(await current.chatId()))?.updatedAt, used);
    const asked = titlesAsked();
    await ask(api, 'And storks?');
    assert.equal(titlesAsked(), asked);
  });

  it('are written for a branch, and shown in the tree', async () => {
    const { conversations, current } = api.parts;
    await ask(api, 'one');
    await untilChanged(api, async () => (await title()) === 'Birds of the marsh');
    const [first] = await conversations.path();
    assert.ok(first);
    await conversations.rewind(first.id);
    await ask(api, 'two');
    const chatId = await current.chatId();
    const tree = new ConversationTree(api.parts);
    try {
      const called = async (): Promise<unknown> => {
        const chat = (await tree.getChildren()).find((each) => each.chatId === chatId);
        const [, edited] = chat ? await tree.getChildren(chat) : [];
        return edited ? (await tree.getTreeItem(edited)).label : undefined;
      };
      await called();
      await until(async () => {
        tree.refresh();
        return (await called()) === 'Birds of the marsh';
      }, 'the title in the tree');
    } finally {
      tree.dispose();
    }
    assert.equal(await title(), 'Birds of the marsh');
  });

  it('leave the first words where the request fails, and are not asked for again', async () => {
    for (const question of ['refused', 'endless']) {
      await api.parts.current.startNew();
      const asked = titlesAsked();
      await ask(api, question);
      await until(() => titlesAsked() === asked + 1, 'the request for a title');
      await ask(api, 'further');
      assert.equal(titlesAsked(), asked + 1);
      assert.equal(await title(), question);
    }
  });

  it('never replace a name the user gave before they arrived', async () => {
    const { store, conversations, current } = api.parts;
    await ask(api, 'slowly');
    await server().pauseReached('title');
    const chatId = await current.chatId();
    await conversations.renameChat(chatId, 'Mine');
    const count = (await store.listEvents(chatId)).length;
    server().release('title');
    // Whatever is written after it was read comes after this.
    await ask(api, 'further');
    assert.equal(await title(), 'Mine');
    assert.ok((await store.listEvents(chatId)).length > count);
    assert.deepEqual(await store.listEvents(chatId, { kind: 'titled' }), []);
  });

  it('are not asked for where first words are wanted, nor of the offline demo', async () => {
    const asked = titlesAsked();
    await setSetting('titles', 'words');
    await ask(api, 'in words');
    await setSetting('titles', 'model');
    await setSetting('model', 'demo:offline');
    try {
      await api.parts.current.startNew();
      await ask(api, 'by the demo');
      await ask(api, 'again');
    } finally {
      await setSetting('model', undefined);
    }
    assert.equal(await title(), 'by the demo');
    assert.equal(titlesAsked(), asked);
  });
});
