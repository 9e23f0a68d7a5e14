import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { numberText, t } from '../state/texts.ts';
import type { ContextAttachment } from '../../protocol/attachments.ts';

export function pagesText(pages: number): string {
  return pages === 1 ? t('1 page') : t('{0} pages', numberText(pages));
}

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

export const contextIcons: Readonly<Record<ContextAttachment['of'], string>> = {
  folder: 'folder',
  problems: 'warning',
  changes: 'git-compare',
  text: 'note',
};

export function contextName({ of, name }: Pick<ContextAttachment, 'of' | 'name'>): string {
  switch (of) {
    case 'folder':
      return `${withHiddenSpelledOut(name)}/`;
    case 'problems':
      return t('Problems');
    case 'changes':
      return t('Git Changes');
    case 'text':
      return withHiddenSpelledOut(name);
  }
}
