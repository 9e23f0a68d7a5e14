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

interface CodeInfo {
  readonly language: string;
  readonly file?: string;
}

/** A comment that contains only the name of a file: `// src/a.ts`, `# file: a.py`, `<!-- a.html -->`. */
const NAME_IN_COMMENT =
  /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:(?:file|filename|filepath|path)\s*:\s*)?(\S+\.\w{1,10})\s*(?:\*\/|-->)?\s*$/i;

/**
 * The language of code, and the file it is for: from the fence as `ts src/a.ts`, `ts:src/a.ts` or `ts
 * title="src/a.ts"`, or from a comment in its first line.
 */
export function codeInfo(fence: string, code: string): CodeInfo {
  const [word = '', ...others] = fence.trim().split(/\s+/);
  const [language = '', ...behind] = /^[a-z0-9+#.-]{1,30}:[^/]/i.test(word) ? word.split(':') : [word];
  const titled = /(?:title|file|filename|path)=["']?([^"'\s]+)/i.exec(fence)?.[1];
  const first = NAME_IN_COMMENT.exec(code.slice(0, 300).split('\n', 1)[0] ?? '')?.[1];
  const file = [titled, behind.join(':'), others[0], first].find(
    (name) => name !== undefined && name !== '' && mayBeFile(name),
  );
  if (file !== undefined) return { language, file };
  // Only the name, as in a fence of `src/a.ts`.
  const isName = /[\\/]/.test(word) && mayBeFile(word);
  return isName ? { language: /\.(\w+)$/.exec(word)?.[1] ?? '', file: word } : { language };
}
