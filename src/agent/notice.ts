import { z } from 'zod';
import { inEnglish, phraseSchema, verbatim, type Phrase } from '../engine/phrase.ts';

/** What the chat says about an answer, as it is kept with it: `code` is for programs. */
export const noticeSchema = z.object({
  code: z.string(),
  /** In English, also where it was kept by a version that knew no phrases. */
  message: z.string(),
  phrase: phraseSchema.optional(),
});
export type Notice = Readonly<z.infer<typeof noticeSchema>>;

export function createNotice(code: string, said: Phrase): Notice {
  return { code, message: inEnglish(said), phrase: said };
}

/** Its text, as a part of another message. */
export function phraseOf({ message, phrase: said }: Notice): Phrase {
  return said ?? verbatim(message);
}
