import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** The actions for an answer that is a plan. */
export function PlanActions({ messageId }: { messageId: string }): JSX.Element {
  const { host, conversation } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  return (
    <div class="status notice" role="note">
      <Icon name="checklist" />
      <span class="status-text">
        {t('Nothing was changed for this plan.')}
        <button
          type="button"
          class="link-button"
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'runCommandHere', command: 'carryOutPlan', messageId })}
        >
          {t('Carry Out')}
        </button>
        <button
          type="button"
          class="link-button"
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'runCommandHere', command: 'editPlan', messageId })}
        >
          {t('Edit Plan')}
        </button>
      </span>
    </div>
  );
}
