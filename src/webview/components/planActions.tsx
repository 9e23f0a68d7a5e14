import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { Page } from '../state/page.ts';
import { numberText, t } from '../state/texts.ts';
import { textOfParts } from '../state/textOfParts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';

interface Plan {
  readonly messageId: string;
  /** What it was asked for with. */
  readonly question: string;
}

/** The plans of the conversation: what was planned before may still be carried out. */
export function planSegment({ conversation, runningId }: Page): TraySegment | undefined {
  const messages = conversation.value?.messages ?? [];
  const plans = plansOf(messages);
  const [last] = plans;
  if (!last) return undefined;
  const isNew = last.messageId === messages.at(-1)?.id && runningId.value === undefined;
  const count = numberText(plans.length);
  return {
    id: 'plan',
    icon: 'list-unordered',
    ...(plans.length === 1 ? { label: t('Plan') } : { label: t('{0} plans', count), count }),
    urgency: 'quiet',
    opensFor: isNew ? [`plan ${last.messageId}`] : [],
    panel: () => <Plans plans={plans} />,
  };
}

/** The last one first. */
function plansOf(messages: readonly MessageView[]): readonly Plan[] {
  return messages
    .flatMap(({ id, isPlan, status }, index) => {
      if (!isPlan || status !== 'complete') return [];
      const asked = messages.slice(0, index).findLast(({ role }) => role === 'user');
      return [{ messageId: id, question: asked ? textOfParts(asked, ' ') : '' }];
    })
    .reverse();
}

function Plans({ plans }: { plans: readonly Plan[] }): JSX.Element {
  return (
    <section class="plans" aria-label={t('Plan')}>
      {plans.map((plan) => (
        <PlanRow key={plan.messageId} plan={plan} isOnly={plans.length === 1} />
      ))}
    </section>
  );
}

function PlanRow({ plan: { messageId, question }, isOnly }: { plan: Plan; isOnly: boolean }): JSX.Element {
  const { host, conversation } = usePage();
  const { isReadOnly = true, canHaveOwnFiles = false } = conversation.value ?? {};
  const run = (command: 'carryOutPlan' | 'carryOutPlanInOwnFiles' | 'editPlan') => () =>
    host.send({ type: 'runCommandHere', command, messageId });
  return (
    <div class="plan">
      {isOnly ? (
        <span>{t('Nothing was changed for this plan.')}</span>
      ) : (
        <span class="plan-question" dir="auto" title={withHiddenSpelledOut(question)}>
          <HiddenMarked text={question} />
        </span>
      )}
      <span class="tray-actions">
        <button type="button" class="link-button" disabled={isReadOnly} onClick={run('carryOutPlan')}>
          {t('Implement')}
        </button>
        {canHaveOwnFiles && (
          <button
            type="button"
            class="link-button"
            disabled={isReadOnly}
            title={t('Implements it on a branch with its own files; the workspace stays as it is')}
            onClick={run('carryOutPlanInOwnFiles')}
          >
            {t('In Own Files')}
          </button>
        )}
        <button type="button" class="link-button" disabled={isReadOnly} onClick={run('editPlan')}>
          {t('Edit Plan')}
        </button>
      </span>
    </div>
  );
}
