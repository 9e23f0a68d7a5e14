import { spelledOut, withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { oneLine } from './oneLine.ts';

/** Names that agents and files gave, as they can be shown: what hides, or would begin a line, is spelled out. */
export function shownName(name: string, limit = 80): string {
  // No more of it is looked at than could be shown.
  const start = name.slice(0, limit * 20);
  return oneLine(withHiddenSpelledOut(start).replaceAll(/\p{Cc}/gu, spelledOut), limit);
}

/** What the editor takes a picture by its name for. */
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

/**
 * A path below nothing, as VS Code can show it: no way up, no trick or icon in the name, an ending that says what it is.
 */
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

/** Pictures made of dots; others are text that could hold a script, and are shown as such. */
export function isShownAsPicture(mediaType: string): boolean {
  return /^image\/(?:bmp|gif|jpeg|png|webp)$/u.test(mediaType);
}
