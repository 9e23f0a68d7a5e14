import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';
import { Refusal } from './refusal.tsx';

/** Why no chat is shown, with possible actions. */
export function NothingShown({ reason }: { reason: string }): JSX.Element {
  const { host, isAway } = usePage();
  if (!isAway.value) {
    return (
      <Refusal reason={reason} onRetry={() => host.send({ type: 'ready', again: true })}>
        <button
          type="button"
          class="link-button"
          onClick={() => host.send({ type: 'runCommand', command: 'newChat' })}
        >
          {t('New Chat')}
        </button>
      </Refusal>
    );
  }
  return (
    <Refusal
      reason={reason}
      icon="debug-disconnect"
      onRetry={() => host.send({ type: 'runCommand', command: 'openStorageAgain' })}
    >
      <button
        type="button"
        class="link-button"
        onClick={() => host.send({ type: 'runCommand', command: 'disconnectSharedStore' })}
      >
        {t('Use Local Chats…')}
      </button>
    </Refusal>
  );
}
