import { z } from 'zod';
import { NotStorableError } from '../errors.ts';
import { textMessage, uiMessageSchema, type UIMessage, type UIMessagePart } from '../uiMessage.ts';
import { isFragment, type Fragment } from './fragment.ts';
import { settled } from './settled.ts';

/** How a message fragment carries its message: as plain data, so that it survives JSON. */
const carried = z.object({
  message: uiMessageSchema,
  reminders: z.array(z.custom<Fragment>(isReminder)).optional(),
});
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
 * What the person says, with reminders for the model if there are any.
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

/** When a reminder is given. */
export interface ReminderOptions {
  /** Left out when this says no; asked each time the conversation is resolved or saved. */
  when?: () => boolean;
}

/**
 * A note to the model that is not shown to the person. It goes with the pending user message before it, and is stored
 * with it; where there is none, it becomes part of the system prompt. `textOf` leaves it out, and `stripReminders` takes
 * it out of a message.
 * @example context.set(user('Go on.'), reminder('Answer in French.', { when: () => isFrench }))
 */
export function reminder(text: string, { when }: ReminderOptions = {}): Fragment {
  return { name: 'reminder', type: 'fragment', data: when ? () => (when() ? text : null) : text };
}

/** True for a reminder, before it has become part of a message. */
export function isReminder(value: unknown): value is Fragment {
  return isFragment(value) && value.name === 'reminder';
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
 * @throws NotStorableError when it carries none
 */
export function toUIMessage(fragment: Fragment, id = fragment.id ?? crypto.randomUUID()): UIMessage {
  const { message, reminders = [] } = readCarried(fragment);
  const { metadata, parts, ...plain } = message;
  const added = reminders.flatMap(reminderText).map(reminderPart);
  return { ...plain, id, ...(metadata !== undefined && { metadata }), parts: [...parts, ...added] };
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
  const read = carried.safeParse(data);
  if (!read.success) throw new NotStorableError(`fragment "${name}"`, 'it carries no message');
  return read.data;
}

/** Checked when it is used, so that what cannot be stored is refused with the path to it. */
function asData(data: { message: unknown; reminders?: readonly Fragment[] }): NonNullable<Fragment['data']> {
  return data as NonNullable<Fragment['data']>;
}

function reminderText(reminder: Fragment): string[] {
  const { data } = settled(reminder);
  return typeof data === 'string' ? [data] : [];
}
