import { z } from 'zod';
import { NotStorableError } from '../errors.ts';
import { textMessage, uiMessageSchema, type UIMessage, type UIMessagePart } from '../uiMessage.ts';
import type { Fragment } from './fragment.ts';

/** How a message fragment carries its message: as plain data, so that it survives JSON. */
const carried = z.object({ message: uiMessageSchema });
const lazyMarker = z.object({ lazy: z.literal('last-assistant-message') });

/** A message as it is given: its id may be left to the engine, and parts may be of kinds that are not known here. */
export interface MessageInput extends Omit<UIMessage, 'id' | 'parts'> {
  id?: string;
  parts: readonly (UIMessagePart | { type: string; [member: string]: unknown })[];
}

export interface MessageOptions {
  /** Choose one to find the message again, for instance to rewind to it; else a UUID is made. */
  id?: string;
}

/**
 * What the person says.
 * @example user('What is 2 + 2?', { id: 'q1' })
 */
export function user(content: string | MessageInput, options: MessageOptions = {}): Fragment {
  return message('user', content, options);
}

/**
 * What the model answers.
 * @example assistant('4', { id: 'a1' })
 */
export function assistant(content: string | MessageInput, options: MessageOptions = {}): Fragment {
  return message('assistant', content, options);
}

/** An answer of plain text. */
export function assistantText(text: string, options: MessageOptions = {}): Fragment {
  return message('assistant', text, options);
}

/**
 * Replaces the text of the last answer on the path, whichever that is when the conversation is resolved or saved:
 * the answer before stays on its own branch. Where there is none yet, it is a new answer.
 */
export function lastAssistantMessage(text: string): Fragment {
  return { ...message('assistant', text, {}), metadata: { lazy: 'last-assistant-message' } };
}

export interface ReminderOptions {
  /** Left out when this says no, asked each time the conversation is resolved. */
  when?: () => boolean;
}

/**
 * A note to the model that goes with the person's message before it (or stands alone) and is not shown:
 * {@link stripReminders} takes it out again.
 */
export function reminder(text: string, options: ReminderOptions = {}): Fragment {
  return {
    name: 'reminder',
    type: 'fragment',
    data: options.when ? (): string | null => (options.when?.() === false ? null : text) : text,
  };
}

/** A part of the model's message that is a reminder. */
export function reminderPart(text: string): UIMessagePart {
  return {
    type: 'text',
    text: `<system-reminder>${text}</system-reminder>`,
    providerMetadata: { offshoot: { reminder: true } },
  };
}

/** True for a fragment that is settled only when it is resolved or saved. */
export function isLazyFragment(fragment: Fragment): boolean {
  return lazyMarker.safeParse(fragment.metadata).success;
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
 * The message that a message fragment carries, under the id given.
 * @throws NotStorableError when it carries none
 */
export function toUIMessage(fragment: Fragment, id: string): UIMessage {
  const read = carried.safeParse(fragment.data);
  if (!read.success) throw new NotStorableError(`fragment "${fragment.name}"`, 'it carries no message');
  const { metadata, ...plain } = read.data.message;
  return metadata === undefined ? { ...plain, id } : { ...plain, metadata, id };
}

function message(
  role: 'user' | 'assistant',
  content: string | MessageInput,
  options: MessageOptions,
): Fragment {
  const id = options.id ?? (typeof content === 'string' ? undefined : content.id) ?? crypto.randomUUID();
  const whole =
    typeof content === 'string' ? textMessage(id, role, content) : { ...content, id, role: content.role };
  // Checked when it is used, so that what cannot be stored is refused with the path to it.
  return {
    id,
    name: whole.role,
    type: 'message',
    data: { message: whole } as unknown as NonNullable<Fragment['data']>,
  };
}
