import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import {
  afterTurn,
  and,
  assistant,
  everyNTurns,
  firstN,
  not,
  once,
  or,
  reminder,
  role,
  user,
  type ReminderContext,
} from '../../../src/engine/fragments/index.ts';
import { modelTextOf, textOf } from '../../../src/engine/uiMessage.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const newEngine = (): ContextEngine =>
  new ContextEngine({ store: memoryStore(), chatId: 'chat-1', userId: 'me' });

describe('a reminder set on an engine', () => {
  it('goes with the user message before it, and is stored with it', async () => {
    const context = newEngine().set(role('Helpful.'), user('Go on.'), reminder('Be brief.'));
    const pending = await context.resolve();
    await context.save();
    const saved = await context.resolve();
    assert.deepEqual(saved.messages, pending.messages);
    const [message] = saved.messages;
    assert.ok(message);
    assert.equal(textOf(message), 'Go on.');
    assert.equal(modelTextOf(message), 'Go on.\n\n<system-reminder>Be brief.</system-reminder>');
    assert.equal(saved.systemPrompt, '<role>Helpful.</role>');
  });

  it('is not shown where messages are shown as text', async () => {
    const context = newEngine().set(user('Go on.'), reminder('Be brief.'));
    await context.save();
    assert.doesNotMatch(await context.visualizeGraph(), /brief/);
  });

  it('is part of the system prompt where there is no such message', async () => {
    const context = newEngine().set(reminder('First.'), user('Hi'), assistant('Ho'), reminder('Last.'));
    const { systemPrompt } = await context.resolve();
    assert.equal(systemPrompt, '<reminder>First.</reminder>\n<reminder>Last.</reminder>');
  });

  it('is asked until it is saved, and then no more', async () => {
    let wanted = false;
    const context = newEngine().set(user('Hi'), reminder('Be brief.', { when: () => wanted }));
    const parts = async (): Promise<number | undefined> =>
      (await context.resolve()).messages[0]?.parts.length;
    assert.equal(await parts(), 1);
    wanted = true;
    assert.equal(await parts(), 2);
    await context.save();
    wanted = false;
    assert.equal(await parts(), 2);
  });
});

describe('a reminder that asks for the turn', () => {
  const turns = async (context: ContextEngine, count: number): Promise<void> => {
    for (let turn = 1; turn <= count; turn++) await context.set(user(`q${turn}`), assistant('a')).save();
  };
  const reminded = async (context: ContextEngine): Promise<boolean[]> =>
    (await context.resolve()).messages
      .filter(({ role: who }) => who === 'user')
      .map((message) => modelTextOf(message) !== textOf(message));

  it('is given with each message its condition holds for, and no more once those are saved', async () => {
    const context = newEngine().set(reminder('third', { when: everyNTurns(3) }));
    await turns(context, 6);
    const expected = [false, false, true, false, false, true];
    assert.deepEqual(await reminded(context), expected);
    assert.equal((await context.resolve()).systemPrompt, '');
  });

  it('may be set after the message, and counts along the path', async () => {
    const context = newEngine();
    await turns(context, 2);
    context.set(user('q3', { id: 'q3' }), reminder('late', { when: and(afterTurn(2), not(everyNTurns(4))) }));
    const pending = await reminded(context);
    await context.save();
    assert.deepEqual(await reminded(context), pending);
    assert.deepEqual(pending, [false, false, true]);
    await context.rewindBefore('q3');
    await context.set(user('other')).save();
    assert.deepEqual(await reminded(context), pending);
  });

  it('holds as its condition says', async () => {
    for (const [when, expected] of [
      [once(), [true, false, false]],
      [firstN(2), [true, true, false]],
      [or(once(), afterTurn(2)), [true, false, true]],
      [({ content }: ReminderContext) => content === 'q2', [false, true, false]],
    ] as const) {
      const context = newEngine().set(reminder('note', { when }));
      await turns(context, 3);
      assert.deepEqual(await reminded(context), expected);
    }
  });

  it('goes with one message where it is part of that, and can say the turn', async () => {
    const context = newEngine();
    await turns(context, 1);
    context.set(
      user(
        'q2',
        reminder(({ turn }) => `turn ${turn}`),
      ),
      user('q3'),
    );
    const { messages } = await context.resolve();
    assert.match(modelTextOf(messages[2] ?? { parts: [] }), /turn 2/);
    assert.deepEqual(await reminded(context), [false, true, false]);
  });

  it('refuses what is no number of turns', () => {
    for (const n of [0, -1, 1.5, NaN]) assert.throws(() => everyNTurns(n), { code: 'invalid-argument' });
  });
});
