import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ApprovalChoiceView, ApprovalView } from '../../protocol/views.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';
import { useArmed } from './useArmed.ts';

/** What a tool asks, and the answers there are. It is told to screen readers as soon as it stands there. */
export function Approval({
  approval,
  onAnswered,
}: {
  approval: ApprovalView;
  onAnswered: () => void;
}): JSX.Element {
  const { host } = usePage();
  const { id, question, choices, hasChanges } = approval;
  const card = useRef<HTMLDivElement>(null);
  const { isArmed, takes } = useArmed(card, id);
  const answer = (choice: ApprovalChoiceView, event: MouseEvent): void => {
    if (!takes(event)) return;
    host.send({ type: 'answerApproval', id, choice });
    onAnswered();
  };
  return (
    <div ref={card} class="approval" role="group" aria-label={withHiddenSpelledOut(question)}>
      <p class="approval-question" role="alert" dir="auto">
        <HiddenMarked text={question} />
      </p>
      <div class="approval-choices">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            class={`approval-button ${choice === 'once' ? 'primary' : ''}`}
            aria-disabled={!isArmed}
            onClick={(event) => answer(choice, event)}
          >
            {choiceText(choice)}
          </button>
        ))}
        {hasChanges && (
          <button type="button" class="link-button" onClick={() => host.send({ type: 'showChanges', id })}>
            {t('Show Changes')}
          </button>
        )}
      </div>
    </div>
  );
}

function choiceText(choice: ApprovalChoiceView): string {
  switch (choice) {
    case 'once':
      return t('Allow Once');
    case 'chat':
      return t('Allow in This Chat');
    case 'workspace':
      return t('Always in This Workspace');
    case 'deny':
      return t('Deny');
  }
}
