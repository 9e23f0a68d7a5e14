import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { numberText, t } from '../state/texts.ts';

/** The length of a PDF. */
export function pagesText(pages: number): string {
  return pages === 1 ? t('1 page') : t('{0} pages', numberText(pages));
}

/** The path of a file, with the referenced lines. */
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
