import type { FileView } from '../../protocol/views.ts';

/** Longer names are not useful as files. */
const MAX_NAME = 300;

/** A line, a column, an end, after a path. */
const PLACE = /(?:[:#]L?\d{1,7}(?:[:C]\d{1,7})?(?:[-–]L?\d{1,7})?|\(\d{1,7}(?:, ?\d{1,7})?\)):?$/;

const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/** Characters not allowed in paths on some system. The colon is that of a drive. */
const FOREIGN = /^(?![a-z]:[\\/]).*:|^[a-z]:[\\/].*:|[*?"<>|\p{Cc}]|^[-+$~]|:\/\//iu;

export function pathIn(name: string): string {
  return name.replace(PLACE, '');
}

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

export function mayNameFiles(html: string): boolean {
  return /<code|data-file|[\\/:]/.test(html);
}

/**
 * The real path is appended where the name differs, so that no name can pass for that of another file.
 * @returns the names not yet known to be files or not
 */
export function linkFiles(root: Element, known: ReadonlyMap<string, FileView | undefined>): string[] {
  const unknown: string[] = [];
  const fileOf = (name: string): FileView | undefined => {
    if (!known.has(name)) unknown.push(name);
    return known.get(name);
  };
  for (const element of root.querySelectorAll('a[data-file]:not([data-href])')) {
    const file = fileOf(element.getAttribute('data-file') ?? '');
    if (file) makeLink(element, file);
  }
  for (const element of root.querySelectorAll('code:not([data-href], a code, pre code)')) {
    const text = element.textContent;
    const file = mayBeFile(text) ? fileOf(text) : undefined;
    if (file) makeLink(element, file);
  }
  for (const text of textsIn(root)) linkText(text, fileOf);
  return unknown;
}

function textsIn(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('a, code, pre, [data-href], [data-tex], .true-name')
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  return texts;
}

function linkText(text: Text, fileOf: (name: string) => FileView | undefined): void {
  const words = fileNamesIn(text.data).flatMap(({ at, name }) => {
    const file = fileOf(name);
    return file ? [{ at, name, file }] : [];
  });
  // From last to first, so that earlier positions stay valid.
  for (const { at, name, file } of words.toReversed()) {
    const word = text.splitText(at);
    word.splitText(name.length);
    const link = document.createElement('span');
    word.replaceWith(link);
    link.append(word);
    makeLink(link, file);
  }
}

function makeLink(element: Element, { name, path, trueName }: FileView): void {
  element.setAttribute('data-href', name);
  element.setAttribute('role', 'link');
  element.setAttribute('tabindex', '0');
  element.setAttribute('title', trueName);
  element.classList.add('file-link');
  if (isShownIn(element.textContent, path) && trueName === path) return;
  const real = document.createElement('bdi');
  real.className = 'true-name';
  real.dir = 'ltr';
  real.textContent = trueName;
  element.after(' ', real);
}

/** Whether a text itself shows which file it leads to: the path, its end, or the whole path on the machine. */
function isShownIn(text: string, path: string): boolean {
  const shown = pathIn(text).replaceAll('\\', '/').replace(/^\.\//, '');
  const isWhole = /^(?:[a-z]:)?\//i.test(shown);
  return shown !== '' && (isWhole ? shown.endsWith(`/${path}`) : `/${path}`.endsWith(`/${shown}`));
}
