import { z } from 'zod';

/** Sent once after `ready`: texts in the user's language, keyed by the English text. */
export const localised = z.strictObject({
  type: z.literal('localised'),
  texts: z.record(z.string(), z.string()),
  locale: z.string(),
});

/** A message was refused or an action failed; shown in the page, with advice. */
export const actionFailed = z.strictObject({ type: z.literal('actionFailed'), text: z.string() });

/** The host's messages to every page. */
export type EveryPageFromHost = z.infer<typeof localised> | z.infer<typeof actionFailed>;
