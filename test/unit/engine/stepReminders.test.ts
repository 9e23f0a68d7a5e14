import assert from 'node:assert/strict';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  streamText,
  tool,
  toUIMessageStream,
  type LanguageModel,
  type ModelMessage,
  type PrepareStepFunction,
} from 'ai';
import { z } from 'zod';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { EngineBusyError } from '../../../src/engine/errors.ts';
import {
  and,
  anyToolCalled,
  assistant,
  elapsedExceeds,
  everyNToolCalls,
  once,
  reminder,
  toolCalled,
  toolOutput,
  usageExceeds,
  user,
  type ReminderCondition,
  type ReminderContext,
  type ReminderTarget,
} from '../../../src/engine/fragments/index.ts';
import {
  isReminderMessage,
  isToolPart,
  modelTextOf,
  stripReminders,
  textOf,
  type UIMessage,
  type UIMessagePart,
} from '../../../src/engine/uiMessage.ts';
import { streamedModel, type StreamedPiece } from '../../../src/models/providers/streamedModel.ts';
import { memoryStore, stores } from '../../fixtures/stores.ts';
import { useEngines } from '../../fixtures/useEngines.ts';

type Prompt = Parameters<Parameters<typeof streamedModel>[0]['answer']>[0];

const runs = (command: string, callId = command): StreamedPiece => ({
  type: 'tool-call',
  callId,
  name: 'bash',
  input: { command },
});
const says = (text: string): StreamedPiece => ({ type: 'text', text });

/** A model that answers as scripted, step by step, and what it was sent before each. */
function scripted(...steps: readonly (readonly StreamedPiece[])[]): { model: LanguageModel; sent: Prompt[] } {
  const sent: Prompt[] = [];
  const model = streamedModel({
    provider: 'local',
    modelId: 'scripted',
    takesTools: true,
    answer: async function* (prompt) {
      for (const piece of steps[sent.push(prompt) - 1] ?? [says('Nothing more.')]) {
        yield await Promise.resolve(piece);
      }
    },
  });
  return { model, sent };
}

const tools = {
  bash: tool({
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => {
      if (command.startsWith('fail')) throw new Error(`${command}: exit code 1`);
      return `ran ${command}`;
    },
  }),
};

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** What is sent to a model, without what no provider reads. */
function plain(prompt: Prompt): unknown {
  return JSON.parse(
    JSON.stringify(prompt, (name, value: unknown) => (name.startsWith('provider') ? undefined : value)),
  );
}

const rolesIn = (prompt: Prompt): string[] => prompt.map(({ role }) => role);
const marked = (messages: readonly UIMessage[]): string[] =>
  messages.map((message) => (isReminderMessage(message) ? 'reminder' : message.role));
const toModel = (messages: readonly UIMessage[]): Promise<ModelMessage[]> =>
  convertToModelMessages([...messages]);

const newEngine = (): ContextEngine =>
  new ContextEngine({ store: memoryStore(), chatId: 'chat', userId: 'ann' });
const onceFailed = and(toolOutput({ state: 'output-error' }), once('read errors'));

describe('reminders between the steps of generateText', () => {
  it('come after the result of a tool, once, and are stored where the model saw them', async () => {
    const context = newEngine();
    context.set(reminder('Read the error.', { target: 'tool-output', when: onceFailed }), user('Build.'));
    await context.save();
    const { model, sent } = scripted([runs('fail 1')], [runs('fail 2')], [says('It is broken.')]);
    const { messages } = await context.resolve();
    const { text } = await generateText({
      model,
      tools,
      messages: await toModel(messages),
      stopWhen: isStepCount(5),
      prepareStep: context.prepareStep(),
    });
    assert.deepEqual(sent.map(rolesIn), [
      ['user'],
      ['user', 'assistant', 'tool', 'user'],
      ['user', 'assistant', 'tool', 'user', 'assistant', 'tool'],
    ]);
    const { headMessageId } = await context.set(assistant(text, { id: 'a1' })).save();
    assert.equal(headMessageId, 'a1');

    const saved = (await context.resolve()).messages;
    assert.deepEqual(marked(saved), ['user', 'assistant', 'reminder', 'assistant']);
    assert.deepEqual(saved.map(textOf), ['Build.', '', '', 'It is broken.']);
    assert.equal(saved[2]?.content, '<system-reminder>Read the error.</system-reminder>');
    assert.equal(await context.getTurnCount(), 1);

    const next = scripted([says('Yes.')]);
    await generateText({ model: next.model, messages: await toModel(saved) });
    const [again = []] = next.sent;
    assert.deepEqual(plain(again.slice(0, 4)), plain(sent[1] ?? []));
  });

  it('share one message, tools first, and fit the type of the option', async () => {
    const context = newEngine().set(user('Go.'));
    context.set(
      reminder('steer', { target: 'steer', when: anyToolCalled() }),
      reminder(({ toolOutcome }) => `after ${String(toolOutcome?.name)}`, {
        target: 'tool-output',
        when: toolOutput(),
      }),
      reminder('never', { target: 'steer', when: () => false }),
    );
    const prepareStep: PrepareStepFunction<typeof tools> = context.prepareStep();
    const { model, sent } = scripted([runs('a'), runs('b')], [says('Done.')]);
    const { messages } = await context.resolve();
    await generateText({ model, tools, messages, stopWhen: isStepCount(3), prepareStep });
    const last = sent[1]?.at(-1);
    assert.deepEqual(plain(last ? [last] : []), [
      {
        role: 'user',
        content: [
          {
            type: 'text',
            text: '<system-reminder>after bash</system-reminder>\n\n<system-reminder>steer</system-reminder>',
          },
        ],
      },
    ]);
  });

  it('divide an answer that is given whole, and keep its own parts', async () => {
    const context = newEngine().set(user('Go.', { id: 'q1' }));
    context.set(reminder('Twice.', { target: 'steer', when: everyNToolCalls(2) }));
    const { model } = scripted(
      [says('First.'), runs('a'), runs('b')],
      [runs('c')],
      [says('Then.'), runs('d')],
      [says('Done.')],
    );
    const { messages } = await context.resolve();
    const result = streamText({
      model,
      tools,
      messages: await toModel(messages),
      stopWhen: isStepCount(9),
      prepareStep: context.prepareStep(),
    });
    const answers: UIMessage[] = [];
    const stream = toUIMessageStream({
      stream: result.stream,
      originalMessages: messages,
      generateMessageId: () => 'a1',
      onEnd: ({ responseMessage }) => {
        answers.push(responseMessage);
      },
    });
    for await (const _ of stream) continue;
    const [answer] = answers;
    assert.ok(answer);
    answer.parts.splice(1, 0, { type: 'data-note', data: 'the program’s own' });
    const { messageIds } = await context.set(assistant(answer)).save();
    assert.deepEqual([messageIds[0], messageIds.at(-1)], ['q1', 'a1']);

    const saved = (await context.resolve()).messages;
    assert.deepEqual(marked(saved), ['user', 'assistant', 'reminder', 'assistant', 'reminder', 'assistant']);
    const parts = saved.filter(({ role }) => role === 'assistant').map((message) => message.parts);
    assert.deepEqual(parts.flat(), asJson(answer.parts));
    assert.deepEqual(
      parts.map((own) => own.filter(isToolPart).map(({ toolCallId }) => toolCallId)),
      [['a', 'b'], ['c', 'd'], []],
    );
  });

  it('see each step, the usage, the branch and the time of the question', async () => {
    const context = newEngine();
    await context.trackUsage({ inputTokens: 700, outputTokens: 300, totalTokens: 1_000 });
    const seen: ReminderContext[] = [];
    const when: ReminderCondition = (given) => seen.push(given) > 0;
    await context.set(user('First?'), assistant('Yes.'), user('Second?')).save();
    context.set(
      reminder('steer', { target: 'steer', when: and(usageExceeds(1_000), elapsedExceeds(0), when) }),
    );
    const { model } = scripted([runs('a')], [runs('b')], [says('Done.')]);
    await generateText({
      model,
      tools,
      messages: await toModel((await context.resolve()).messages),
      stopWhen: isStepCount(5),
      prepareStep: context.prepareStep(),
    });
    const calls = (message: UIMessage | undefined): string[] =>
      message?.parts.filter(isToolPart).map(({ toolCallId }) => toolCallId) ?? [];
    assert.deepEqual(
      seen.map((given) => [given.turn, given.content, given.branch, given.messageCount]),
      [
        [2, 'Second?', 'main', 4],
        [2, 'Second?', 'main', 6],
      ],
    );
    assert.deepEqual(
      seen.map(({ lastAssistantMessage }) => calls(lastAssistantMessage)),
      [['a'], ['b']],
    );
    assert.deepEqual(
      seen.map(({ lastAssistantReplies }) => lastAssistantReplies.map(calls)),
      [
        [[], ['a']],
        [[], ['a', 'b']],
      ],
    );
    assert.deepEqual(
      seen.map(({ toolOutcomes }) => toolOutcomes?.map(({ state }) => state)),
      [['output-available'], ['output-available']],
    );
    assert.deepEqual(seen[0]?.usage, { inputTokens: 700, outputTokens: 300, totalTokens: 1_000 });
  });

  it('can be asked for later, and what they throw ends the call and saves nothing', async () => {
    const context = newEngine();
    await context.set(user('Go.')).save();
    const boom = new Error('boom');
    let isBroken = true;
    context.set(
      reminder(async () => Promise.resolve('later'), {
        target: 'steer',
        when: async () => (isBroken ? Promise.reject(boom) : Promise.resolve(true)),
      }),
    );
    const call = async (): Promise<unknown> => {
      const { model } = scripted([runs('a')], [says('Done.')]);
      const messages = await toModel((await context.resolve()).messages);
      const prepareStep = context.prepareStep();
      return generateText({ model, tools, messages, stopWhen: isStepCount(3), prepareStep });
    };
    await assert.rejects(call(), { code: 'reminder-failed', target: 'steer', cause: boom });
    assert.deepEqual(context.pending.list(), []);
    isBroken = false;
    await call();
    assert.deepEqual(marked(context.pending.list()), ['assistant', 'reminder']);
  });

  it('leave nothing of a loop whose answer was never saved', async () => {
    const store = memoryStore();
    const engine = (): ContextEngine =>
      new ContextEngine({ store, chatId: 'chat', userId: 'ann' }).set(
        reminder('Once.', { target: 'steer', when: once('id') }),
      );
    const first = engine();
    await first.set(user('Go.', { id: 'q1' })).save();
    const part = finished('c1');
    assert.ok(await first.afterStep([part]));
    assert.equal(await first.afterStep([finished('c2')]), undefined, 'it is pending');
    await first.close();
    const second = engine();
    assert.deepEqual(marked((await second.resolve()).messages), ['user']);
    assert.ok(await second.afterStep([part]));
    await second.save();
    assert.equal(await second.afterStep([finished('c3')]), undefined, 'it is saved');
    await second.rewindBefore('q1');
    await second.set(user('Again.')).save();
    assert.ok(await second.afterStep([part]), 'it is on another branch');
  });
});

function finished(toolCallId: string, name = 'bash'): UIMessagePart {
  return { type: `tool-${name}`, toolCallId, state: 'output-available', input: {}, output: '' };
}

for (const [place, open] of Object.entries(stores)) {
  describe(`once(id), ${place}`, () => {
    const { store, engine } = useEngines(open);
    const introduction = reminder('Say who you are.', { when: once('introduction') });
    const reminded = async (context: ContextEngine): Promise<boolean[]> =>
      (await context.resolve()).messages
        .filter(({ role }) => role === 'user')
        .map((message) => modelTextOf(message) !== textOf(message));

    it('is used up by a saved message of the user, for engines to come as well', async () => {
      const first = engine().set(introduction, user('q1', { id: 'q1' }));
      assert.deepEqual(await reminded(first), [true]);
      assert.deepEqual(await reminded(first), [true], 'resolving uses nothing up');
      await first.set(assistant('a1'), user('q2')).save();
      assert.deepEqual(await reminded(first), [true, false]);
      const second = engine().set(introduction, user('q3'));
      await second.save();
      assert.deepEqual(await reminded(second), [true, false, false]);
      await second.rewindBefore('q1');
      await second.set(user('other')).save();
      assert.deepEqual(await reminded(second), [true]);
    });

    it('is used up between steps by what is saved, and stored under a name that is no question', async () => {
      const steer = reminder('Sum up.', { target: 'steer', when: once('sum') });
      const first = engine().set(steer, user('q1'));
      const message = await first.afterStep([finished('c1')]);
      await first.set(assistant('a1')).save();
      const path = await store().getPath('chat', first.headMessageId ?? '');
      assert.deepEqual(
        path.map(({ name }) => name),
        ['user', 'assistant', 'reminder', 'assistant'],
      );
      assert.equal(new Set(path.map(({ invocationId }) => invocationId)).size, 1);
      const second = engine().set(steer, user('q2'));
      assert.equal(await second.getTurnCount(), 2);
      assert.equal(await second.afterStep([finished('c2')]), undefined);
      const [, , stored] = (await second.resolve()).messages;
      assert.deepEqual(stored, message);
      assert.deepEqual(stored && stripReminders(stored).parts, []);
    });
  });
}

describe('a loop of one’s own', () => {
  it('asks for tools and for steps with content alone', async () => {
    const asked: ReminderTarget[] = [];
    const counts = (target: ReminderTarget): ReturnType<typeof reminder> =>
      reminder('x', { target, when: () => asked.push(target) < 0 });
    const context = newEngine().set(user('Go.'), counts('tool-output'), counts('steer'));
    assert.equal(await context.afterStep([]), undefined);
    assert.deepEqual(asked, []);
    await context.afterStep([{ type: 'text', text: 'Thinking.' }]);
    assert.deepEqual(asked, ['steer']);
    const waiting: UIMessagePart = {
      type: 'tool-bash',
      toolCallId: 'c2',
      state: 'input-available',
      input: {},
    };
    await context.afterStep([finished('c1'), waiting]);
    assert.deepEqual(asked, ['steer', 'tool-output', 'steer']);
  });

  it('may give its answer whole or from the last reminder on, also one of words alone', async () => {
    for (const rest of [[], [{ type: 'text', text: 'One.' } as const]]) {
      const context = newEngine().set(user('Go.'));
      context.set(reminder('More.', { target: 'steer', when: ({ messageCount }) => messageCount === 2 }));
      await context.afterStep([{ type: 'text', text: 'One.' }]);
      const parts = [...rest, { type: 'text', text: 'Two.' } as const];
      await context.set(assistant({ role: 'assistant', parts })).save();
      const { messages } = await context.resolve();
      assert.deepEqual(messages.map(textOf), ['Go.', 'One.', '', 'Two.']);
    }
  });

  it('begins again with each question, and with each move', async () => {
    const context = newEngine();
    await context.set(user('q1', { id: 'q1' })).save();
    const seen: number[] = [];
    const when: ReminderCondition = ({ lastAssistantMessage }) =>
      seen.push(lastAssistantMessage?.parts.length ?? 0) < 0;
    context.set(reminder('x', { target: 'steer', when }));
    await context.afterStep([finished('c1')]);
    await context.afterStep([finished('c2')]);
    context.set(user('q2'));
    await context.afterStep([finished('c3')]);
    await context.rewind('q1');
    await context.afterStep([finished('c4')]);
    assert.deepEqual(seen, [1, 2, 1, 1]);
  });

  it('refuses what is no step, and reminders that never come', async () => {
    const context = newEngine();
    await assert.rejects(context.afterStep('done' as unknown as []), { code: 'invalid-argument' });
    const prepareStep = context.set(reminder('x', { target: 'steer', when: () => true })).prepareStep();
    await assert.rejects(prepareStep({ steps: [{ content: [{ type: 'text', text: 1 }] }], messages: [] }), {
      code: 'invalid-argument',
    });
    for (const target of ['steer', 'tool-output', 'nowhere'] as ReminderTarget[]) {
      assert.throws(() => reminder('x', { target }), { code: 'invalid-argument' });
    }
    const steer = reminder('x', { target: 'steer', when: () => true });
    assert.throws(() => user('Go.', steer), { code: 'invalid-argument' });
    for (const id of ['', '  ']) assert.throws(() => once(id), { code: 'invalid-name' });
    await context.close();
    await assert.rejects(context.afterStep([]), { code: 'closed' });
  });
});

describe('a reminder that is asked while the engine waits', () => {
  it('may answer later in a save, and a failure leaves everything pending', async () => {
    const context = newEngine();
    let isBroken = true;
    const when = async (): Promise<boolean> =>
      isBroken ? Promise.reject(new Error('no answer')) : Promise.resolve(true);
    context.set(user('Go.', reminder('later', { when })));
    assert.equal(context.pending.list()[0]?.parts.length, 1, 'what is known at once');
    await assert.rejects(context.save(), { code: 'reminder-failed', message: /"later".*no answer/ });
    isBroken = false;
    await context.save();
    const [message] = (await context.resolve()).messages;
    assert.match(message?.content ?? '', /later/);
  });

  it('is refused a call of the engine instead of waiting for ever', async () => {
    const context = newEngine();
    const when = async (): Promise<boolean> => (await context.getTurnCount()) > 0;
    context.set(user('Go.', reminder('x', { when })));
    const isBusy = ({ cause }: Error): boolean => cause instanceof EngineBusyError;
    await assert.rejects(context.save(), isBusy);
    assert.equal(context.pending.remove(context.pending.list()[0]?.id ?? ''), true);
    await context.set(user('Without.')).save();
    assert.equal(await context.getTurnCount(), 1);
  });

  it('sees the whole answer before a question, although reminders divided it', async () => {
    const context = newEngine().set(user('q1'));
    context.set(
      reminder('Between.', { target: 'steer', when: once('between') }),
      reminder('You used bash.', { when: toolCalled('bash') }),
    );
    await context.afterStep([finished('c1')]);
    await context.set(assistant('a1')).save();
    await context.set(user('q2')).save();
    const { messages } = await context.resolve();
    assert.deepEqual(
      messages.map((message) => modelTextOf(message).includes('You used bash')),
      [false, false, false, false, true],
    );
  });

  it('leaves no trace of what fired in a message that is made of another', async () => {
    const context = newEngine();
    context.set(reminder('Once.', { when: once('id') }), user('q1', { id: 'q1' }));
    await context.save();
    const [first] = (await context.resolve()).messages;
    assert.ok(first);
    const shown = stripReminders(first);
    assert.deepEqual({ ...shown }, { id: 'q1', role: 'user', parts: [{ type: 'text', text: 'q1' }] });
    await context.rewindBefore('q1');
    await context.set(user({ ...shown, id: 'q2' })).save();
    const { messages } = await context.resolve();
    assert.match(modelTextOf(messages[0] ?? { parts: [] }), /Once/);
  });
});
