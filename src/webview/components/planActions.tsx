import type { JSX } from 'preact';
import type { Page } from '../state/page.ts';
import { t } from '../state/texts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { usePage } from './pageContext.ts';

/** The last plan of the conversation: a later one replaces it. */
export function planSegment({ conversation, runningId }: Page): TraySegment | undefined {
  const messages = conversation.value?.messages ?? [];
  const plan = messages.findLast(({ isPlan, status }) => isPlan && status === 'complete');
  if (!plan) return undefined;
  const isNew = plan.id === messages.at(-1)?.id && runningId.value === undefined;
  return {
    id: 'plan',
    icon: 'list-unordered',
    label: t('Plan'),
    urgency: 'quiet',
    opensFor: isNew ? [`plan ${plan.id}`] : [],
    panel: () => <PlanActions messageId={plan.id} />,
  };
}

function PlanActions({ messageId }: { messageId: string }): JSX.Element {
  const { host, conversation } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const run = (command: 'carryOutPlan' | 'editPlan') => () =>
    host.send({ type: 'runCommandHere', command, messageId });
  return (
    <section class="plan" aria-label={t('Plan')}>
      <div class="tray-head">
        <span>{t('Nothing was changed for this plan.')}</span>
        <span class="tray-actions">
          <button type="button" class="link-button" disabled={isReadOnly} onClick={run('carryOutPlan')}>
            {t('Implement')}
          </button>
          <button type="button" class="link-button" disabled={isReadOnly} onClick={run('editPlan')}>
            {t('Edit Plan')}
          </button>
        </span>
      </div>
    </section>
  );
}
