import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { numberText, t } from '../state/texts.ts';

/** How long a PDF is. */
export function pagesText(pages: number): string {
  return pages === 1 ? t('1 page') : t('{0} pages', numberText(pages));
}

/** A file by its path, with the lines of it that are meant. */
export function rangeText({
  path: given,
  startLine,
  endLine,
}: {
  readonly path: string;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}): string {
  const path = withHiddenSpelledOut(given);
  if (startLine === undefined) return path;
  return endLine === undefined || endLine === startLine
    ? `${path}:${startLine}`
    : `${path}:${startLine}–${endLine}`;
}
