import { InvalidArgumentError } from '../errors.ts';
import { verbatim } from '../messageDescriptor.ts';
import {
  isToolPart,
  textOf,
  toolNameOf,
  type DynamicToolPart,
  type ToolCallState,
  type ToolPart,
  type UIMessage,
} from '../uiMessage.ts';
import type { UsageNumbers } from '../usage.ts';
import type { ConditionOn, ToolOutcome } from './reminders.ts';

/** The name of a tool, or a function that tells whether a name is meant. */
export type ToolNames = string | ((name: string) => boolean);

/** How many: exactly, or within bounds, which are included. */
export type CountSpec =
  | { readonly eq: number; readonly gte?: never; readonly lte?: never }
  | { readonly gte: number; readonly lte?: number; readonly eq?: never }
  | { readonly lte: number; readonly gte?: number; readonly eq?: never };

/** Which calls of tools are meant; what is left out does not matter. */
export interface ToolCallOptions {
  readonly name?: ToolNames;
  /** Default: called with a complete input, whether it has ended or not. */
  readonly state?: ToolCallState['state'];
  readonly input?: (input: unknown) => boolean;
  readonly output?: (output: unknown) => boolean;
  readonly errorText?: (text: string) => boolean;
}

/** Which outcomes of tools are meant; what is left out does not matter. */
export interface ToolOutputOptions {
  readonly name?: ToolNames;
  readonly state?: ToolOutcome['state'];
  readonly input?: (input: unknown) => boolean;
  readonly output?: (output: unknown) => boolean;
  readonly error?: (error: unknown) => boolean;
  readonly errorText?: (text: string) => boolean;
  /** Of a call that was denied. */
  readonly reason?: (reason: string | undefined) => boolean;
}

/** Where a day begins. */
export interface PeriodOptions {
  /** A name such as `Europe/Berlin`. Default: UTC. */
  readonly tz?: string;
}

/** What a topic has to have in common with a text. */
export interface TopicOptions {
  /** The share of its words that has to be exceeded: from 0, where one is enough (the default), to less than 1. */
  readonly threshold?: number;
}

/** Calls that count as made. */
const made: ReadonlySet<string> = new Set(['input-available', 'output-available', 'output-error']);
/** Calls that have ended. */
const ended: ReadonlySet<string> = new Set(['output-available', 'output-error', 'output-denied']);

/**
 * Holds when the last answer has such a call of a tool, see `lastAssistantMessage` of `ReminderContext`.
 * @example
 * ```ts
 * const part = { type: 'tool-bash', toolCallId: 'c1', state: 'output-error', input: 'rm', errorText: 'denied' };
 * const answer = { id: 'a1', role: 'assistant', parts: [part] };
 * const isDue = toolCall({ name: 'bash', errorText: (text) => /denied/.test(text) });
 * assert.equal(isDue({ lastAssistantMessage: answer }), true);
 * ```
 */
export function toolCall(options: ToolCallOptions = {}): ConditionOn<'lastAssistantMessage'> {
  return ({ lastAssistantMessage }) =>
    callsIn(lastAssistantMessage).some(
      (part) =>
        (options.state === undefined ? made.has(part.state) : part.state === options.state) &&
        isNamed(options.name, toolNameOf(part)) &&
        holds(options.input, part.input) &&
        holdsIn(part.state === 'output-available' && part, options.output, ({ output }) => output) &&
        holdsIn(part.state === 'output-error' && part, options.errorText, ({ errorText }) => errorText),
    );
}

/**
 * Holds when the last answer has called the tool.
 * @example
 * ```ts
 * const part = { type: 'tool-bash', toolCallId: 'c1', state: 'input-available', input: 'ls' };
 * const answer = { id: 'a1', role: 'assistant', parts: [part] };
 * assert.equal(toolCalled('bash')({ lastAssistantMessage: answer }), true);
 * assert.equal(toolCalled((name) => name.startsWith('read_'))({ lastAssistantMessage: answer }), false);
 * ```
 */
export function toolCalled(name: ToolNames): ConditionOn<'lastAssistantMessage'> {
  return toolCall({ name });
}

/** Holds when the last answer has called the tool and the call failed. */
export function toolFailed(name: ToolNames): ConditionOn<'lastAssistantMessage'> {
  return toolCall({ name, state: 'output-error' });
}

/** Holds when the last answer has called a tool. */
export function anyToolCalled(): ConditionOn<'lastAssistantMessage'> {
  return toolCall();
}

/** Holds when the last answer has called the tool so many times. @throws InvalidArgumentError */
export function toolCallCount(name: ToolNames, spec: CountSpec): ConditionOn<'lastAssistantMessage'> {
  const isMeant = within(spec);
  return ({ lastAssistantMessage }) =>
    isMeant(
      callsIn(lastAssistantMessage).filter((part) => made.has(part.state) && isNamed(name, toolNameOf(part)))
        .length,
    );
}

/**
 * Holds for such an outcome of a tool, of which a reminder for `tool-output` is asked; for nothing else.
 * @example
 * ```ts
 * const isDue = toolOutput({ name: 'bash', state: 'output-error' });
 * const call = { toolCallId: 'c1', name: 'bash', input: 'rm' };
 * const error = new Error('denied');
 * const toolOutcome = { ...call, state: 'output-error', error, errorText: 'denied' };
 * assert.equal(isDue({ toolOutcome }), true);
 * assert.equal(isDue({ toolOutcome: { ...call, state: 'output-available', output: '' } }), false);
 * ```
 */
export function toolOutput(options: ToolOutputOptions = {}): ConditionOn<'toolOutcome'> {
  return ({ toolOutcome: outcome }) =>
    outcome !== undefined &&
    (options.state === undefined || outcome.state === options.state) &&
    isNamed(options.name, outcome.name) &&
    holds(options.input, outcome.input) &&
    holdsIn(outcome.state === 'output-available' && outcome, options.output, ({ output }) => output) &&
    holdsIn(outcome.state === 'output-error' && outcome, options.error, ({ error }) => error) &&
    holdsIn(outcome.state === 'output-error' && outcome, options.errorText, ({ errorText }) => errorText) &&
    holdsIn(outcome.state === 'output-denied' && outcome, options.reason, ({ reason }) => reason);
}

/**
 * Holds when the calls of tools that have ended in this answer come to n, to twice n and so on: between steps when the
 * last step made them so many, for a message of the user when the answer before it had n. Other reminders between the
 * steps change nothing.
 * @throws InvalidArgumentError
 */
export function everyNToolCalls(n: number): ConditionOn<'lastAssistantReplies' | 'toolOutcomes'> {
  if (!Number.isSafeInteger(n) || n < 1) refuse('the number of calls is not a whole number from 1 on');
  return ({ lastAssistantReplies, toolOutcomes }) => {
    const count = callsIn(lastAssistantReplies.at(-1)).filter(({ state }) => ended.has(state)).length;
    const before = toolOutcomes ? count - toolOutcomes.length : 0;
    return Math.floor(count / n) > Math.floor(before / n);
  };
}

/**
 * Holds when the latest calls of the tool failed one after the other, so many times; a call that did not fail begins
 * again. All answers on the path count.
 * @throws InvalidArgumentError
 */
export function toolFailedStreak(name: ToolNames, spec: CountSpec): ConditionOn<'lastAssistantMessages'> {
  const isMeant = within(spec);
  return ({ lastAssistantMessages }) => {
    const calls = lastAssistantMessages.flatMap(callsIn).filter((part) => isNamed(name, toolNameOf(part)));
    return isMeant(calls.length - 1 - calls.findLastIndex(({ state }) => state !== 'output-error'));
  };
}

/**
 * Holds when the question has one of the texts in it, in capitals or not.
 * @example
 * ```ts
 * const isDue = contentIncludes(['deploy', 'release']);
 * assert.equal(isDue({ content: 'How do I Deploy this?' }), true);
 * ```
 */
export function contentIncludes(texts: readonly string[]): ConditionOn<'content'> {
  const sought = texts.map((text) => text.toLowerCase());
  return ({ content }) => {
    const text = content.toLowerCase();
    return sought.some((each) => text.includes(each));
  };
}

/**
 * Holds when the question matches.
 * @example
 * ```ts
 * const isDue = contentPattern(/\bsecrets?\b/gi);
 * assert.deepEqual(['My secret', 'My secret', 'No'].map((content) => isDue({ content })), [true, true, false]);
 * ```
 */
export function contentPattern(pattern: RegExp): ConditionOn<'content'> {
  // Unlike `test`, this begins at the start each time, whatever the flags.
  return ({ content }) => content.search(pattern) !== -1;
}

/** What is read of a question, in UTF-16 units. */
const READ_LENGTH = 20_000;

/** Words that say nothing of a topic, each between spaces. */
const COMMON =
  ' a about an and are as at be by can do does for from has have how i if in is it its me my not of on or our ' +
  'please so that the their then there this to was we what when where which who why will with you your ';

/**
 * Holds when the question is about one of the topics: when the share of a topic's words that it has in it exceeds the
 * threshold. Words count once, as they are written, in capitals or not; common words of English do not count, and no
 * more than the first 20,000 characters are read.
 * @example
 * ```ts
 * const isDue = contentMatches(['database migration', 'schema change'], { threshold: 0.5 });
 * const questions = ['Is the Migration of my database safe?', 'Where is the database?', 'Hello'];
 * assert.deepEqual(questions.map((content) => isDue({ content })), [true, false, false]);
 * ```
 * @throws InvalidArgumentError
 */
export function contentMatches(
  topics: readonly string[],
  { threshold = 0 }: TopicOptions = {},
): ConditionOn<'content'> {
  if (!(threshold >= 0 && threshold < 1)) refuse('the threshold is not a number from 0 up to 1');
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
  const readWords = (text: string): Set<string> => {
    const words = Array.from(segmenter.segment(text.toLowerCase()))
      .filter(({ isWordLike, segment }) => isWordLike === true && !COMMON.includes(` ${segment} `))
      .map(({ segment }) => segment);
    return new Set(words);
  };
  const sought = topics.map((topic) => [...readWords(topic)]);
  return ({ content }) => {
    const words = readWords(content.slice(0, READ_LENGTH));
    return sought.some((topic) => topic.filter((word) => words.has(word)).length > threshold * topic.length);
  };
}

/**
 * Holds when the visible text of the last answer is so long, in UTF-16 units; without an answer it is 0.
 * @throws InvalidArgumentError
 */
export function lastAssistantLength(spec: CountSpec): ConditionOn<'lastAssistantMessage'> {
  const isMeant = within(spec);
  return ({ lastAssistantMessage }) =>
    isMeant(lastAssistantMessage ? textOf(lastAssistantMessage).length : 0);
}

/**
 * Holds when the chat has used that many tokens or more, see `trackUsage`: those in total, or of input and output where
 * no total was given.
 * @example
 * ```ts
 * const isDue = usageExceeds(1_000);
 * assert.equal(isDue({ usage: { totalTokens: 1_000 } }), true);
 * assert.equal(isDue({ usage: { inputTokens: 500, outputTokens: 20 } }), false);
 * ```
 * @throws InvalidArgumentError
 */
export function usageExceeds(tokens: number): ConditionOn<'usage'> {
  if (!(tokens >= 0)) refuse('the number of tokens is none');
  return ({ usage }) => {
    const { totalTokens, inputTokens, outputTokens }: UsageNumbers = usage ?? {};
    const counts = totalTokens === undefined ? [inputTokens, outputTokens] : [totalTokens];
    return counts.reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0) >= tokens;
  };
}

/**
 * Holds when the last question was asked that many milliseconds ago or more: the one before a message of the user, or,
 * between steps, the one that is being answered. Never without one.
 * @throws InvalidArgumentError
 */
export function elapsedExceeds(ms: number): ConditionOn<'elapsed'> {
  if (!(ms >= 0)) refuse('the time is no number of milliseconds');
  return ({ elapsed }) => elapsed !== undefined && elapsed >= ms;
}

/** Holds for the first question in a clock hour; as {@link dayChanged}. */
export function hourChanged(options?: PeriodOptions): ConditionOn<'lastMessageAt' | 'elapsed'> {
  return periodChanged((hours) => hours, options);
}

/**
 * Holds when the last question was asked on another day, or there is none.
 * @example
 * ```ts
 * const lastMessageAt = Date.UTC(2026, 0, 31, 23);
 * const isDue = (condition) => condition({ lastMessageAt, elapsed: 3_600_000 });
 * assert.equal(isDue(dayChanged()), true);
 * assert.equal(isDue(dayChanged({ tz: 'America/New_York' })), false);
 * assert.deepEqual([monthChanged(), yearChanged()].map(isDue), [true, false]);
 * ```
 * @throws InvalidArgumentError for a time zone that does not exist
 */
export function dayChanged(options?: PeriodOptions): ConditionOn<'lastMessageAt' | 'elapsed'> {
  return periodChanged((hours) => Math.floor(hours / 24), options);
}

/** Holds for the first question in a week, which begins on Monday; as {@link dayChanged}. */
export function weekChanged(options?: PeriodOptions): ConditionOn<'lastMessageAt' | 'elapsed'> {
  // Times begin on a Thursday.
  return periodChanged((hours) => Math.floor((hours / 24 + 3) / 7), options);
}

/** Holds for the first question in a month; as {@link dayChanged}. */
export function monthChanged(options?: PeriodOptions): ConditionOn<'lastMessageAt' | 'elapsed'> {
  return periodChanged((_, month) => month, options);
}

/** Holds for the first question in a season of three months, of which one begins with March; as {@link dayChanged}. */
export function seasonChanged(options?: PeriodOptions): ConditionOn<'lastMessageAt' | 'elapsed'> {
  return periodChanged((_, month) => Math.floor((month + 1) / 3), options);
}

/** Holds for the first question in a year; as {@link dayChanged}. */
export function yearChanged(options?: PeriodOptions): ConditionOn<'lastMessageAt' | 'elapsed'> {
  return periodChanged((_, month) => Math.floor(month / 12), options);
}

/** @param period numbers the periods, by the hours since 1970 and the months since the year 0 on clocks there */
function periodChanged(
  period: (hours: number, month: number) => number,
  { tz = 'UTC' }: PeriodOptions = {},
): ConditionOn<'lastMessageAt' | 'elapsed'> {
  const format = formatIn(tz);
  const numberAt = (time: number): number => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const at = (field: Intl.DateTimeFormatPartTypes): number => parts.get(field) ?? 0;
    const month = at('month') - 1;
    const hours = Date.UTC(at('year'), month, at('day'), at('hour')) / 3_600_000;
    return period(hours, at('year') * 12 + month);
  };
  return ({ lastMessageAt, elapsed = 0 }) =>
    lastMessageAt === undefined || numberAt(lastMessageAt) !== numberAt(lastMessageAt + elapsed);
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
    });
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

function callsIn(message: Pick<UIMessage, 'parts'> | undefined): (ToolPart | DynamicToolPart)[] {
  return message?.parts.filter(isToolPart) ?? [];
}

function isNamed(names: ToolNames | undefined, name: string): boolean {
  return names === undefined || (typeof names === 'function' ? names(name) : names === name);
}

function holds<T>(test: ((value: T) => boolean) | undefined, value: T): boolean {
  return test === undefined || test(value);
}

/** @param of false where there is nothing to test, which only no test passes */
function holdsIn<Of, T>(
  of: false | Of,
  test: ((value: T) => boolean) | undefined,
  read: (of: Of) => T,
): boolean {
  return test === undefined || (of !== false && test(read(of)));
}

/** @throws InvalidArgumentError */
function within({ eq, gte, lte }: CountSpec): (count: number) => boolean {
  const bounds = [eq, gte, lte].filter((bound) => bound !== undefined);
  // Not all callers are type-checked.
  if (bounds.length === 0 || !bounds.every((bound) => Number.isFinite(bound))) {
    refuse('a count needs "eq", or "gte", "lte" or both, as numbers');
  }
  if (eq !== undefined && bounds.length > 1) refuse('"eq" goes without "gte" and "lte"');
  return (count) => (eq === undefined ? count >= (gte ?? 0) && count <= (lte ?? Infinity) : count === eq);
}

function refuse(problem: string): never {
  throw new InvalidArgumentError('condition', verbatim(problem));
}
