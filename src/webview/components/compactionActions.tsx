import type { JSX } from 'preact';
import type { MessageView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { ContinueButton } from './continueButton.tsx';
import { usePage } from './pageContext.ts';

/** The actions for the summary of a compacted conversation. */
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
