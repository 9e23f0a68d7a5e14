import type { JSX } from 'preact';
import type { MessageView, VersionsView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** Where the conversation forks: which of several this is, and the way to those beside it. */
export function VersionSwitcher({ message }: { message: MessageView }): JSX.Element | null {
  const { host } = usePage();
  const { versions } = message;
  if (!versions) return null;
  const { number, count, before, after } = versions;
  return (
    <div class="versions" role="group" aria-label={t('Version {0} of {1}', number, count)}>
      <Step icon="chevron-left" number={number - 1} count={count} to={before} />
      <span aria-hidden="true">{`${number}/${count}`}</span>
      <Step icon="chevron-right" number={number + 1} count={count} to={after} />
      {message.role === 'assistant' && (
        <button
          type="button"
          class="icon-button"
          title={t('Compare the answers side by side')}
          aria-label={t('Compare the answers side by side')}
          onClick={() =>
            host.send({ type: 'runCommandHere', command: 'compareAnswers', messageId: message.id })
          }
        >
          <Icon name="split-horizontal" />
        </button>
      )}
    </div>
  );
}

interface StepProps {
  readonly icon: string;
  readonly number: number;
  readonly count: number;
  readonly to: VersionsView['before'];
}

/** Shows how the other one begins while one is at it, by mouse or keyboard. */
function Step({ icon, number, count, to }: StepProps): JSX.Element {
  const { host } = usePage();
  const name = t('Version {0} of {1}', number, count);
  return (
    <span class="version-step">
      <button
        type="button"
        class="icon-button"
        aria-label={to ? t('{0}: {1}', name, to.preview) : t('No other version')}
        disabled={!to}
        onClick={() => to && host.send({ type: 'openVersion', messageId: to.id })}
      >
        <Icon name={icon} />
      </button>
      {to && (
        <span class="version-preview" aria-hidden="true">
          <strong>{name}</strong>
          <span dir="auto">{to.preview === '' ? t('(no text)') : to.preview}</span>
        </span>
      )}
    </span>
  );
}
