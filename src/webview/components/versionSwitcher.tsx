import type { JSX } from 'preact';
import type { MessageView, VersionsView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** A fork of the conversation: which version this is, with links to its neighbors. */
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

/** Previews the beginning of the other version on hover or focus. */
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
