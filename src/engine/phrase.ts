import { z } from 'zod';

/** What fills a gap of a phrase. */
export type PhraseArgument = string | number | Phrase;

/**
 * A text for people as it was meant, before it is in any language: whoever shows it looks the template up in the
 * language of the person, and fills its gaps `{0}`, `{1}` and so on.
 */
export interface Phrase {
  /** In English. */
  readonly template: string;
  readonly args: readonly PhraseArgument[];
}

/** A phrase as it is read back from where it was kept. */
export const phraseSchema: z.ZodType<Phrase> = z.object({
  template: z.string(),
  args: z.array(z.union([z.string(), z.number(), z.lazy(() => phraseSchema)])),
});

/** Makes a phrase. Its template is written out where it is made, so that the texts for translators are found. */
export function phrase(template: string, ...args: readonly PhraseArgument[]): Phrase {
  return { template, args };
}

/** A text that is in the language of the person already, or in none: what a server said, the name of a file. */
export function verbatim(text: string): Phrase {
  return { template: '{0}', args: [text] };
}

/** Puts a phrase into words: `translate` finds the template in a language, and fills its gaps. */
export function worded(
  { template, args }: Phrase,
  translate: (template: string, args: readonly (string | number)[]) => string,
): string {
  return translate(
    template,
    args.map((arg) => (typeof arg === 'object' ? worded(arg, translate) : arg)),
  );
}

/** The phrase in English. */
export function inEnglish(said: Phrase): string {
  return worded(said, (template, args) =>
    template.replaceAll(/\{(\d+)\}/g, (gap, index: string) => String(args[Number(index)] ?? gap)),
  );
}
