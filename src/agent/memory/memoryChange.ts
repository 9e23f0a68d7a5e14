/** What is done to a memory: a fact is added, removed, or takes the place of another one. */
export type MemoryChange =
  | { readonly add: string; readonly remove?: undefined }
  | { readonly add?: undefined; readonly remove: string }
  | { readonly add: string; readonly remove: string };

/** The longest fact, in UTF-16 units: each is sent with every request. */
export const MAX_FACT = 500;

/** A fact is one line: it can begin no heading, block or list of its own in a Markdown file. */
export function asFact(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
