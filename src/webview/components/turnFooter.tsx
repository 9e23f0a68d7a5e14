import type { JSX } from 'preact';
import type { TurnView } from '../../protocol/views.ts';
import { durationText, numberText, t, usageText } from '../state/texts.ts';
import { UsageDetails, useUsageToggle } from './usageDetails.tsx';

/** The total usage of a turn's steps, at its end. */
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
        // As of the actions: the Tab key reaches that of the message one is at, and of no other.
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
