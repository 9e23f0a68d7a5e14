import { z } from 'zod';
import { inEnglish, phraseSchema, verbatim, type Phrase } from '../engine/phrase.ts';

/** What a person is told of an answer, as it is kept with it: `code` is for programs. */
export const toldSchema = z.object({
  code: z.string(),
  /** In English, also where it was kept by a version that knew no phrases. */
  message: z.string(),
  phrase: phraseSchema.optional(),
});
export type Told = Readonly<z.infer<typeof toldSchema>>;

export function told(code: string, said: Phrase): Told {
  return { code, message: inEnglish(said), phrase: said };
}

/** What is told, as a part of something else that is. */
export function phraseOf({ message, phrase: said }: Told): Phrase {
  return said ?? verbatim(message);
}
