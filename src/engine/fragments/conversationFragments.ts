import { z } from 'zod';
import { NotStorableError } from '../errors.ts';
import { textMessage, textOf, uiMessageSchema, type UIMessage, type UIMessagePart } from '../uiMessage.ts';
import type { Fragment } from './fragment.ts';
import { isReminder, reminderText, type ReminderContext } from './reminders.ts';

/** How a message fragment carries its message: as plain data, so that it survives JSON. */
const carried = z.object({
  message: uiMessageSchema,
  reminders: z.array(z.custom<Fragment>(isReminder)).optional(),
});
/** The message itself, and not zod's copy, which leaves out a member called `__proto__`. */
const carriedAsGiven = z.custom<z.infer<typeof carried>>((data) => carried.safeParse(data).success);
const lazyMarker = z.object({ lazy: z.literal('last-assistant-message') });

/** A message as it is given: its id may be left to the engine, and parts may be of kinds that are not known here. */
export interface MessageInput extends Omit<UIMessage, 'id' | 'parts'> {
  id?: string;
  parts: readonly (UIMessagePart | { type: string; [member: string]: unknown })[];
}

/** What can be said of a message beside its text. */
export interface MessageOptions {
  /** Choose one to find the message again, for instance to rewind to it; else a UUID is made. */
  id?: string;
}

/**
 * What the user says, with reminders for the model if there are any.
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
 * What the model answers.
 * @example assistant('4', { id: 'a1' })
 */
export function assistant(content: string | MessageInput, options: MessageOptions = {}): Fragment {
  return message('assistant', content, options);
}

/**
 * An answer of plain text.
 * @example assistantText('Hello!')
 */
export function assistantText(text: string, options: MessageOptions = {}): Fragment {
  return message('assistant', text, options);
}

/**
 * Replaces the text of the last answer on the path, whichever that is when the conversation is resolved or saved:
 * the answer before stays on its own branch. Where there is none yet, it is a new answer.
 * @example context.set(lastAssistantMessage('4, as two and two are four.'))
 */
export function lastAssistantMessage(text: string): Fragment {
  return { ...message('assistant', text, {}), metadata: { lazy: 'last-assistant-message' } };
}

/**
 * The message with a reminder at its end.
 * @example withReminder(user('Go on.'), reminder('The tests were red.'))
 */
export function withReminder(fragment: Fragment, added: Fragment): Fragment {
  const { message, reminders = [] } = readCarried(fragment);
  return { ...fragment, data: asData({ message, reminders: [...reminders, added] }) };
}

function reminderPart(text: string): UIMessagePart {
  return {
    type: 'text',
    text: `<system-reminder>${text}</system-reminder>`,
    providerMetadata: { offshoot: { reminder: true } },
  };
}

/** True for a fragment that is settled only when it is resolved or saved. */
export function isLazyFragment(fragment: Fragment): boolean {
  // Most have no metadata: looked at before the schema, for this is asked of every message.
  return fragment.metadata !== undefined && lazyMarker.safeParse(fragment.metadata).success;
}

/** Settles a lazy fragment: it becomes an edit of the last answer. */
export function resolveLazyFragment(
  fragment: Fragment,
  { lastAssistantId }: { lastAssistantId: string | undefined },
): Fragment {
  const { metadata: _metadata, ...settled } = fragment;
  return lastAssistantId === undefined ? settled : { ...settled, id: lastAssistantId };
}

/**
 * The message that a message fragment carries, with the reminders as they are now.
 * @param id what it is called, whatever the fragment says
 * @param turn the number of the user's message on its path, for reminders that ask for it
 * @param standing reminders of the conversation, beside those of the message
 * @throws NotStorableError when it carries none
 */
export function toUIMessage(
  fragment: Fragment,
  id = fragment.id ?? crypto.randomUUID(),
  turn?: number,
  standing: readonly Fragment[] = [],
): UIMessage {
  const { message, reminders = [] } = readCarried(fragment);
  const { role, metadata, parts } = message;
  const context: ReminderContext | undefined =
    turn === undefined ? undefined : { turn, content: textOf(message) };
  const added = [...reminders, ...(role === 'user' ? standing : [])]
    .flatMap((reminder) => reminderText(reminder, context))
    .map(reminderPart);
  return { id, role, ...(metadata !== undefined && { metadata }), parts: [...parts, ...added] };
}

function message(
  role: 'user' | 'assistant',
  content: string | MessageInput,
  options: MessageOptions,
): Fragment {
  const id = options.id ?? (typeof content === 'string' ? undefined : content.id) ?? crypto.randomUUID();
  const whole = typeof content === 'string' ? textMessage(id, role, content) : { ...content, id };
  return { id, name: whole.role, type: 'message', data: asData({ message: whole }) };
}

function readCarried({ name, data }: Fragment): z.infer<typeof carried> {
  const read = carriedAsGiven.safeParse(data);
  if (!read.success) throw new NotStorableError(`fragment "${name}"`, 'it carries no message');
  return read.data;
}

/** Checked when it is used, so that what cannot be stored is refused with the path to it. */
function asData(data: { message: unknown; reminders?: readonly Fragment[] }): NonNullable<Fragment['data']> {
  return data as NonNullable<Fragment['data']>;
}
