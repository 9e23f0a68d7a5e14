import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { ConversationView } from '../../protocol/chatFromHost.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { Page } from '../state/page.ts';
import { numberText, t } from '../state/texts.ts';
import { textOfParts } from '../state/textOfParts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';

type Progress = NonNullable<ConversationView['plan']>;

interface Plan {
  /** Left out: its answer is not loaded. */
  readonly messageId?: string;
  /** What it was asked for with. */
  readonly question: string;
}

/** The plans of the conversation: what was planned before may still be carried out. */
export function planSegment({ conversation, runningId }: Page): TraySegment | undefined {
  const { messages = [], plan } = conversation.value ?? {};
  const asked = plansOf(messages);
  const plans = asked.length === 0 && plan ? [{ question: '' }] : asked;
  const [last] = plans;
  if (!last) return undefined;
  const isNew = last.messageId === messages.at(-1)?.id && runningId.value === undefined;
  return {
    id: 'plan',
    icon: 'list-unordered',
    ...labelOf(plans.length, plan),
    urgency: 'quiet',
    opensFor: isNew ? [`plan ${last.messageId}`] : [],
    panel: () => <Plans plans={plans} />,
  };
}

function labelOf(count: number, plan: Progress | undefined): Pick<TraySegment, 'label' | 'count' | 'detail'> {
  const shown = numberText(count);
  const label = count === 1 ? t('Plan') : t('{0} plans', shown);
  // Before anything is done, there is no progress to look at.
  if (plan?.isBegun !== true) return count === 1 ? { label } : { label, count: shown };
  const done = `${numberText(plan.done)}/${numberText(plan.count)}`;
  return { label: t('{0} plan steps', done), count: done, detail: progressText(plan) };
}

function progressText({ done, count }: Progress): string {
  return t('{0} of {1} done', numberText(done), numberText(count));
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
      {plans.map((plan, index) => (
        <PlanRow key={plan.messageId} plan={plan} isOnly={plans.length === 1} isLast={index === 0} />
      ))}
    </section>
  );
}

function PlanRow({
  plan: { messageId, question },
  isOnly,
  isLast,
}: {
  plan: Plan;
  isOnly: boolean;
  /** It is the plan of the branch. */
  isLast: boolean;
}): JSX.Element {
  const { host, conversation, runningId } = usePage();
  const { isReadOnly = true, canHaveOwnFiles = false, plan: progress } = conversation.value ?? {};
  const isBegun = isLast && progress?.isBegun === true;
  // It is being implemented here, perhaps.
  const isBusy = isLast && isBegun && runningId.value !== undefined;
  const run = (command: 'carryOutPlan' | 'carryOutPlanInOwnFiles' | 'editPlan') => () =>
    host.send({ type: 'runCommandHere', command, ...(messageId === undefined ? {} : { messageId }) });
  return (
    <div class="plan">
      {isBegun && <span class="plan-progress">{progressText(progress)}</span>}
      {isOnly ? (
        isBegun || <span>{t('Nothing was changed for this plan.')}</span>
      ) : (
        <span class="plan-question" dir="auto" title={withHiddenSpelledOut(question)}>
          <HiddenMarked text={question} />
        </span>
      )}
      <span class="tray-actions">
        <button
          type="button"
          class="link-button"
          disabled={isReadOnly || isBusy}
          onClick={run('carryOutPlan')}
        >
          {t('Implement')}
        </button>
        {canHaveOwnFiles && (
          <button
            type="button"
            class="link-button"
            disabled={isReadOnly || isBusy}
            title={t('Implements it on a branch with its own files; the workspace stays as it is')}
            onClick={run('carryOutPlanInOwnFiles')}
          >
            {t('In Own Files')}
          </button>
        )}
        {isLast && (
          <button type="button" class="link-button" disabled={isReadOnly} onClick={run('editPlan')}>
            {t('Open Plan')}
          </button>
        )}
      </span>
    </div>
  );
}
