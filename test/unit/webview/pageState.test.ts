import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ConversationView } from '../../../src/protocol/chatFromHost.ts';
import type { MessageView } from '../../../src/protocol/views.ts';
import {
  applyDelta,
  dismissFailure,
  emptyPage,
  failureIn,
  forgetEarlier,
  holdOnly,
  missingEarlier,
  reduce,
  withEarlier,
  type PageState,
} from '../../../src/webview/state/pageState.ts';

const message = (id: string, text = id): MessageView => ({
  id,
  role: 'assistant',
  parts: [{ type: 'text', text }],
  createdAt: 0,
  status: 'complete',
  checkpoints: [],
});

const conversation = (
  messages: readonly MessageView[],
  rest: Partial<ConversationView> = {},
): ConversationView => ({
  chat: { id: 'chat', title: 'Chat' },
  branch: 'main',
  branchCount: 1,
  messageCount: messages.length,
  messages: [...messages],
  sideQuestions: [],
  model: { id: 'demo:offline', label: 'Demo', isDemo: true },
  mode: { id: 'agent', label: 'Agent', description: 'Reads and changes files' },
  banners: [],
  isReadOnly: false,
  ...rest,
});

const delta = (text: string, offset: number, partIndex = 0) => ({
  type: 'answerDelta' as const,
  chatId: 'chat',
  branch: 'main',
  messageId: 'a',
  partIndex,
  part: { type: 'text' as const, text },
  offset,
});

const textOf = ({ parts }: MessageView): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('');

describe('pieces of an answer', () => {
  it('make the whole answer in whatever overlapping pieces they come', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.nat(20)), (whole, cuts) => {
        let view: MessageView = { ...message('a'), parts: [], status: 'streaming' };
        let sent = 0;
        for (const cut of [...cuts, whole.length]) {
          const end = Math.min(whole.length, sent + cut);
          const offset = Math.max(0, sent - (cut % 3));
          const next = applyDelta(view, delta(whole.slice(offset, end), offset));
          assert.ok(next);
          view = next;
          sent = Math.max(sent, end);
        }
        assert.equal(textOf(view), whole);
      }),
    );
  });

  it('are told apart from a gap, after which everything has to be asked for again', () => {
    const running = { ...message('a', 'ab'), status: 'streaming' as const };
    assert.equal(applyDelta(running, delta('x', 3)), undefined);
    assert.equal(applyDelta(running, delta('x', 0, 2)), undefined);
    const state = reduce(
      reduce(emptyPage, { type: 'conversationChanged', conversation: conversation([], { running }) }),
      delta('x', 9),
    );
    assert.equal(state.isOutOfStep, true);
  });

  it('do nothing when they belong to an answer the page does not show', () => {
    const state = reduce(emptyPage, {
      type: 'conversationChanged',
      conversation: conversation([message('b')]),
    });
    assert.equal(reduce(state, delta('x', 0)), state);
  });

  it('reach a side answer as well', () => {
    const answer = { ...message('a', 'be'), status: 'streaming' as const };
    const sideQuestions = [{ branch: 'main-v2', question: 'q', answer }];
    const state = reduce(emptyPage, {
      type: 'conversationChanged',
      conversation: conversation([], { sideQuestions }),
    });
    const [sideQuestion] = reduce(state, delta('gins', 2)).sideQuestions;
    assert.equal(sideQuestion?.answer && textOf(sideQuestion.answer), 'begins');
  });
});

describe('what the page shows', () => {
  const ids = ({ earlier, conversation: shown, running }: PageState): string[] => [
    ...earlier,
    ...[...(shown?.messages ?? []), ...(running ? [running] : [])].map(({ id }) => id),
  ];
  const opened = reduce(emptyPage, {
    type: 'conversationChanged',
    conversation: conversation([message('c'), message('d')], { messageCount: 4 }),
  });
  const read = withEarlier(opened, 'c', [message('a'), message('b')]);

  it('keeps earlier messages while the branch grows, and knows how many are missing', () => {
    assert.equal(missingEarlier(opened), 2);
    assert.deepEqual(ids(read), ['a', 'b', 'c', 'd']);
    assert.equal(missingEarlier(read), 0);
    const grown = reduce(read, {
      type: 'conversationChanged',
      conversation: conversation([message('d'), message('e')], { messageCount: 5 }),
    });
    assert.deepEqual(ids(grown), ['a', 'b', 'c', 'd', 'e']);
  });

  it('takes earlier messages once, and none that do not end where they were asked for', () => {
    assert.deepEqual(ids(withEarlier(read, 'c', [message('a'), message('b')])), ['a', 'b', 'c', 'd']);
    assert.equal(withEarlier(read, 'c', [message('x'), message('y')]), read);
    assert.equal(withEarlier(opened, 'b', [message('a')]), opened);
    assert.equal(withEarlier(opened, 'c', []), opened);
  });

  it('releases what earlier messages say and takes it again, in whatever pieces it comes', () => {
    const all = Array.from({ length: 40 }, (_, index) => message(`m${index}`));
    const tail = reduce(emptyPage, {
      type: 'conversationChanged',
      conversation: conversation(all.slice(30), { messageCount: 40 }),
    });
    const piece = fc.record({ end: fc.integer({ min: 1, max: 30 }), count: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(39)), (pieces, kept) => {
        let state = tail;
        for (const { end, count } of pieces) {
          state = withEarlier(state, `m${end}`, all.slice(Math.max(0, end - count), end));
          state = holdOnly(state, (id) => kept.some((number) => id === `m${number}`));
          assert.deepEqual(
            ids(state),
            all.slice(missingEarlier(state)).map(({ id }) => id),
          );
          for (const [id, held] of state.held) assert.equal(held.id, id);
          assert.ok([...state.held.keys()].every((id) => state.earlier.includes(id)));
        }
      }),
    );
  });

  it('keeps the very object of each message that is as it was', () => {
    const same = reduce(read, {
      type: 'conversationChanged',
      conversation: conversation([message('c'), message('d', 'changed')], { messageCount: 4 }),
    });
    assert.equal(same.conversation?.messages[0], read.conversation?.messages[0]);
    assert.notEqual(same.conversation?.messages[1], read.conversation?.messages[1]);
  });

  it('begins again on another branch', () => {
    const switched = reduce(read, {
      type: 'conversationChanged',
      conversation: conversation([message('z')], { branch: 'main-v2' }),
    });
    assert.deepEqual(ids(switched), ['z']);
  });

  it('shows a streaming answer once, also when it has just been saved', () => {
    const running = message('d');
    const state = reduce(emptyPage, {
      type: 'conversationChanged',
      conversation: conversation([message('c'), message('d')], { running }),
    });
    assert.deepEqual(ids(state), ['c', 'd']);
  });

  it('changes nothing but the answer while one streams', () => {
    const before = reduce(read, {
      type: 'conversationChanged',
      conversation: conversation([message('c'), message('d')], {
        messageCount: 4,
        running: { ...message('a', ''), status: 'streaming' },
      }),
    });
    const after = reduce(before, delta('word', 0));
    assert.equal(after.running && textOf(after.running), 'word');
    assert.deepEqual({ ...after, running: undefined }, { ...before, running: undefined });
    assert.equal(after.conversation, before.conversation);
    assert.equal(after.earlier, before.earlier);
  });

  it('can release earlier messages, and knows that they are missing then', () => {
    const forgotten = forgetEarlier(read);
    assert.deepEqual(ids(forgotten), ['c', 'd']);
    assert.equal(missingEarlier(forgotten), 2);
  });

  it('shows the last failure of a chat, until it is dismissed or another chat is shown', () => {
    const { conversation: shown } = read;
    assert.ok(shown);
    const show = (page: typeof read, id: string, branch = 'main') =>
      reduce(page, {
        type: 'conversationChanged',
        conversation: { ...shown, branch, chat: { ...shown.chat, id }, sideQuestions: [] },
      });
    const fail = (page: typeof read, text: string, chatId?: string) =>
      reduce(page, { type: 'actionFailed', text, chatId });
    const failed = fail(fail(show(read, 'one'), '1', 'one'), '2');
    assert.equal(failureIn(failed), '2');
    assert.equal(failureIn(show(failed, 'one', 'another branch')), '2');
    assert.equal(failureIn(dismissFailure(failed)), undefined);
    const left = show(failed, 'other');
    assert.equal(failureIn(left), undefined);
    assert.equal(failureIn(show(left, 'one')), undefined);
  });

  it('shows what fails late in the chat where it was asked for, and nowhere else', () => {
    const { conversation: shown } = read;
    assert.ok(shown);
    const show = (page: typeof read, id: string) =>
      reduce(page, {
        type: 'conversationChanged',
        conversation: { ...shown, chat: { ...shown.chat, id }, sideQuestions: [] },
      });
    const late = reduce(show(read, 'other'), { type: 'actionFailed', text: 'late', chatId: 'one' });
    assert.equal(failureIn(late), undefined);
    assert.equal(failureIn(show(late, 'one')), 'late');
    const early = reduce(emptyPage, { type: 'actionFailed', text: 'early' });
    assert.equal(failureIn(early), 'early');
    assert.equal(failureIn(show(early, 'one')), 'early');
  });
});
