import type { JSX } from 'preact';
import type { MessageView, VersionsView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { IconButton, Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

export function MessageActions({
  message,
  onEdit,
}: {
  message: MessageView;
  onEdit: () => void;
}): JSX.Element {
  const { host, conversation } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const messageId = message.id;
  return (
    <div class="message-actions" role="toolbar" aria-label={t('Message actions')}>
      <IconButton
        icon="discard"
        label={t('Rewind to here')}
        disabled={isReadOnly}
        onClick={() => host.send({ type: 'runCommandHere', command: 'rewindToHere', messageId })}
      />
      <IconButton
        icon="bookmark"
        label={t('Create checkpoint here')}
        disabled={isReadOnly}
        onClick={() => host.send({ type: 'runCommandHere', command: 'createCheckpointHere', messageId })}
      />
      {message.role === 'user' && (
        <IconButton
          icon="edit"
          label={t('Edit here, on a new branch')}
          disabled={isReadOnly}
          onClick={onEdit}
        />
      )}
      {message.role === 'assistant' && (
        <IconButton
          icon="refresh"
          label={t('Regenerate on a new branch')}
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'runCommandHere', command: 'regenerate', messageId })}
        />
      )}
      {message.role === 'assistant' && (
        <IconButton
          icon="settings"
          label={t('Regenerate with another model or temperature')}
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'runCommandHere', command: 'regenerateWith', messageId })}
        />
      )}
      {message.role === 'assistant' && (
        <IconButton
          icon="versions"
          label={t('Generate alternatives, side by side')}
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'runCommandHere', command: 'tryTimes', messageId })}
        />
      )}
      <IconButton
        icon="copy"
        label={t('Copy')}
        onClick={() => host.send({ type: 'runCommandHere', command: 'copyMessage', messageId })}
      />
    </div>
  );
}

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

function Step({ icon, number, count, to }: StepProps): JSX.Element {
  const { host } = usePage();
  const name = t('Version {0} of {1}', number, count);
  return (
    <span class="version-step">
      <button
        type="button"
        class="icon-button"
        data-steps
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
