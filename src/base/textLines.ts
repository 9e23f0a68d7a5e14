/**
 * The lines of a text with their ends, so that joining them gives the text. Without the `u` flag, for which lines of
 * megabytes are too long.
 */
export function textLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
