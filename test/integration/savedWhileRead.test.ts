import assert from 'node:assert/strict';
import type { Run } from '../../src/agent/run/runs.ts';
import { readAlternatives } from '../../src/extension/chat/readAlternatives.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { ConversationReader } from '../../src/extension/chat/conversationReader.ts';
import type { Draft } from '../../src/engine/store.ts';
import type { UIMessage } from '../../src/engine/uiMessage.ts';
import { SideQuestions } from '../../src/extension/chat/sideQuestions.ts';
import type { ReadonlyStore } from '../../src/engine/readonlyStore.ts';
import { answer, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { ask, offshoot, untilChanged, useModelServer } from './support.ts';

describe('a conversation that is read while an answer is saved', () => {
  let api: Offshoot;
  const server = useModelServer((request) =>
    lastQuestion(request) === 'slow' ? [say('It begins'), pause('slow'), say(', and ends')] : answer('Here.'),
  );

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());

  /**
   * The store, in which something happens once a path has been read.
   * @param drafts what it says of them until then
   */
  function storeWhere(
    path: 'getPath' | 'getPathAfter' | 'getChildren',
    duringRead: () => Promise<void>,
    drafts?: readonly Draft[],
  ): ReadonlyStore {
    const { store } = api.parts;
    let isDone = false;
    const replaced: Partial<ReadonlyStore> = {
      [path]: async (...given: Parameters<ReadonlyStore['getPathAfter']>) => {
        const found = await store[path](...given);
        if (!isDone) {
          isDone = true;
          await duringRead();
        }
        return found;
      },
      listDrafts: async (chatId) => (!isDone && drafts ? [...drafts] : store.listDrafts(chatId)),
    };
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(replaced, name) ?? Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  const readIn = (store: ReadonlyStore) => new ConversationReader({ ...api.parts, store }).read();

  /** It has begun, and goes on only when it is let. */
  async function begun(run: Run): Promise<() => Promise<void>> {
    await untilChanged(api, () => JSON.stringify(run.message()).includes('begins'));
    return () => {
      server().release('slow');
      return run.done;
    };
  }

  const texts = ({ parts }: { readonly parts: readonly object[] }): unknown[] =>
    parts.flatMap((part) => ('text' in part ? [part.text] : []));

  it('has the answer that ends during the read', async () => {
    const end = await begun(await api.parts.conversations.ask('slow'));
    const { messages, running } = await readIn(storeWhere('getPath', end));
    assert.equal(running, undefined);
    assert.deepEqual(messages.flatMap(texts), ['slow', 'It begins, and ends']);
  });

  it('has the answer to a side question that ends during the read', async () => {
    await ask(api, 'first');
    const end = await begun(await api.parts.conversations.askSideQuestion('slow'));
    const { runs, dismissed, approvals } = api.parts;
    const store = storeWhere('getPathAfter', end);
    const sideQuestions = new SideQuestions(store, runs, dismissed, approvals);
    const view = await new ConversationReader({ ...api.parts, store, sideQuestions }).read();
    sideQuestions.dispose();
    const answers = view.sideQuestions.flatMap(({ answer: said }) => said ?? []);
    assert.deepEqual(answers.flatMap(texts), ['It begins, and ends']);
  });

  it('has the answer of another window that ends during the read', async () => {
    await ask(api, 'first');
    const message: UIMessage = {
      id: 'theirs',
      role: 'assistant',
      parts: [{ type: 'text', text: 'Theirs.' }],
    };
    const draft: Draft = {
      chatId: await api.parts.current.chatId(),
      branch: 'main',
      userId: 'local',
      message,
      updatedAt: 1,
      isBeingWritten: true,
    };
    const { running } = await readIn(storeWhere('getPath', () => Promise.resolve(), [draft]));
    assert.deepEqual(running && texts(running), ['Theirs.']);
  });

  it('has the alternative that ends during the read', async () => {
    const run = await api.parts.conversations.ask('slow');
    const end = await begun(run);
    const chatId = await api.parts.current.chatId();
    const sources = { ...api.parts, store: storeWhere('getChildren', end) };
    const read = await readAlternatives(sources, chatId, run.questionId);
    const answers = read?.alternatives.flatMap(({ messages }) => messages) ?? [];
    assert.deepEqual(answers.flatMap(texts), ['It begins, and ends']);
  });
});
