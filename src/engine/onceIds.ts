import { firedReminders } from './firedReminders.ts';
import { isReminderPart, type UIMessage } from './uiMessage.ts';

/** The ids that the reminders in a message have used up; none where the reminders are gone. */
export function onceIdsOf({ metadata, parts }: Pick<UIMessage, 'metadata' | 'parts'>): readonly string[] {
  const { once } = firedReminders(metadata);
  if (!Array.isArray(once) || !parts.some(isReminderPart)) return [];
  return once.filter((id) => typeof id === 'string');
}
