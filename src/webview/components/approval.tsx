import type { JSX } from 'preact';
import type { ApprovalChoiceView, ApprovalView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

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
  const answer = (choice: ApprovalChoiceView): void => {
    host.send({ type: 'answerApproval', id, choice });
    onAnswered();
  };
  return (
    <div class="approval" role="group" aria-label={question}>
      <p class="approval-question" role="alert" dir="auto">
        {question}
      </p>
      <div class="approval-choices">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            class={`approval-button ${choice === 'once' ? 'primary' : ''}`}
            onClick={() => answer(choice)}
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
