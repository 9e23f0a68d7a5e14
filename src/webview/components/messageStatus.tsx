import type { JSX } from 'preact';
import type { MessageView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { WaitingTime } from './waitingTime.tsx';

/** What became of an answer, where it did not simply end. */
export function MessageStatus({
  message,
  canAct = true,
}: {
  message: MessageView;
  /** The ways on are offered. */
  canAct?: boolean;
}): JSX.Element | null {
  const { host, conversation } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const shown = conversation.value;
  const setKey = (): void => host.send({ type: 'setApiKey', messageId: message.id });
  const regenerate = (): void => host.send({ type: 'regenerate', messageId: message.id });
  switch (message.status) {
    case 'complete':
      return message.notice ? <Notice notice={message.notice} canAct={canAct} /> : null;
    case 'streaming':
      return (
        <div class="status streaming" role="status">
          <span class="dots" aria-hidden="true">
            <span />
            <span />
            <span />
          </span>
          {message.waiting === undefined ? (
            <>
              <span class="visually-hidden">{t('Answering…')}</span>
              <WaitingTime message={message} />
            </>
          ) : (
            <span class="status-text">{message.waiting}</span>
          )}
        </div>
      );
    case 'interrupted':
    case 'failed':
      return (
        <div class={`status ${message.status}`}>
          <Icon name={message.status === 'failed' ? 'error' : 'debug-pause'} />
          <span class="status-text">
            <HiddenMarked text={message.error ?? t('Stopped. Partial response saved.')} />
            {canAct && message.wantsKey && (
              <button type="button" class="link-button" onClick={setKey}>
                {t('Set API Key…')}
              </button>
            )}
            {canAct && message.canSummarize && (
              <button
                type="button"
                class="link-button"
                disabled={isReadOnly}
                onClick={() => host.send({ type: 'summariseContext' })}
              >
                {t('Summarize')}
              </button>
            )}
            {canAct && message.canContinue && shown && (
              <button
                type="button"
                class="link-button"
                disabled={isReadOnly}
                onClick={() => host.send({ type: 'continueAnswer', branch: shown.branch })}
              >
                {t('Continue')}
              </button>
            )}
            {canAct && (
              <button type="button" class="link-button" disabled={isReadOnly} onClick={regenerate}>
                {t('Try Again')}
              </button>
            )}
          </span>
        </div>
      );
  }
}

/** What the user should know, and the way on where there is one. */
function Notice({
  notice,
  canAct,
}: {
  notice: NonNullable<MessageView['notice']>;
  canAct: boolean;
}): JSX.Element {
  const { host, conversation } = usePage();
  const shown = conversation.value;
  return (
    <div class="status notice" role="note">
      <Icon name="info" />
      <span class="status-text">
        {notice.text}
        {canAct && notice.canContinue && shown && (
          <button
            type="button"
            class="link-button"
            disabled={shown.isReadOnly}
            onClick={() => host.send({ type: 'continueAnswer', branch: shown.branch })}
          >
            {t('Continue')}
          </button>
        )}
      </span>
    </div>
  );
}
