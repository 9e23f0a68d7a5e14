import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { ContextAttachment } from '../../protocol/attachments.ts';
import { t } from '../state/texts.ts';

export const contextIcons: Readonly<Record<ContextAttachment['of'], string>> = {
  folder: 'folder',
  problems: 'warning',
  changes: 'git-compare',
  text: 'note',
};

/** The name of an attachment that is not a file. */
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
