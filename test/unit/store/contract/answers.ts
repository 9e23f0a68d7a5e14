import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerState, AnswerWriter } from '../../../../src/engine/answers/answerTypes.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import type { StoreChange } from '../../../../src/engine/graph.ts';
import type { AnswerWrite, ContextStore } from '../../../../src/engine/store.ts';
import { textMessage, textOf, type UIMessage } from '../../../../src/engine/uiMessage.ts';
import { until } from '../../../fixtures/until.ts';
import type { OpenStore } from './actions.ts';

type Seen = readonly [status: string, text: string];

/** What every store does with answers under ids of their own. @param open makes an empty one */
export function specifyAnswers(place: string, open: OpenStore): void {
  describe(`answers under ids of their own in a store ${place}`, () => {
    let store: ContextStore;
    let context: ContextEngine;
    let elsewhere: ContextEngine;
    beforeEach(async () => {
      store = await open();
      context = engine();
      elsewhere = engine();
      await context.set(user('Question', { id: 'q' })).save();
    });
    afterEach(async () => {
      await Promise.all([context.close(), elsewhere.close()]);
      await store.close();
    });

    const engine = (): ContextEngine => new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    const seen = ({ status, message }: AnswerState): Seen => [status, textOf(message)];
    const listed = async (): Promise<readonly (readonly string[])[]> =>
      (await elsewhere.answers.list()).map((answer) => [answer.id, ...seen(answer)]);
    const stored = async (id: string): Promise<string | undefined> =>
      (await listed()).find(([each]) => each === id)?.[2];
    const watched = async (id: string, by = elsewhere): Promise<Seen[]> => {
      const states: Seen[] = [];
      for await (const state of by.answers.watch(id)) states.push(seen(state));
      return states;
    };
    const begun = async (id: string, text: string): Promise<AnswerWriter> => {
      const answer = await context.answers.open({ id });
      answer.append(text);
      await answer.flush();
      return answer;
    };
    const textsOf = async (by: ContextEngine): Promise<string[]> =>
      (await by.resolve()).messages.map((message) => message.content);

    it('are stored while they arrive, and become the next message of their branch', async () => {
      const answer = await context.answers.open({ id: 'a' });
      assert.deepEqual([answer.id, answer.branch, answer.message.parts], ['a', 'main', []]);
      assert.deepEqual(await listed(), [['a', 'running', '']]);
      answer.append('Some');
      // At once, and then in a while.
      await until(async () => (await stored('a')) === 'Some', 'the beginning');
      answer.append(' words');
      await until(async () => (await stored('a')) === 'Some words', 'the rest');
      assert.deepEqual(await textsOf(elsewhere), ['Question'], 'it is no message yet');
      assert.deepEqual(await answer.finish(), { messageId: 'a', branch: 'main' });
      assert.deepEqual(await listed(), []);
      assert.deepEqual(await textsOf(elsewhere), ['Question', 'Some words']);
      const message = await store.getMessage('chat', 'a');
      assert.deepEqual([message?.name, message?.parentId], ['assistant', 'q']);
      assert.equal(message?.invocationId, 'q', 'it belongs to the turn of its question');
      await context.set(user('More')).save();
      assert.equal(context.branch, 'main', 'its engine goes on after it');
      assert.equal(answer.signal.aborted, false);
      await assert.rejects(answer.finish(), { code: 'closed' });
    });

    it('are never neither there as a draft nor as a message', async () => {
      for (const id of ['a', 'b', 'c', 'd']) {
        const answer = await begun(id, 'text');
        let isFinished = false;
        const finishing = answer.finish().then(() => (isFinished = true));
        let looks = 0;
        const ended = (): boolean => isFinished;
        while (!ended()) {
          const draft = await store.getAnswer('chat', id, { content: false });
          const message = await store.getMessage('chat', id);
          assert.ok(draft ?? message, `look ${looks}`);
          looks += 1;
          await nextTurn();
        }
        await finishing;
      }
      assert.equal((await textsOf(context)).length, 5);
    });

    it('are begun once, of many at the same moment', async () => {
      const engines = Array.from({ length: 6 }, engine);
      const opening = await Promise.allSettled(engines.map((each) => each.answers.open({ id: 'a' })));
      const codes = opening.map((each) => (each.status === 'rejected' ? codeOf(each.reason) : 'open'));
      assert.deepEqual(codes.sort(), [...Array<string>(5).fill('answer-running'), 'open']);
      await Promise.all(engines.map((each) => each.close()));
      assert.deepEqual(await listed(), [['a', 'interrupted', '']]);
      const reopening = await Promise.allSettled(
        [context, elsewhere].map((each) => each.answers.reopen('a')),
      );
      const outcomes = reopening.map((each) => (each.status === 'rejected' ? codeOf(each.reason) : 'open'));
      assert.deepEqual(outcomes.sort(), ['answer-running', 'open']);
    });

    it('are refused under an id that is taken or none', async () => {
      await assert.rejects(context.answers.open({ id: 'q' }), { code: 'message-exists' });
      await assert.rejects(context.answers.open({ id: '' }), { code: 'invalid-name' });
      await assert.rejects(context.answers.reopen('q'), { code: 'message-exists' });
      await assert.rejects(context.answers.reopen('never'), { code: 'answer-not-found' });
      const answer = await context.answers.open({ id: 'a' });
      await assert.rejects(elsewhere.answers.open({ id: 'a' }), { code: 'answer-running' });
      await assert.rejects(elsewhere.answers.reopen('a'), { code: 'answer-running' });
      await assert.rejects(elsewhere.answers.discard('a'), { code: 'answer-running' });
      await answer.dispose();
      await assert.rejects(elsewhere.answers.open({ id: 'a' }), { code: 'answer-unfinished' });
      assert.equal(await elsewhere.answers.discard('a'), true);
      assert.equal(await elsewhere.answers.discard('a'), false);
      const again = await elsewhere.answers.open({ id: 'a' });
      await elsewhere.set(assistant('By another way', { id: 'a' })).save();
      again.append('Text');
      await assert.rejects(again.finish(), { code: 'message-exists' });
      assert.deepEqual(await listed(), [['a', 'running', 'Text']], 'what had arrived is kept');
    });

    it('stand on a branch of their own when others went on without them', async () => {
      const answer = await begun('a', 'Late');
      await elsewhere.set(user('Another question')).save();
      const { branch } = await answer.finish();
      assert.equal(branch, 'main-v2');
      assert.equal((await store.getMessage('chat', 'a'))?.parentId, 'q');
      assert.equal((await store.getActiveBranch('chat'))?.name, 'main');
      assert.deepEqual(await textsOf(engine()), ['Question', 'Another question']);
    });

    it('follow what their engine has read, on the branch it is on', async () => {
      await elsewhere.set(user('Unseen')).save();
      const answer = await context.answers.open({ id: 'a' });
      await store.renameBranch('chat', 'main', 'trunk');
      answer.append('To the question');
      await answer.flush();
      const [{ branch } = { branch: '' }] = await elsewhere.answers.list();
      assert.equal(branch, 'trunk');
      await answer.finish();
      assert.equal((await store.getMessage('chat', 'a'))?.parentId, 'q');
    });

    it('go on in a branch while their engine is on another', async () => {
      const answer = await begun('a', 'Answer');
      await context.rewind('q');
      assert.deepEqual(await answer.finish(), { messageId: 'a', branch: 'main' });
      assert.deepEqual([context.branch, await textsOf(context)], ['main-v2', ['Question']]);
    });

    it('are canceled from anywhere, which keeps what had arrived', async () => {
      const answer = await begun('a', 'Some');
      answer.append(' more');
      assert.equal(await elsewhere.answers.cancel('a'), true);
      await until(() => answer.signal.aborted, 'the signal');
      assert.equal(codeOf(answer.signal.reason), 'answer-cancelled');
      assert.deepEqual((await watched('a')).at(-1), ['cancelled', 'Some more']);
      await assert.rejects(answer.finish(), { code: 'answer-cancelled' });
      await answer.fail(new Error('aborted'));
      answer.append(' too late');
      assert.deepEqual(await listed(), [['a', 'cancelled', 'Some more']]);
      assert.equal(await elsewhere.answers.cancel('a'), true, 'as it is');
      assert.equal(await elsewhere.answers.cancel('never'), false);
      assert.equal(await elsewhere.answers.cancel('q'), false);
    });

    it('are canceled whatever their writer stores in the same moment', async () => {
      for (let turn = 0; turn < 12; turn++) {
        const id = `a${turn}`;
        const answer = await context.answers.open({ id });
        const isAborted = (): boolean => answer.signal.aborted;
        const writing = (async () => {
          for (let count = 0; !isAborted(); count++) {
            answer.append('x');
            await answer.flush().catch((error: unknown) => assert.equal(codeOf(error), 'answer-cancelled'));
            await nextTurn();
          }
        })();
        for (let count = 0; count < turn; count++) await nextTurn();
        assert.equal(await elsewhere.answers.cancel(id), true);
        // From now on it cannot be completed.
        await assert.rejects(answer.finish(), { code: 'answer-cancelled' });
        await writing;
        assert.equal((await watched(id)).at(-1)?.[0], 'cancelled');
        assert.equal(await stored(id), textOf(answer.message));
        assert.equal(await store.getMessage('chat', id), undefined);
      }
    });

    it('are either completed or canceled when both happen at once', async () => {
      for (let turn = 0; turn < 8; turn++) {
        const id = `a${turn}`;
        const answer = await begun(id, 'text');
        const [finished, isCancelled] = await Promise.all([
          answer.finish().then(
            () => true,
            (error: unknown) => {
              assert.equal(codeOf(error), 'answer-cancelled');
              return false;
            },
          ),
          elsewhere.answers.cancel(id),
        ]);
        assert.equal(finished, !isCancelled);
        const last = (await watched(id)).at(-1);
        assert.deepEqual(last, [finished ? 'completed' : 'cancelled', 'text']);
      }
    });

    it('fail with a text, and keep what had arrived', async () => {
      const answer = await begun('a', 'Some');
      answer.append(' more');
      await answer.fail(new Error('No model\0 here'));
      await answer.fail(new Error('Something else'));
      const [failed] = await elsewhere.answers.list({ status: 'failed' });
      assert.ok(failed);
      assert.deepEqual([...seen(failed), failed.error], ['failed', 'Some more', 'No model\0 here']);
      assert.deepEqual(await elsewhere.answers.list({ status: 'running' }), []);
      assert.equal(await elsewhere.answers.cancel('a'), false, 'it has ended');
      await assert.rejects(answer.finish(), { code: 'closed' });
    });

    it('are reopened with their content, whichever way they ended', async () => {
      const ends: Readonly<Record<string, (answer: AnswerWriter) => Promise<unknown>>> = {
        failed: (answer) => answer.fail(new Error('No model')),
        cancelled: (answer) => elsewhere.answers.cancel(answer.id),
        interrupted: (answer) => answer.dispose(),
      };
      for (const [status, end] of Object.entries(ends)) {
        const answer = await begun(status, 'Some');
        await end(answer);
        assert.deepEqual((await watched(status)).at(-1), [status, 'Some']);
        const again = await elsewhere.answers.reopen(status);
        assert.equal(textOf(again.message), 'Some');
        assert.deepEqual(await listed(), [[status, 'running', 'Some']]);
        again.append(' more');
        await again.finish();
        assert.deepEqual(await watched(status, context), [['completed', 'Some more']]);
      }
    });

    it('are written by the last one who claimed them alone', async () => {
      const which = (claim: string): AnswerWrite => ({ chatId: 'chat', answerId: 'a', claim });
      const message = (text: string): UIMessage => textMessage('a', 'assistant', text);
      const beginning = { ...which('one'), branch: 'main', afterId: 'q', message: message('1') };
      await store.claimAnswer(beginning);
      // As if the reply had been lost.
      await store.claimAnswer(beginning);
      await assert.rejects(store.claimAnswer({ ...beginning, claim: 'two' }), { code: 'answer-running' });
      assert.equal(await store.saveAnswer({ ...which('one'), message: message('2') }), true);
      await store.reclaimAnswer({ ...which('two'), replaces: 'one' });
      await store.reclaimAnswer({ ...which('two'), replaces: 'one' });
      const taken = { code: 'answer-taken' };
      await assert.rejects(store.saveAnswer({ ...which('one'), message: message('3') }), taken);
      await assert.rejects(store.finishAnswer({ ...which('one'), message: message('3') }), taken);
      await assert.rejects(store.reclaimAnswer({ ...which('three'), replaces: 'one' }), {
        code: 'answer-running',
      });
      assert.equal(await store.discardAnswer('chat', 'a', 'one'), false);
      assert.equal(await stored('a'), '2');
      const { name, headMessageId } = await store.finishAnswer({ ...which('two'), message: message('4') });
      assert.deepEqual([name, headMessageId], ['main', 'a']);
      const missing = { code: 'answer-not-found' };
      await assert.rejects(store.saveAnswer({ ...which('two'), message: message('5') }), missing);
      await assert.rejects(store.reclaimAnswer({ ...which('two'), replaces: 'two' }), {
        code: 'message-exists',
      });
    });

    it('end for a writer that another one has taken the place of', async () => {
      const answer = await begun('a', 'Some');
      const known = await store.getAnswer('chat', 'a');
      const replaces = known?.claim ?? '';
      await store.reclaimAnswer({ chatId: 'chat', answerId: 'a', claim: 'another', replaces });
      await until(() => answer.signal.aborted, 'the signal');
      assert.equal(codeOf(answer.signal.reason), 'answer-taken');
      await assert.rejects(answer.finish(), { code: 'answer-taken' });
      await answer.dispose();
      assert.equal((await store.getAnswer('chat', 'a'))?.claim, 'another');
    });

    it('are watched from before they begin until after they have ended', async () => {
      const early = watched('a');
      const answer = await begun('a', 'one');
      const states = elsewhere.answers.watch('a');
      assert.deepEqual(await nextOf(states), ['running', 'one']);
      const waiting = nextOf(states);
      answer.append(' two');
      await answer.flush();
      assert.deepEqual(await waiting, ['running', 'one two']);
      const last = nextOf(states);
      await answer.finish();
      assert.deepEqual(await last, ['completed', 'one two']);
      assert.equal(await nextOf(states), undefined);
      const all = await early;
      assert.deepEqual(all.at(-1), ['completed', 'one two']);
      assert.ok(all.slice(0, -1).every(([status]) => status === 'running'));
      assert.deepEqual(await watched('a'), [['completed', 'one two']], 'in the conversation');
    });

    it('are told of by the store, with their ids', async () => {
      const heard: StoreChange[] = [];
      store.onDidChange((change) => void heard.push(change));
      const answer = await begun('a', 'text');
      await answer.finish();
      const drafts = heard.filter(({ kind }) => kind === 'draft');
      const saved = { kind: 'draft', chatId: 'chat', branch: 'main', change: 'saved', answerId: 'a' };
      assert.deepEqual(drafts[0], saved);
      const isRemoval = (change: StoreChange): boolean =>
        change.kind === 'draft' && change.change === 'removed' && change.answerId === 'a';
      assert.ok(drafts.some(isRemoval));
      assert.ok(heard.some((change) => change.kind === 'messages' && change.messageIds.includes('a')));
    });

    it('are left by who watches them at any moment, also while they wait', async () => {
      await begun('a', 'text');
      const controller = new AbortController();
      const bySignal = elsewhere.answers.watch('a', { signal: controller.signal });
      const byReturn = elsewhere.answers.watch('a');
      for (const each of [bySignal, byReturn]) await each.next();
      const waiting = [nextOf(bySignal), nextOf(byReturn)];
      controller.abort();
      await byReturn.return?.();
      assert.deepEqual(await Promise.all(waiting), [undefined, undefined]);
      for (const each of [bySignal, byReturn]) assert.equal(await nextOf(each), undefined);
      assert.equal(await nextOf(elsewhere.answers.watch('a', { signal: controller.signal })), undefined);
      for await (const state of elsewhere.answers.watch('a')) {
        assert.equal(state.status, 'running');
        break;
      }
    });

    it('take streams of texts and of growing messages', async () => {
      const answer = await context.answers.open({ id: 'a' });
      await answer.consume(streamOf(['Some', ' words']));
      assert.equal(textOf(answer.message), 'Some words');
      const growing = ['one', 'one two'].map((text): UIMessage => ({
        id: 'of the model',
        role: 'assistant',
        metadata: { tokens: text.length },
        parts: [
          { type: 'reasoning', text: 'Hm' },
          { type: 'text', text },
        ],
      }));
      await answer.consume(streamOf(growing));
      await answer.finish();
      const message = (await store.getMessage('chat', 'a'))?.data;
      assert.deepEqual(message, { ...growing.at(-1), id: 'a' });
      const other = await context.answers.open();
      await assert.rejects(other.consume(failingStream()), { message: 'The stream broke off' });
      assert.equal(textOf(other.message), 'Some');
      await other.finish([{ type: 'text', text: 'All of it' }]);
      assert.equal((await textsOf(context)).at(-1), 'All of it');
    });

    it('leave a stream when they are canceled, also one that says nothing', async () => {
      const answer = await context.answers.open({ id: 'a' });
      let isLeft = false;
      const silent: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise(() => undefined),
          return: () => {
            isLeft = true;
            return Promise.resolve({ done: true, value: undefined });
          },
        }),
      };
      const consuming = answer.consume(silent);
      await Promise.all([
        assert.rejects(consuming, { code: 'answer-cancelled' }),
        elsewhere.answers.cancel('a'),
      ]);
      assert.equal(isLeft, true);
    });

    it('are interrupted when their engine is closed, and every wait ends', async () => {
      const answer = await begun('a', 'Some');
      answer.append(' more');
      const waiting = context.answers.watch('never');
      const next = assert.rejects(waiting.next(), { code: 'closed' });
      await context.close();
      await next;
      assert.equal(codeOf(answer.signal.reason), 'closed');
      await assert.rejects(answer.finish(), { code: 'closed' });
      await assert.rejects(context.answers.open(), { code: 'closed' });
      await assert.rejects(context.answers.watch('a').next(), { code: 'closed' });
      await assert.rejects(context.answers.list(), { code: 'closed' });
      assert.deepEqual(await listed(), [['a', 'interrupted', 'Some more']]);
      await context.close();
    });

    it('settle all that waits when the store is closed', async () => {
      const answer = await begun('a', 'Some');
      const waiting = elsewhere.answers.watch('never').next();
      const flushing = answer.flush().then(() => 'flushed', codeOf);
      const settled = assert.rejects(waiting, { code: 'closed' });
      await store.close();
      await settled;
      assert.ok(['flushed', 'closed'].includes(String(await flushing)));
      assert.equal(codeOf(answer.signal.reason), 'closed');
      await assert.rejects(answer.finish(), { code: 'closed' });
      await assert.rejects(elsewhere.answers.cancel('a'), { code: 'closed' });
      await answer.dispose();
    });

    it('end with their branch or chat, for who writes and for who watches', async () => {
      await context.rewind('q');
      const onBranch = await begun('a', 'text');
      await context.switchBranch('main');
      const states = elsewhere.answers.watch('a');
      await states.next();
      const gone = assert.rejects(states.next(), { code: 'answer-not-found' });
      const { id } = await store.deleteBranch('chat', 'main-v2');
      await gone;
      await until(() => onBranch.signal.aborted, 'the signal');
      assert.equal(codeOf(onBranch.signal.reason), 'answer-not-found');
      assert.deepEqual(await listed(), []);
      await store.trash.restore(id);
      const [restored] = await listed();
      assert.equal(restored?.[2], 'text', 'it comes back with the branch');

      const answer = await begun('b', 'text');
      await store.deleteChat('chat');
      await until(() => answer.signal.aborted, 'the signal');
      assert.equal(codeOf(answer.signal.reason), 'chat-not-found');
    });

    it('are apart from the drafts of branches', async () => {
      await store.saveDraft({
        chatId: 'chat',
        branch: 'main',
        message: textMessage('d', 'assistant', 'draft'),
      });
      await begun('a', 'one');
      await begun('b', 'two');
      assert.deepEqual(await listed(), [
        ['a', 'running', 'one'],
        ['b', 'running', 'two'],
      ]);
      assert.deepEqual(
        (await store.listDrafts('chat')).map(({ message }) => message.id),
        ['d'],
      );
      await store.deleteDraft('chat', 'main');
      assert.deepEqual(await store.listDrafts(), []);
      assert.equal((await listed()).length, 2);
    });

    it('keep a branch that was made by a click', async () => {
      await context.rewind('q', { provisional: true });
      const answer = await context.answers.open({ id: 'a' });
      await context.switchBranch('main');
      assert.deepEqual(await answer.finish(), { messageId: 'a', branch: 'main-v2' });
    });

    it('refuse content that cannot be stored, and take other content then', async () => {
      const answer = await context.answers.open({ id: 'a' });
      assert.throws(() => answer.write({} as UIMessage), { code: 'invalid-argument' });
      answer.write([{ type: 'data-x', data: 1n }]);
      await assert.rejects(answer.flush(), { code: 'not-storable' });
      await assert.rejects(answer.finish(), { code: 'not-storable' });
      await answer.finish([{ type: 'text', text: 'text' }]);
      assert.deepEqual(await textsOf(context), ['Question', 'text']);
      const other = await begun('b', 'text');
      other.write([{ type: 'data-x', data: 1n }]);
      await other.dispose();
      assert.deepEqual(await listed(), [['b', 'interrupted', 'text']], 'it ends with what was stored');
    });
  });
}

async function nextOf(states: AsyncIterator<AnswerState>): Promise<Seen | undefined> {
  const step = await states.next();
  return step.done === true ? undefined : [step.value.status, textOf(step.value.message)];
}

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) {
    await nextTurn();
    yield item;
  }
}

async function* failingStream(): AsyncGenerator<string> {
  yield 'Some';
  await nextTurn();
  throw new Error('The stream broke off');
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error;
}
