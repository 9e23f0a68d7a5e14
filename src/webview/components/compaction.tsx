import type { JSX } from 'preact';
import type { MessageView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { ContinueButton } from './messageStatus.tsx';
import { usePage } from './pageContext.ts';
import { Icon } from './icon.tsx';

export function CompactionActions({ message }: { message: MessageView }): JSX.Element {
  const { host, conversation, fold, runningId } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const branch = conversation.value?.branch;
  const isInForce = fold.compaction.value?.messageId === message.id;
  const isBusy = runningId.value !== undefined;
  return (
    <div class="compaction-actions">
      {isInForce && (
        <button
          type="button"
          class="link-button"
          aria-expanded={fold.isOpen.value}
          onClick={() => fold.toggle()}
        >
          {fold.isOpen.value ? t('Hide Messages') : t('Show Messages')}
        </button>
      )}
      <button
        type="button"
        class="link-button"
        disabled={isReadOnly || isBusy}
        title={t('Send the messages whole again, on a new branch')}
        onClick={() =>
          host.send({ type: 'runCommandHere', command: 'undoCompaction', messageId: message.id })
        }
      >
        {t('Undo')}
      </button>
      {message.canContinue && branch !== undefined && <ContinueButton branch={branch} />}
    </div>
  );
}

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
