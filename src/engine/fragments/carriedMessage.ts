import { z } from 'zod';
import { NotStorableError } from '../errors.ts';
import { uiMessageSchema, type UIMessage, type UIMessagePart } from '../uiMessage.ts';
import type { Fragment } from './fragment.ts';
import { isReminder } from './reminders.ts';

/** How a message fragment stores its message: as plain data, so that it survives JSON. */
const carried = z.object({
  message: uiMessageSchema,
  reminders: z.array(z.custom<Fragment>(isReminder)).optional(),
});
/** The message itself, not zod's copy, which leaves out a member called `__proto__`. */
const carriedAsGiven = z.custom<z.infer<typeof carried>>((data) => carried.safeParse(data).success);

/** Undefined for a fragment that carries no message. */
export function carriedIn({ data }: Fragment): z.infer<typeof carried> | undefined {
  return carriedAsGiven.safeParse(data).data;
}

/** @throws NotStorableError when it carries no message */
export function readCarried(fragment: Fragment): z.infer<typeof carried> {
  const read = carriedIn(fragment);
  if (!read) throw new NotStorableError(`fragment "${fragment.name}"`, 'it carries no message');
  return read;
}

/** The fragment with other parts in its message. @throws NotStorableError when it carries none */
export function withParts(fragment: Fragment, parts: readonly UIMessagePart[]): Fragment {
  const { message, reminders = [] } = readCarried(fragment);
  return { ...fragment, data: asData({ message: { ...message, parts }, reminders }) };
}

/** The message of a message fragment without reminders, and the reminders that go with it. @throws NotStorableError */
export function carriedBy(
  fragment: Fragment,
  id: string,
): { readonly message: UIMessage; readonly reminders: readonly Fragment[] } {
  const { message, reminders = [] } = readCarried(fragment);
  const { role, metadata, parts } = message;
  return { message: { id, role, ...(metadata !== undefined && { metadata }), parts }, reminders };
}

/** Checked on use, so that data that cannot be stored is rejected with its path. */
export function asData(data: {
  message: unknown;
  reminders?: readonly Fragment[];
}): NonNullable<Fragment['data']> {
  return data as NonNullable<Fragment['data']>;
}

/** Several are one part, so that a model gets the same text however the message is turned into one for it. */
export function reminderPart(...texts: readonly string[]): UIMessagePart {
  return {
    type: 'text',
    text: texts.map((text) => `<system-reminder>${text}</system-reminder>`).join('\n\n'),
    providerMetadata: { offshoot: { reminder: true } },
  };
}
