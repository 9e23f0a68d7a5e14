import { InvalidArgumentError, ReminderFailedError } from '../errors.ts';
import { defineMessage, verbatim } from '../messageDescriptor.ts';
import { checkedName } from '../storable.ts';
import type { UIMessage } from '../uiMessage.ts';
import type { UsageNumbers } from '../usage.ts';
import { isFragment, type Fragment, type FragmentData } from './fragment.ts';
import { settled } from './settled.ts';

/** How a call of a tool ended. */
export type ToolOutcome = {
  readonly toolCallId: string;
  /** The name of the tool. */
  readonly name: string;
  readonly input: unknown;
} & (
  | { readonly state: 'output-available'; readonly output: unknown }
  | { readonly state: 'output-error'; readonly error: unknown; readonly errorText: string }
  | { readonly state: 'output-denied'; readonly reason?: string }
);

/**
 * What a reminder can read: about the user's message it would go with, or, between two steps of an answer, about the
 * question that is being answered. Each member is computed when it is read; messages are copies.
 */
export interface ReminderContext {
  /** The number of the question among those of its path, from 1. */
  readonly turn: number;
  /** The user's text, without reminders. */
  readonly content: string;
  /** Messages on the path up to here, pending ones and the message itself included. */
  readonly messageCount: number;
  readonly branch: string;
  /** The chat's total usage, as `trackUsage` adds it up. */
  readonly usage: UsageNumbers | undefined;
  /**
   * When the last question was asked, in milliseconds since 1970: the one before the user's message, or the one that
   * is being answered. Undefined when there is none.
   */
  readonly lastMessageAt: number | undefined;
  /** Milliseconds since then. */
  readonly elapsed: number | undefined;
  /**
   * What the model answered last. For the user's message, the whole answer before it; between steps, what was answered
   * since the question or the last reminder between steps.
   */
  readonly lastAssistantMessage: UIMessage | undefined;
  /** Every message of the model on the path: a reminder between steps divides an answer. */
  readonly lastAssistantMessages: readonly UIMessage[];
  /** The answers on the path, each whole. */
  readonly lastAssistantReplies: readonly UIMessage[];
  /** The tools that the last step has called; undefined for the user's message. */
  readonly toolOutcomes: readonly ToolOutcome[] | undefined;
  /** The one a reminder for `tool-output` is asked about. */
  readonly toolOutcome: ToolOutcome | undefined;
  /**
   * False once a reminder that asked for this id is on the path. If this one is added, the id is stored with it.
   * {@link once} is made of it.
   */
  latch(id: string): boolean;
}

/** Returns whether a reminder is added, now or later. */
export type ReminderCondition = (context: ReminderContext) => boolean | PromiseLike<boolean>;

/** A condition that reads these members of the context alone. */
export type ConditionOn<Member extends keyof ReminderContext> = (
  context: Pick<ReminderContext, Member>,
) => boolean;

/**
 * Where a reminder goes: to a message of the user, or between two steps of an answer, as a message of its own with the
 * user's role. `tool-output` is asked about each tool that the last step has called, `steer` once a step.
 */
export type ReminderTarget = 'user' | 'tool-output' | 'steer';

const targets: readonly ReminderTarget[] = ['user', 'tool-output', 'steer'];

/** When and where a reminder is added. */
export interface ReminderOptions {
  /**
   * The reminder is left out when this returns false; called each time the conversation is resolved or saved, and
   * before each further step of an answer. One that takes the {@link ReminderContext} makes the reminder apply to the
   * whole conversation. It must not call the engine, which waits for it.
   */
  when?: ReminderCondition;
  /** Default: `user`. The others need a condition. */
  target?: ReminderTarget;
}

/**
 * A note to the model that is not shown to the user. It goes with the pending user message before it, and is stored
 * with it; without such a message, it becomes part of the system prompt. `textOf` leaves it out, and `stripReminders`
 * removes it from a message.
 *
 * A reminder that reads its context, in its text or in `when`, applies to the whole conversation from any position:
 * each later message of the user gets it if its condition holds, and is stored with it. Inside `user()` it applies to
 * that message only. One for `tool-output` or `steer` goes between the steps of an answer, see `prepareStep` of the
 * engine.
 *
 * What a condition or a text throws is thrown as ReminderFailedError where it was asked (`resolve`, `save`,
 * `prepareStep`), and nothing is saved. An empty text adds nothing.
 * @throws InvalidArgumentError for one between steps that has no condition
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
  text: string | ((context: ReminderContext) => string | PromiseLike<string>),
  { when, target = 'user' }: ReminderOptions = {},
): Fragment {
  if (!targets.includes(target)) refuse(`its target is none of ${targets.join(', ')}`);
  if (target !== 'user' && !when) refuse(`one for "${target}" needs a condition: give it "when"`);
  if (typeof text === 'string' && !when) return { name: 'reminder', type: 'fragment', data: text };
  const isStanding =
    target !== 'user' || (when?.length ?? 0) > 0 || (typeof text === 'function' && text.length > 0);
  const data = (context?: ReminderContext): unknown => {
    if (isStanding && !context) return null;
    // A function without parameters ignores this.
    const given = context ?? NOWHERE;
    return whenKnown(when ? when(given) : true, (isDue) => {
      if (!isDue) return null;
      return typeof text === 'string' ? text : text(given);
    });
  };
  return {
    name: 'reminder',
    type: 'fragment',
    // Called with a context by `askReminder` alone.
    data,
    metadata: {
      ...(isStanding ? { standing: true } : {}),
      ...(target === 'user' ? {} : { target }),
      // Names it in an error.
      ...(typeof text === 'string' ? { text } : {}),
    },
  };
}

/** For functions that do not read it. */
const NOWHERE: ReminderContext = {
  turn: 0,
  content: '',
  messageCount: 0,
  branch: '',
  usage: undefined,
  lastMessageAt: undefined,
  elapsed: undefined,
  lastAssistantMessage: undefined,
  lastAssistantMessages: [],
  lastAssistantReplies: [],
  toolOutcomes: undefined,
  toolOutcome: undefined,
  latch: () => true,
};

function refuse(problem: string): never {
  throw new InvalidArgumentError('reminder', verbatim(problem));
}

/** True for a reminder, before it has become part of a message. */
export function isReminder(value: unknown): value is Fragment {
  return isFragment(value) && value.name === 'reminder';
}

/** True for a reminder that is added to each message its condition holds for. */
export function isStandingReminder(fragment: Fragment): boolean {
  return isReminder(fragment) && fragment.metadata?.['standing'] === true;
}

/** Where a reminder goes. */
export function targetOf({ metadata }: Fragment): ReminderTarget {
  return targets.find((target) => target === metadata?.['target']) ?? 'user';
}

/** The text of a reminder that reads no context; none where it is not due, or is known only later. */
export function reminderText(fragment: Fragment): string[] {
  const asked = fragment.data;
  const answer: unknown = typeof asked === 'function' ? (asked as () => unknown)() : asked;
  if (!isLater(answer)) return settledText(fragment, answer);
  // It is asked again where it is waited for, which tells what is wrong.
  answer.then(undefined, () => undefined);
  return [];
}

/** The text of a reminder in its context; undefined when it is not due. @throws ReminderFailedError */
export async function askReminder(fragment: Fragment, context: ReminderContext): Promise<string | undefined> {
  const asked = fragment.data;
  try {
    // A function made by `reminder` takes the context; any other function takes nothing.
    const ask = asked as (context: ReminderContext) => unknown;
    return settledText(fragment, await (typeof asked === 'function' ? ask(context) : asked))[0];
  } catch (error) {
    const text = fragment.metadata?.['text'];
    throw new ReminderFailedError(targetOf(fragment), typeof text === 'string' ? text : undefined, error);
  }
}

function settledText(fragment: Fragment, answer: unknown): string[] {
  const { data } = settled({ ...fragment, data: answer as FragmentData });
  return typeof data === 'string' && data.trim() !== '' ? [data] : [];
}

/**
 * Holds for every n-th message of the user.
 * @example
 * ```ts
 * const isDue = everyNTurns(3);
 * assert.deepEqual([1, 2, 3, 6].map((turn) => isDue({ turn, content: '' })), [false, false, true, true]);
 * ```
 */
export function everyNTurns(n: number): ConditionOn<'turn'> {
  const every = checkedCount(n, 1);
  return ({ turn }) => turn % every === 0;
}

/**
 * Holds for the first message of the user on a path. With an id: until a reminder with this id is on the path, which a
 * later engine on the same chat finds there too. If the reminder is not added, or its message is never saved, nothing
 * is used up.
 * @throws InvalidNameError for an id that is blank or longer than a name may be
 * @example
 * ```ts
 * assert.deepEqual([1, 2].map((turn) => once()({ turn, content: '' })), [true, false]);
 * const store = new InMemoryContextStore();
 * for (const question of ['Hello', 'And now?']) {
 *   const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
 *   await context.set(reminder('Say who you are.', { when: once('introduction') }), user(question)).save();
 *   await context.close();
 * }
 * const { messages } = await new ContextEngine({ store, chatId: 'c', userId: 'u' }).resolve();
 * assert.deepEqual(messages.map((message) => /who you are/.test(modelTextOf(message))), [true, false]);
 * ```
 */
export function once(): ConditionOn<'turn'>;
export function once(id: string): ConditionOn<'latch'>;
export function once(id?: string): ReminderCondition {
  if (id === undefined) return ({ turn }) => turn === 1;
  const name = checkedName(id, 'reminder id');
  return (context) => context.latch(name);
}

/**
 * Holds for the first n messages of the user.
 * @example
 * ```ts
 * assert.deepEqual([1, 2, 3].map((turn) => firstN(2)({ turn, content: '' })), [true, true, false]);
 * ```
 */
export function firstN(n: number): ConditionOn<'turn'> {
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
export function afterTurn(n: number): ConditionOn<'turn'> {
  const last = checkedCount(n, 0);
  return ({ turn }) => turn > last;
}

/**
 * Holds when all of the conditions do. They are asked in order, until one does not hold; so in `or`.
 * @example
 * ```ts
 * const isDue = and(everyNTurns(3), afterTurn(5));
 * assert.deepEqual([3, 6].map((turn) => isDue({ turn, content: '' })), [false, true]);
 * ```
 */
export function and(...conditions: readonly ReminderCondition[]): ReminderCondition {
  return (context) =>
    negated(
      anyIs(
        false,
        conditions.map((condition) => () => condition(context)),
      ),
    );
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
  return (context) =>
    anyIs(
      true,
      conditions.map((condition) => () => condition(context)),
    );
}

/**
 * Holds when the condition does not.
 * @example
 * ```ts
 * assert.deepEqual([1, 2].map((turn) => not(once())({ turn, content: '' })), [false, true]);
 * ```
 */
export function not(condition: ReminderCondition): ReminderCondition {
  return (context) => negated(condition(context));
}

/**
 * Holds when the condition holds for one of the last n answers, each taken as `lastAssistantMessage`; nothing else of
 * the context is changed. Answers count whole, however many reminders came between their steps.
 * @example
 * ```ts
 * const call = { type: 'tool-bash', toolCallId: 'c1', state: 'output-available', input: {}, output: '' };
 * const lastAssistantReplies = [[call], [{ type: 'text', text: 'Done.' }]].map((parts) => ({ parts }));
 * const isDue = (n) => withinLastN(n, toolCalled('bash'))({ lastAssistantReplies });
 * assert.deepEqual([1, 2].map(isDue), [false, true]);
 * ```
 */
export function withinLastN(n: number, condition: ReminderCondition): ReminderCondition {
  const count = checkedCount(n, 1);
  return (context) => anyIs(true, aboutReplies(context, count, condition));
}

/**
 * Holds when the condition holds for each of the last n answers, as in {@link withinLastN}; not while there are fewer.
 * @example
 * ```ts
 * const lastAssistantReplies = [{ parts: [] }, { parts: [{ type: 'text', text: 'No.' }] }];
 * const isDue = (n) => everyOfLastN(n, lastAssistantLength({ lte: 10 }))({ lastAssistantReplies });
 * assert.deepEqual([2, 3].map(isDue), [true, false]);
 * ```
 */
export function everyOfLastN(n: number, condition: ReminderCondition): ReminderCondition {
  const count = checkedCount(n, 1);
  return (context) =>
    context.lastAssistantReplies.length >= count &&
    negated(anyIs(false, aboutReplies(context, count, condition)));
}

type Answer = ReturnType<ReminderCondition>;

function aboutReplies(context: ReminderContext, n: number, condition: ReminderCondition): (() => Answer)[] {
  return context.lastAssistantReplies.slice(-n).map((reply) => () => {
    // With the accessors as they are: what is not read is not computed.
    const members = Object.getOwnPropertyDescriptors(context);
    const about = { ...members, lastAssistantMessage: { value: reply, enumerable: true } };
    return condition(Object.defineProperties({}, about) as ReminderContext);
  });
}

/** Whether one of the answers is the one sought; asks no further than needed, and waits only where one comes later. */
function anyIs(sought: boolean, questions: readonly (() => unknown)[], from = 0): Answer {
  for (let at = from; at < questions.length; at += 1) {
    const answer = questions[at]?.();
    if (isLater(answer)) {
      return answer.then((known) => Boolean(known) === sought || anyIs(sought, questions, at + 1));
    }
    if (Boolean(answer) === sought) return true;
  }
  return false;
}

function negated(answer: unknown): Answer {
  return whenKnown(answer, (known) => !known) as Answer;
}

/** At once where the answer is there. */
function whenKnown(answer: unknown, then: (known: boolean) => unknown): unknown {
  return isLater(answer) ? answer.then((known) => then(Boolean(known))) : then(Boolean(answer));
}

function isLater(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  );
}

function checkedCount(n: number, least: number): number {
  if (Number.isSafeInteger(n) && n >= least) return n;
  throw new InvalidArgumentError(
    defineMessage('number of turns'),
    defineMessage('it is not a whole number from {0} on', least),
  );
}
