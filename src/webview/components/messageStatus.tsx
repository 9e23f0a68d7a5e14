import type { JSX } from 'preact';
import type { OnBudget } from '../../protocol/chatFromPage.ts';
import type { MessageView } from '../../protocol/views.ts';
import { textOfParts } from '../state/textOfParts.ts';
import { t, clockText } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { useEffect, useState } from 'preact/hooks';

export function MessageStatus({
  message,
  canAct = true,
  budgetBranch,
  sideBranch,
}: {
  message: MessageView;
  canAct?: boolean;
  /** The branch that ends with it, where the cap that stopped it is all that can be acted on. */
  budgetBranch?: string | undefined;
  /** The branch of the side question that it belongs to; left out: the one that is shown. */
  sideBranch?: string;
}): JSX.Element | null {
  const { alternatives, host, conversation } = usePage();
  const isReadOnly = (conversation.value ?? alternatives.value)?.isReadOnly ?? true;
  const branch = sideBranch ?? conversation.value?.branch;
  const cappedBranch = canAct ? branch : budgetBranch;
  const isSideQuestion = sideBranch !== undefined;
  const isAsking = message.parts.some((part) => part.type === 'tool' && part.state === 'asking');
  const setKey = (): void => host.send({ type: 'setApiKey', messageId: message.id });
  const retry = (): void => {
    if (!message.isUnsaved && !message.canAnswer)
      host.send({ type: 'runCommandHere', command: 'regenerate', messageId: message.id });
    else if (branch !== undefined) host.send({ type: 'retryAnswer', branch });
  };
  if (message.canSave) return <NotSaved message={message} branch={branch} canAct={canAct} />;
  switch (message.status) {
    case 'complete':
      if (message.canAnswer && canAct) return <Unanswered isReadOnly={isReadOnly} onAnswer={retry} />;
      return (
        <>
          {message.notice && <Notice notice={message.notice} canAct={canAct} branch={branch} />}
          {message.canContinue && message.role === 'assistant' && canAct && (
            <Notice
              notice={{ text: t('The answer stops after this step.'), canContinue: true }}
              canAct={canAct}
              branch={branch}
            />
          )}
        </>
      );
    case 'streaming':
      return (
        <div class="status streaming" role="status">
          {/* Nothing moves while the user is asked. */}
          {!isAsking && (
            <span class="dots" aria-hidden="true">
              <span />
              <span />
              <span />
            </span>
          )}
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
            <span>
              <HiddenMarked text={message.error ?? stoppedText(message)} />
            </span>
            {canAct && message.wantsKey && (
              <button type="button" class="link-button" onClick={setKey}>
                {t('Set API Key…')}
              </button>
            )}
            {canAct && !isSideQuestion && message.canSummarize && (
              <button
                type="button"
                class="link-button"
                disabled={isReadOnly}
                onClick={() => host.send({ type: 'compactAndContinue' })}
              >
                {t('Compact and Continue')}
              </button>
            )}
            {message.isAtBudget && cappedBranch !== undefined && (
              <BudgetActions
                branch={cappedBranch}
                isContinued={message.canContinue === true}
                isReadOnly={isReadOnly}
              />
            )}
            {canAct && message.canContinue && !message.isAtBudget && branch !== undefined && (
              <ContinueButton branch={branch} />
            )}
            {/* Another answer would be on another branch, but the card shows only one. */}
            {canAct && (!isSideQuestion || message.isUnsaved) && (
              <button type="button" class="link-button" disabled={isReadOnly} onClick={retry}>
                {t('Try Again')}
              </button>
            )}
          </span>
        </div>
      );
  }
}

function NotSaved({
  message,
  branch,
  canAct,
}: {
  message: MessageView;
  branch: string | undefined;
  canAct: boolean;
}): JSX.Element {
  const { host } = usePage();
  const text = textOfParts(message);
  return (
    <div class="status unsaved" role="status">
      <Icon name="warning" />
      <span class="status-text">
        <span>
          <HiddenMarked text={message.error ?? ''} />
        </span>
        <span class="unsaved-actions">
          {canAct && branch !== undefined && (
            <button
              type="button"
              class="link-button"
              onClick={() => host.send({ type: 'saveAnswer', branch })}
            >
              {t('Save Again')}
            </button>
          )}
          {text !== '' && (
            <button type="button" class="link-button" onClick={() => host.send({ type: 'copyText', text })}>
              {t('Copy')}
            </button>
          )}
        </span>
      </span>
    </div>
  );
}

function stoppedText({ parts }: MessageView): string {
  const isEmpty = parts.every((part) => part.type === 'text' && part.text.trim() === '');
  return isEmpty ? t('Stopped.') : t('Stopped. Partial response saved.');
}

export function Unanswered({
  isReadOnly,
  onAnswer,
}: {
  isReadOnly: boolean;
  onAnswer: () => void;
}): JSX.Element {
  return (
    <div class="status notice" role="note">
      <Icon name="info" />
      <span class="status-text">
        {t('No answer yet.')}
        <button type="button" class="link-button" disabled={isReadOnly} onClick={onAnswer}>
          {t('Try Again')}
        </button>
      </span>
    </div>
  );
}

function Notice({
  notice,
  canAct,
  branch,
}: {
  notice: NonNullable<MessageView['notice']>;
  canAct: boolean;
  branch: string | undefined;
}): JSX.Element {
  return (
    <div class="status notice" role="note">
      <Icon name="info" />
      <span class="status-text">
        {notice.text}
        {canAct && notice.canContinue && branch !== undefined && <ContinueButton branch={branch} />}
      </span>
    </div>
  );
}

export function ContinueButton({ branch }: { branch: string }): JSX.Element {
  const { host, conversation } = usePage();
  return (
    <button
      type="button"
      class="link-button"
      disabled={conversation.value?.isReadOnly ?? true}
      onClick={() => host.send({ type: 'continueAnswer', branch })}
    >
      {t('Continue')}
    </button>
  );
}

/** What can be done about a response that a cap stopped. */
export function BudgetActions({
  branch,
  isContinued,
  isReadOnly,
}: {
  readonly branch: string;
  /** False: it stopped before its first word. */
  readonly isContinued: boolean;
  readonly isReadOnly: boolean;
}): JSX.Element {
  const { host } = usePage();
  const goOn = (onBudget: OnBudget): void =>
    host.send({ type: isContinued ? 'continueAnswer' : 'retryAnswer', branch, onBudget });
  return (
    <>
      <button type="button" class="link-button" disabled={isReadOnly} onClick={() => goOn('once')}>
        {t('Continue Once')}
      </button>
      <button type="button" class="link-button" disabled={isReadOnly} onClick={() => goOn('raise')}>
        {t('Raise Cap…')}
      </button>
    </>
  );
}

/** The silence after which the time is shown, in milliseconds. */
const SHOWN_AFTER = 10_000;

/** How long the model has been silent: a local one may read for minutes before its first word. */
function WaitingTime({ message }: { readonly message: MessageView }): JSX.Element | null {
  const { id, createdAt, parts } = message;
  const last = parts.at(-1);
  const isSilent = last === undefined || last.type === 'nothing';
  const [since, setSince] = useState(createdAt);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setSince(parts.length === 0 ? createdAt : Date.now());
    setNow(Date.now());
    if (!isSilent) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [id, parts.length, isSilent]);
  const waited = now - since;
  if (!isSilent || waited < SHOWN_AFTER) return null;
  return (
    // Not read aloud every second.
    <span class="status-text" aria-hidden="true">
      {t('Waiting for the model… {0}', clockText(waited))}
    </span>
  );
}
