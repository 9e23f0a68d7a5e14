import type { JSX } from 'preact';
import type { TurnView, UsageView } from '../../protocol/views.ts';
import { durationText, numberText, t, usageText, usageTitle } from '../state/texts.ts';
import { useOpened } from './disclosure.tsx';

export interface UsageToggle {
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

export function useUsageToggle(messageId: string): UsageToggle {
  const [extent, setExtent] = useOpened(`usage ${messageId}`, 0);
  return { isOpen: extent > 0, toggle: () => setExtent(extent > 0 ? 0 : 1) };
}

export function UsageButton({
  usage,
  isCurrent,
  isOpen,
  toggle,
}: UsageToggle & { readonly usage: UsageView; readonly isCurrent: boolean }): JSX.Element {
  return (
    <button
      type="button"
      class="usage usage-button"
      // As with the actions: the Tab key reaches only that of the current message.
      tabIndex={isCurrent ? 0 : -1}
      aria-expanded={isOpen}
      title={usageTitle(usage)}
      onClick={toggle}
    >
      {usageText(usage)}
    </button>
  );
}

export function UsageDetails({
  usage,
  turn,
}: {
  readonly usage: UsageView;
  readonly turn?: TurnView;
}): JSX.Element {
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, cost } = usage;
  return (
    <dl class="usage-details">
      {turn && (
        <>
          <Detail name={t('Time')} value={durationText(turn.duration)} />
          <Detail name={t('Steps')} value={numberText(turn.steps)} />
        </>
      )}
      <Detail name={t('Input')} value={numberText(inputTokens)} />
      {cachedTokens !== undefined && <Detail name={t('Cached input')} value={numberText(cachedTokens)} />}
      <Detail name={t('Output')} value={numberText(outputTokens)} />
      {reasoningTokens !== undefined && <Detail name={t('Reasoning')} value={numberText(reasoningTokens)} />}
      {cost !== undefined && <Detail name={t('Cost')} value={`$${cost.toFixed(6)}`} />}
    </dl>
  );
}

function Detail({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

export function TurnFooter({
  id,
  turn,
  isCurrent,
}: {
  readonly id: string;
  readonly turn: TurnView;
  readonly isCurrent: boolean;
}): JSX.Element {
  const { isOpen, toggle } = useUsageToggle(`turn ${id}`);
  const { duration, steps, usage } = turn;
  const text = [
    // It is not known of a turn that came from another program.
    ...(duration > 0 ? [durationText(duration)] : []),
    t('{0} steps', numberText(steps)),
    ...(usage ? [usageText(usage)] : []),
  ].join(' · ');
  if (!usage) {
    return (
      <div class="turn">
        <span class="usage">{text}</span>
      </div>
    );
  }
  return (
    <div class="turn">
      <button
        type="button"
        class="usage usage-button"
        tabIndex={isCurrent ? 0 : -1}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {text}
      </button>
      {isOpen && <UsageDetails usage={usage} turn={turn} />}
    </div>
  );
}
