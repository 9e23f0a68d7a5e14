import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ApprovalChoiceView, ApprovalView } from '../../protocol/approvalView.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';
import { useArmed } from './useArmed.ts';

/** A tool's request with its possible answers. Screen readers announce it as soon as it appears. */
export function Approval({
  approval,
  onAnswered,
}: {
  approval: ApprovalView;
  onAnswered: () => void;
}): JSX.Element {
  const { host } = usePage();
  const { id, question, reason, command, address, choices, covers, hasChanges } = approval;
  const card = useRef<HTMLDivElement>(null);
  const { isArmed, takes } = useArmed(card, id);
  const answer = (choice: ApprovalChoiceView, event: MouseEvent): void => {
    if (!takes(event)) return;
    host.send({ type: 'answerApproval', id, choice });
    onAnswered();
  };
  return (
    <div ref={card} class="approval" role="group" aria-label={withHiddenSpelledOut(question)}>
      <div role="alert">
        <p class="approval-question" dir="auto">
          <HiddenMarked text={question} />
        </p>
        {command !== undefined && (
          <pre class="approval-command" tabIndex={0} dir="ltr">
            <HiddenMarked text={command} />
          </pre>
        )}
        {address !== undefined && (
          <pre class="approval-command" tabIndex={0} dir="ltr">
            <HiddenMarked text={address} />
          </pre>
        )}
        {reason !== undefined && (
          <p class="approval-reason" dir="auto">
            {reason}
          </p>
        )}
      </div>
      <div class="approval-choices">
        {choices.map((choice) => (
          <button
            key={choice}
            type="button"
            class={`approval-button ${choice === choices[0] ? 'primary' : ''}`}
            aria-disabled={!isArmed}
            onClick={(event) => answer(choice, event)}
          >
            {choiceText(choice, covers)}
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

/** A button names everything that it allows. */
function choiceText(choice: ApprovalChoiceView, covers: ApprovalView['covers']): string {
  switch (choice) {
    case 'once':
      return t('Allow Once');
    case 'chat':
      return inChatText(covers);
    case 'workspace':
      return inWorkspaceText(covers);
    case 'deny':
      return t('Deny');
  }
}

function inChatText(covers: ApprovalView['covers']): string {
  switch (covers) {
    case 'edits':
      return t('Allow All Edits in This Chat');
    case 'reading':
      return t('Allow Reading It in This Chat');
    case 'command':
      return t('Allow This Command in This Chat');
    case 'host':
      return t('Allow This Host in This Chat');
    case 'tool':
      return t('Allow Tool in This Chat');
  }
}

function inWorkspaceText(covers: ApprovalView['covers']): string {
  switch (covers) {
    case 'edits':
    case 'reading':
      return t('Always Allow Edits in Workspace');
    case 'command':
      return t('Always Allow This Command in Workspace');
    case 'host':
      return t('Always Allow This Host in Workspace');
    case 'tool':
      return t('Always Allow Tool in Workspace');
  }
}
