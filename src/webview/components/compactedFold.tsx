import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** Replaces the messages that are summarized for the model, or is shown below them once they are opened. */
export function CompactedFold(): JSX.Element | null {
  const { fold } = usePage();
  const { value: compaction } = fold.compaction;
  if (!compaction) return null;
  const isOpen = fold.isOpen.value;
  return (
    <li class="compacted-fold">
      <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => fold.toggle()}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{foldText(compaction.count, isOpen)}</span>
      </button>
    </li>
  );
}

function foldText(count: number, isOpen: boolean): string {
  if (isOpen)
    return count === 1 ? t('1 message above, compacted') : t('{0} messages above, compacted', count);
  return count === 1 ? t('1 earlier message, compacted') : t('{0} earlier messages, compacted', count);
}
