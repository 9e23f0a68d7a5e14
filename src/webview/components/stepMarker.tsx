import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';

/** Between two steps of an answer: the changes of the first one, and a way back to it. */
export function StepMarker({
  messageId,
  step,
  isCurrent,
}: {
  readonly messageId: string;
  readonly step: string;
  readonly isCurrent: boolean;
}): JSX.Element {
  const { host, conversation } = usePage();
  const label = t('Rewind to Here');
  return (
    <div class="step">
      <span class="step-text" dir="auto" title={withHiddenSpelledOut(step)}>
        <HiddenMarked text={step} />
      </span>
      <button
        type="button"
        class="link-button step-rewind"
        // As of the actions: the Tab key reaches that of the current message, and of no other.
        tabIndex={isCurrent ? 0 : -1}
        aria-label={t('{0}: {1}', label, withHiddenSpelledOut(step))}
        disabled={conversation.value?.isReadOnly ?? true}
        onClick={() => host.send({ type: 'runCommandHere', command: 'rewindToHere', messageId })}
      >
        {label}
      </button>
    </div>
  );
}
