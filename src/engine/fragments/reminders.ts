import { InvalidArgumentError } from '../errors.ts';
import { defineMessage } from '../messageDescriptor.ts';
import { isFragment, type Fragment, type FragmentData } from './fragment.ts';
import { refusePromise } from './refusePromise.ts';
import { settled } from './settled.ts';

/** What a reminder can read about the user message it would go with. */
export interface ReminderContext {
  /** The number of the message among the questions of its path, from 1. */
  readonly turn: number;
  /** The user's text, without reminders. */
  readonly content: string;
}

/** Returns whether a reminder is added to a message of the user. */
export type ReminderCondition = (context: ReminderContext) => boolean;

/** When a reminder is added. */
export interface ReminderOptions {
  /**
   * The reminder is left out when this returns false; called each time the conversation is resolved or saved. One
   * that takes the {@link ReminderContext} makes the reminder apply to the whole conversation.
   */
  when?: (() => boolean) | ReminderCondition;
}

/**
 * A note to the model that is not shown to the user. It goes with the pending user message before it, and is stored
 * with it; without such a message, it becomes part of the system prompt. `textOf` leaves it out, and `stripReminders`
 * removes it from a message.
 *
 * A reminder that reads the turn, in its text or in `when`, applies to the whole conversation from any position: each
 * later message of the user gets it if its condition holds, and is stored with it. Inside `user()` it applies to that
 * message only.
 * @example
 * ```ts
 * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
 * let isFrench = true;
 * context.set(user('Go on.'), reminder('Answer in French.', { when: () => isFrench }));
 * context.set(reminder(({ turn }) => `This is turn ${turn}.`, { when: everyNTurns(2) }));
 * await context.save();
 * await context.set(user('And now?')).save();
 * const { messages } = await context.resolve();
 * assert.match(modelTextOf(messages[0]), /Answer in French/);
 * assert.match(modelTextOf(messages[1]), /This is turn 2/);
 * assert.equal(textOf(messages[1]), 'And now?');
 * ```
 */
export function reminder(
  text: string | ((context: ReminderContext) => string),
  { when }: ReminderOptions = {},
): Fragment {
  if (typeof text === 'string' && !when) return { name: 'reminder', type: 'fragment', data: text };
  const asksForTurn = (when?.length ?? 0) > 0 || (typeof text === 'function' && text.length > 0);
  const data = (context?: ReminderContext): FragmentData => {
    if (asksForTurn && !context) return null;
    // A function without parameters ignores this.
    const given = context ?? { turn: 0, content: '' };
    if (when && !isDue(when, given)) return null;
    return typeof text === 'string' ? text : text(given);
  };
  return {
    name: 'reminder',
    type: 'fragment',
    data,
    ...(asksForTurn ? { metadata: { standing: true } } : {}),
  };
}

/** True for a reminder, before it has become part of a message. */
export function isReminder(value: unknown): value is Fragment {
  return isFragment(value) && value.name === 'reminder';
}

/** True for a reminder that is added to each message its condition holds for. */
export function isStandingReminder(fragment: Fragment): boolean {
  return isReminder(fragment) && fragment.metadata?.['standing'] === true;
}

/** The text of a reminder for a message; undefined when its condition does not hold. */
export function reminderText(fragment: Fragment, context: ReminderContext | undefined): string[] {
  // A function made by `reminder` takes the context; any other function takes nothing.
  const asked: FragmentData | ((context?: ReminderContext) => FragmentData) = fragment.data;
  const now = typeof asked === 'function' ? { ...fragment, data: () => asked(context) } : fragment;
  const { data } = settled(now);
  return typeof data === 'string' && data !== '' ? [data] : [];
}

/**
 * Holds for every n-th message of the user.
 * @example
 * ```ts
 * const isDue = everyNTurns(3);
 * assert.deepEqual([1, 2, 3, 6].map((turn) => isDue({ turn, content: '' })), [false, false, true, true]);
 * ```
 */
export function everyNTurns(n: number): ReminderCondition {
  const every = checkedCount(n, 1);
  return ({ turn }) => turn % every === 0;
}

/**
 * Holds for the first message of the user on a path.
 * @example
 * ```ts
 * assert.deepEqual([1, 2].map((turn) => once()({ turn, content: '' })), [true, false]);
 * ```
 */
export function once(): ReminderCondition {
  return ({ turn }) => turn === 1;
}

/**
 * Holds for the first n messages of the user.
 * @example
 * ```ts
 * assert.deepEqual([1, 2, 3].map((turn) => firstN(2)({ turn, content: '' })), [true, true, false]);
 * ```
 */
export function firstN(n: number): ReminderCondition {
  const last = checkedCount(n, 0);
  return ({ turn }) => turn <= last;
}

/**
 * Holds for the messages of the user after the n-th.
 * @example
 * ```ts
 * assert.deepEqual([5, 6].map((turn) => afterTurn(5)({ turn, content: '' })), [false, true]);
 * ```
 */
export function afterTurn(n: number): ReminderCondition {
  const last = checkedCount(n, 0);
  return ({ turn }) => turn > last;
}

/**
 * Holds when all of the conditions do.
 * @example
 * ```ts
 * const isDue = and(everyNTurns(3), afterTurn(5));
 * assert.deepEqual([3, 6].map((turn) => isDue({ turn, content: '' })), [false, true]);
 * ```
 */
export function and(...conditions: readonly ReminderCondition[]): ReminderCondition {
  return (context) => conditions.every((condition) => condition(context));
}

/**
 * Holds when one of the conditions does.
 * @example
 * ```ts
 * const isDue = or(once(), everyNTurns(4));
 * assert.deepEqual([1, 2, 4].map((turn) => isDue({ turn, content: '' })), [true, false, true]);
 * ```
 */
export function or(...conditions: readonly ReminderCondition[]): ReminderCondition {
  return (context) => conditions.some((condition) => condition(context));
}

/**
 * Holds when the condition does not.
 * @example
 * ```ts
 * assert.deepEqual([1, 2].map((turn) => not(once())({ turn, content: '' })), [false, true]);
 * ```
 */
export function not(condition: ReminderCondition): ReminderCondition {
  return (context) => !condition(context);
}

/** @throws AsyncFragmentError for a condition that answers later: its promise would always count as true */
function isDue(when: ReminderCondition, context: ReminderContext): boolean {
  const answer: unknown = when(context);
  if (answer instanceof Promise) refusePromise(answer);
  return Boolean(answer);
}

function checkedCount(n: number, least: number): number {
  if (Number.isSafeInteger(n) && n >= least) return n;
  throw new InvalidArgumentError(
    defineMessage('number of turns'),
    defineMessage('it is not a whole number from {0} on', least),
  );
}
