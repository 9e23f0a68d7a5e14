import type { FileView } from '../../protocol/views.ts';
import { fileNamesIn, mayBeFile, pathIn } from './fileMentions.ts';

/** A quick check whether a part of an answer can name a file at all. */
export function mayNameFiles(html: string): boolean {
  return /<code|data-file|[\\/:]/.test(html);
}

/**
 * Turns names of known files into links. The real path is appended where the name differs, so that no name can pass
 * for that of another file.
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

/** The text nodes outside code and links. */
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
