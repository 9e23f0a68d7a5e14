import {
  textPart,
  userNote,
  writerOf,
  type AssistantMessage,
  type SystemMessage,
  type TalkMessage,
  type UserMessage,
  type UserPart,
} from './prompt.ts';
import type { Target } from '../providerFacts.ts';

/** Precedes a conversation that begins with an answer: every provider requires the user to speak first. */
const BEGINS_WITH_ANSWER = '[The conversation begins with an answer.]';

/** Asks a model to continue its last message: providers refuse a request that ends with the assistant's words. */
const GO_ON = '[Continue from exactly where you left off. Do not repeat what is there already.]';

/** Fills the gap where the user spoke before the model had responded to its tool results. */
export const NOTHING_SAID = '[Nothing was said here.]';

/** Separates two user messages that are joined into one text. */
const NEXT_MESSAGE = '---';

/**
 * Makes the user speak first and last (or a tool's result come last), and the two sides alternate. Consecutive
 * messages of one side are merged; content written by a model keeps its order.
 */
export function fitRoles(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  const turns: TalkMessage[] = [];
  const { wantsOneText = false, wantsAnswerFirst = false } = target.provider;
  for (const message of messages) {
    if (message.content.length === 0) continue;
    const last = turns.at(-1);
    if (last === undefined && message.role !== 'user') turns.push(userNote(BEGINS_WITH_ANSWER));
    if (last?.role === 'user' && message.role === 'user') {
      turns[turns.length - 1] = joinedUser(last, message, wantsOneText ? [textPart(NEXT_MESSAGE)] : []);
    } else if (last?.role === 'assistant' && message.role === 'assistant') {
      turns[turns.length - 1] = joinedAssistant(last, message);
    } else if (last?.role === 'tool' && message.role === 'user' && wantsAnswerFirst) {
      turns.push({ role: 'assistant', content: [textPart(NOTHING_SAID)] }, message);
    } else {
      turns.push(message);
    }
  }
  const last = turns.at(-1);
  if (last === undefined || last.role === 'assistant') turns.push(userNote(GO_ON));
  return wantsOneText ? turns.map(inOneText) : turns;
}

function inOneText(message: TalkMessage): TalkMessage {
  if (message.role !== 'user') return message;
  const content: UserPart[] = [];
  for (const part of message.content) {
    const last = content.at(-1);
    if (part.type === 'text' && last?.type === 'text') {
      content[content.length - 1] = { ...last, text: `${last.text}\n\n${part.text}` };
    } else content.push(part);
  }
  return { ...message, content };
}

function joinedUser(before: UserMessage, after: UserMessage, between: readonly UserPart[]): UserMessage {
  return { ...before, content: [...before.content, ...between, ...after.content] };
}

function joinedAssistant(before: AssistantMessage, after: AssistantMessage): AssistantMessage {
  const isOneWriter = writerOf(before) === writerOf(after);
  const { providerOptions: _writer, ...unsigned } = before;
  const [first, ...rest] = after.content;
  // Some protocols have a single text for all of it.
  const isTextOnText = first?.type === 'text' && before.content.at(-1)?.type === 'text';
  const follows = isTextOnText ? [{ ...first, text: `\n\n${first.text}` }, ...rest] : after.content;
  return { ...(isOneWriter ? before : unsigned), content: [...before.content, ...follows] };
}

/** If there is no place for instructions, puts them before the user's first message. */
export function withoutSystem(
  system: readonly SystemMessage[],
  messages: readonly TalkMessage[],
): TalkMessage[] {
  const [first, ...rest] = messages;
  const texts = system.filter(({ content }) => content.trim() !== '').map(({ content }) => textPart(content));
  if (texts.length === 0 || first === undefined) return [...messages];
  return first.role === 'user'
    ? [{ ...first, content: [...texts, ...first.content] }, ...rest]
    : [{ role: 'user', content: texts }, ...messages];
}
