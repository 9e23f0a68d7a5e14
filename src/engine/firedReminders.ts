/** What the metadata of a message with reminders says of them, under the key `firedReminders`. */
export interface FiredReminders {
  /** The message holds nothing else: it came between two steps of an answer. */
  readonly alone?: true;
  /** The ids that `once(id)` has used up. */
  readonly once?: readonly string[];
}

export function withFiredReminders(
  metadata: Readonly<Record<string, unknown>>,
  fired: FiredReminders,
): Record<string, unknown> {
  return { ...metadata, firedReminders: fired };
}

/** Checked by hand because this runs over whole paths and most messages have no such member. */
export function firedReminders(metadata: unknown): Readonly<Partial<Record<keyof FiredReminders, unknown>>> {
  if (typeof metadata !== 'object' || metadata === null || !('firedReminders' in metadata)) return NONE;
  const fired = metadata.firedReminders;
  return typeof fired === 'object' && fired !== null ? fired : NONE;
}

const NONE: FiredReminders = {};
