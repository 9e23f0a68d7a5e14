/** Longer names are not useful as files. */
const MAX_NAME = 300;

/** A line, a column, an end, after a path. */
const PLACE = /(?:[:#]L?\d{1,7}(?:[:C]\d{1,7})?(?:[-–]L?\d{1,7})?|\(\d{1,7}(?:, ?\d{1,7})?\)):?$/;

const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/** Characters not allowed in paths on some system. The colon is that of a drive. */
const FOREIGN = /^(?![a-z]:[\\/]).*:|^[a-z]:[\\/].*:|[*?"<>|\p{Cc}]|^[-+$~]|:\/\//iu;

/** The path in a name, without the position after it. */
export function pathIn(name: string): string {
  return name.replace(PLACE, '');
}

/** Whether a piece of code in a text may name a file. */
export function mayBeFile(text: string): boolean {
  if (text.length > MAX_NAME || text.trim() !== text) return false;
  const path = pathIn(text);
  if (path === '' || FOREIGN.test(path)) return false;
  return /[\\/]./.test(path) || EXTENSION.test(path) || /^[A-Z][a-z]+file$/.test(path);
}

/** The words of plain text that may name a file: paths with an extension, and names with a line number. */
export function fileNamesIn(text: string): { readonly at: number; readonly name: string }[] {
  const words: { at: number; name: string }[] = [];
  for (const match of text.matchAll(/[^\s"'`<>|*?,;[\]{}“”‘’]+/g)) {
    const [whole] = match;
    if (whole.length > MAX_NAME) continue;
    const before = /^\(*/.exec(whole)?.[0].length ?? 0;
    // Punctuation at the end of a sentence is not part of the name.
    const name = whole.slice(before).replace(/(?:(?<!\(\d{1,7})\)|[.:!…])+$/, '');
    const path = pathIn(name);
    const isPlain = EXTENSION.test(path) && !FOREIGN.test(path) && !path.includes('(');
    if (isPlain && (/[\\/]/.test(path) || path !== name)) words.push({ at: match.index + before, name });
  }
  return words;
}
