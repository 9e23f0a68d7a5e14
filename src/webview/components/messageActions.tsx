import type { JSX } from 'preact';
import type { MessageView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** The actions for a message; its menu has the same ones. */
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
