import { spelledOut, withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';

/** Names from agents and files, made safe: what is hidden, or would begin a line, is spelled out. */
export function shownName(name: string, limit = 80): string {
  // Processes no more than could be shown.
  const start = name.slice(0, limit * 20);
  return oneLine(withHiddenSpelledOut(start).replaceAll(/\p{Cc}/gu, spelledOut), limit);
}

/** The extensions by which the editor recognizes a picture. */
const extensions: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

/** How long a part of a path may be, in characters. */
const PART_LENGTH = 80;

/** A relative path for VS Code: no parent folder, no trick or icon in the name, an extension that fits the content. */
export function fileNameFor(name: string, mediaType: string): string {
  const parts = name
    .replace(/^user:/u, '')
    .split(/[/\\]/u)
    .map((part) => shownName(part, PART_LENGTH).replaceAll(/[:*?"<>|#%]|\$(?=\()/gu, '_'))
    .filter((part) => part !== '' && !/^\.+$/u.test(part));
  const path = parts.join('/') || 'artifact';
  const extension = extensions[mediaType];
  const hasOne = /\.[\p{L}\p{N}]{1,8}$/u.test(path);
  const isPicture = isShownAsPicture(mediaType);
  const fits = isPicture
    ? new RegExp(`\\.(${extension ?? ''}${extension === 'jpg' ? '|jpeg' : ''})$`, 'iu').test(path)
    : hasOne;
  return fits || extension === undefined ? path : `${path}.${extension}`;
}

/** Pixel images; others are text that could contain a script, and are shown as such. */
export function isShownAsPicture(mediaType: string): boolean {
  return /^image\/(?:bmp|gif|jpeg|png|webp)$/u.test(mediaType);
}

/** A text as one line of at most `limit` visible characters, cut with an ellipsis. */
export function oneLine(text: string, limit: number): string {
  // A character may have several code units, but hardly ever this many.
  const start = text
    .slice(0, limit * 20)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (start.length <= limit) return start;
  const characters = Array.from(new Intl.Segmenter().segment(start), ({ segment }) => segment);
  if (characters.length <= limit) return start;
  return `${characters
    .slice(0, limit - 1)
    .join('')
    .trimEnd()}…`;
}
