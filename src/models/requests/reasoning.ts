import {
  isCall,
  writerOf,
  type AssistantMessage,
  type AssistantPart,
  type ReasoningPart,
  type TalkMessage,
} from './prompt.ts';
import { isItsOwn } from './callIds.ts';
import { hasReasoningDetails, OPENROUTER } from './keptDetails.ts';
import { isTagged } from './taggedReasoning.ts';
import type { Target } from '../providerFacts.ts';

/** Replaces the signature of a call by another model: https://ai.google.dev/gemini-api/docs/thought-signatures */
export const SKIP_SIGNATURE = 'skip_thought_signature_validator';

/** Replaces the reasoning of a call by another model: empty reasoning counts as missing. */
export const NO_REASONING = ' ';

/** Sends the reasoning the target requires, but none of other models, nor any cut off: no provider accepts it. */
export function fitReasoning(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  const { reasoning = () => false, wantsReasoning } = target.provider;
  switch (reasoning) {
    case 'items':
      return inWholeItems(messages, target);
    case 'toolTurns': {
      const sent = inToolTurns(messages, target);
      return wantsReasoning ? withPlaceholders(sent, wantsReasoning.test(target.id)) : sent;
    }
    case 'details':
      return messages.map((message) => withDetails(message, target));
    default:
      return messages.map((message) =>
        filtered(
          message,
          ({ providerOptions }) => writerOf(message) === target.id && reasoning(providerOptions),
        ),
      );
  }
}

/**
 * Sends back all details of a message or none: the step after a call requires all of them, also those of reasoning that
 * came after the call. Without a call, reasoning at the end may be cut off, and some of its details stand with other parts.
 */
function withDetails(message: TalkMessage, target: Target): TalkMessage {
  if (message.role !== 'assistant') return message;
  const isCutOff = !callsTools(message) && message.content.at(-1)?.type === 'reasoning';
  const isWanted = writerOf(message) === target.id && !isCutOff;
  const content = message.content.filter(
    ({ type, providerOptions }) => type !== 'reasoning' || (isWanted && hasReasoningDetails(providerOptions)),
  );
  return { ...message, content: isCutOff ? content.map((part) => without(OPENROUTER, part)) : content };
}

/** Sends back all reasoning of turns with calls, and none of turns without. */
function inToolTurns(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  let hasCalls = false;
  const isInToolTurn = messages.map((message, at) => {
    if (message.role === 'user') hasCalls = false;
    else if (!hasCalls) hasCalls = restOfTurn(messages, at).some(callsTools);
    return hasCalls;
  });
  return messages.map((message, at) =>
    filtered(
      message,
      ({ text, providerOptions }) =>
        isInToolTurn[at] === true &&
        writerOf(message) === target.id &&
        text !== '' &&
        !isTagged(providerOptions),
    ),
  );
}

function restOfTurn(messages: readonly TalkMessage[], from: number): readonly TalkMessage[] {
  const end = messages.findIndex(({ role }, at) => at > from && role === 'user');
  return messages.slice(from, end === -1 ? undefined : end);
}

/** Once this server has sent reasoning with calls, it requires some with each of them. */
function withPlaceholders(messages: TalkMessage[], isAlwaysWanted: boolean): TalkMessage[] {
  const isWanted =
    isAlwaysWanted ||
    messages.some((message) => message.role === 'assistant' && callsTools(message) && thinks(message));
  if (!isWanted) return messages;
  return messages.map((message) =>
    message.role === 'assistant' && callsTools(message) && !thinks(message)
      ? { ...message, content: [{ type: 'reasoning', text: NO_REASONING }, ...message.content] }
      : message,
  );
}

/** Where text and reasoning share one place, joins them before a call. Expects messages of one side to be merged. */
export function fitThoughts(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  if (target.provider.saysOrThinks?.test(target.id) !== true) return [...messages];
  return messages.map((message) =>
    message.role === 'assistant' && callsTools(message) && thinks(message)
      ? { ...message, content: message.content.map(asThought) }
      : message,
  );
}

function asThought(part: AssistantPart, at: number): AssistantPart {
  if (part.type !== 'text') return part;
  return { type: 'reasoning', text: at === 0 ? `${part.text}\n\n` : `\n\n${part.text}` };
}

function callsTools(message: TalkMessage): boolean {
  return message.role === 'assistant' && message.content.some(isCall);
}

function thinks({ content }: AssistantMessage): boolean {
  return content.some(({ type }) => type === 'reasoning');
}

function filtered(message: TalkMessage, isWanted: (part: ReasoningPart) => boolean): TalkMessage {
  if (message.role !== 'assistant') return message;
  const lastMessage = message.content.findLastIndex(({ type }) => type !== 'reasoning');
  const content = message.content.filter(
    (part, at) => part.type !== 'reasoning' || (at < lastMessage && isWanted(part)),
  );
  return { ...message, content };
}

/**
 * OpenAI refuses an item made after reasoning without that reasoning, if the item has its id, and refuses reasoning
 * without what followed it. So all of it is sent back or none; without it, items are sent as new ones: those of a
 * message that was cut off or occurs a second time.
 */
function inWholeItems(messages: readonly TalkMessage[], target: Target): TalkMessage[] {
  const seen = new Set<string>();
  return messages.map((message) => {
    if (message.role !== 'assistant') return message;
    const names = message.content.flatMap(namesOf);
    // A call whose id is another one by now is no longer what followed its reasoning.
    const isAsIssued = message.content.every((part) => !isCall(part) || isItsOwn(part.toolCallId, target));
    const isNew = isAsIssued && !names.some((name) => seen.has(name)) && writerOf(message) === target.id;
    for (const name of names) seen.add(name);
    const whole = filtered(message, ({ providerOptions }) => {
      const encrypted = providerOptions?.['openai']?.['reasoningEncryptedContent'];
      return isNew && typeof encrypted === 'string' && encrypted !== '';
    });
    if (isNew && whole.content.length === message.content.length) return message;
    const kept = message.content.filter(({ type }) => type !== 'reasoning');
    return { ...message, content: kept.map((part) => without('openai', part)) };
  });
}

/** The ids of an item and a call; one item may have several parts, but only in one message. */
function namesOf(part: AssistantPart): string[] {
  const itemId = part.providerOptions?.['openai']?.['itemId'];
  return [
    ...(typeof itemId === 'string' ? [`item ${itemId}`] : []),
    ...(isCall(part) ? [`call ${part.toolCallId}`] : []),
  ];
}

function without(provider: string, part: AssistantPart): AssistantPart {
  if (part.providerOptions?.[provider] === undefined) return part;
  const { [provider]: _left, ...others } = part.providerOptions;
  return { ...part, providerOptions: others };
}
