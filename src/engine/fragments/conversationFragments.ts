import { z } from 'zod';
import { InvalidArgumentError } from '../errors.ts';
import { verbatim } from '../messageDescriptor.ts';
import { isRevoked } from '../storable.ts';
import { textMessage, type UIMessage, type UIMessagePart } from '../uiMessage.ts';
import { asData, carriedBy, readCarried, reminderPart } from './carriedMessage.ts';
import type { Fragment } from './fragment.ts';
import { isReminder, reminderText, targetOf } from './reminders.ts';

const lazyMarker = z.object({ lazy: z.literal('last-assistant-message') });

/** A message as the caller gives it: the id is optional, and parts may be of unknown kinds. */
export interface MessageInput extends Omit<UIMessage, 'id' | 'parts'> {
  id?: string;
  parts: readonly (UIMessagePart | { type: string; [member: string]: unknown })[];
}

/** Options of a message in addition to its text. */
export interface MessageOptions {
  /** Choose one to find the message again, for instance to rewind to it; default: a UUID. */
  id?: string;
}

/**
 * A user message, with optional reminders for the model.
 * @example user('What is 2 + 2?', { id: 'q1' })
 * @example user({ role: 'user', parts: [{ type: 'text', text: 'Hello' }] })
 * @example user('Go on.', reminder('The tests were red.'))
 */
export function user(
  content: string | MessageInput,
  ...extras: readonly (MessageOptions | Fragment)[]
): Fragment {
  const options = extras.find((extra) => !isReminder(extra)) ?? {};
  return extras.filter(isReminder).reduce(withReminder, message('user', content, options));
}

/**
 * An answer of the model.
 * @example assistant('4', { id: 'a1' })
 */
export function assistant(content: string | MessageInput, options: MessageOptions = {}): Fragment {
  return message('assistant', content, options);
}

/**
 * A plain text answer.
 * @example assistantText('Hello!')
 */
export function assistantText(text: string, options: MessageOptions = {}): Fragment {
  return message('assistant', text, options);
}

/**
 * Replaces the text of the last answer on the path at the time the conversation is resolved or saved: the previous
 * answer stays on its own branch. If there is none, this adds an answer.
 * @example context.set(lastAssistantMessage('4, as two and two are four.'))
 */
export function lastAssistantMessage(text: string): Fragment {
  return { ...message('assistant', text, {}), metadata: { lazy: 'last-assistant-message' } };
}

/**
 * The message with a reminder at its end.
 * @throws InvalidArgumentError for a reminder that goes between the steps of an answer
 * @example withReminder(user('Go on.'), reminder('The tests were red.'))
 */
export function withReminder(fragment: Fragment, added: Fragment): Fragment {
  if (targetOf(added) !== 'user') {
    throw new InvalidArgumentError('reminder', verbatim(`one for "${targetOf(added)}" is set on the engine`));
  }
  const { message, reminders = [] } = readCarried(fragment);
  return { ...fragment, data: asData({ message, reminders: [...reminders, added] }) };
}

/** True for a fragment whose content is determined when it is resolved or saved. */
export function isLazyFragment(fragment: Fragment): boolean {
  // Checked before the schema because this runs for every message and most have no metadata.
  return fragment.metadata !== undefined && lazyMarker.safeParse(fragment.metadata).success;
}

/** Resolves a lazy fragment: it becomes an edit of the last answer. */
export function resolveLazyFragment(
  fragment: Fragment,
  { lastAssistantId }: { lastAssistantId: string | undefined },
): Fragment {
  const { metadata: _metadata, ...settled } = fragment;
  return lastAssistantId === undefined ? settled : { ...settled, id: lastAssistantId };
}

/**
 * The message of a message fragment, with those of its reminders that are known at once and read no context.
 * @param id the id of the message, overriding that of the fragment
 * @throws NotStorableError when it carries none
 */
export function toUIMessage(fragment: Fragment, id = fragment.id ?? crypto.randomUUID()): UIMessage {
  const { message, reminders } = carriedBy(fragment, id);
  const added = reminders.flatMap(reminderText).map((text) => reminderPart(text));
  return { ...message, parts: [...message.parts, ...added] };
}

function message(
  role: 'user' | 'assistant',
  content: string | MessageInput,
  options: MessageOptions,
): Fragment {
  requireContent(content);
  const id = options.id ?? (typeof content === 'string' ? undefined : content.id) ?? crypto.randomUUID();
  const whole = typeof content === 'string' ? textMessage(id, role, content) : { ...content, id };
  return { id, name: whole.role, type: 'message', data: asData({ message: whole }) };
}

/** Not all callers are type-checked. @throws InvalidArgumentError */
function requireContent(content: unknown): void {
  const isObject = typeof content === 'object' && content !== null && !isRevoked(content);
  if (typeof content === 'string' || isObject) return;
  throw new InvalidArgumentError('message', verbatim('it is neither a text nor a message of the AI SDK'));
}
