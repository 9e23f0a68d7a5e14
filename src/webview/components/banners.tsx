import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';
import type { LimitAction, OfferAction } from '../../protocol/views.ts';

export function Banners(): JSX.Element {
  const page = usePage();
  const banners = page.conversation.value?.banners ?? [];
  const failures = page.failures.value;
  return (
    <>
      {banners
        .filter(({ limit }) => !limit)
        .map(({ id, severity, text, offer }) => (
          <div key={id} class={`banner ${severity}`} role={severity === 'info' ? 'note' : 'alert'}>
            <Icon name={severity} />
            <span>
              <HiddenMarked text={text} />
              {offer !== undefined && <Offer offer={offer} />}
            </span>
          </div>
        ))}
      {failures.map((text, index) => (
        <div key={`${index} ${text}`} class="banner error" role="alert">
          <Icon name="error" />
          <span>
            <HiddenMarked text={text} />
          </span>
          <IconButton icon="close" label={t('Dismiss')} onClick={() => page.dismissFailure(index)} />
        </div>
      ))}
    </>
  );
}

function Offer({ offer }: { readonly offer: string }): JSX.Element {
  const { host } = usePage();
  const actions: readonly (readonly [OfferAction, string])[] = [
    ['open', t('Open')],
    ['copy', t('Copy')],
    ['refuse', t('Not These')],
  ];
  return (
    <>
      {actions.map(([action, label]) => (
        <span key={action}>
          {' '}
          <button
            type="button"
            class="link-button"
            onClick={() => host.send({ type: 'takeOffer', offer, action })}
          >
            {label}
          </button>
        </span>
      ))}
    </>
  );
}

export function PlainNotice(): JSX.Element | null {
  const page = usePage();
  if (!page.isPlain.value) return null;
  return (
    <div class="banner warning" role="note">
      <Icon name="warning" />
      <span>
        {t('This chat stopped the window twice. It is shown as plain text.')}{' '}
        <button type="button" class="link-button" onClick={() => page.renderAgain()}>
          {t('Try Rendering Again')}
        </button>
      </span>
    </div>
  );
}

export function ContextWarning(): JSX.Element | null {
  const { host, conversation } = usePage();
  const shown = conversation.value;
  const warning = shown?.contextWarning;
  if (!warning) return null;
  return (
    <div class="banner warning context-warning" role="alert">
      <Icon name="warning" />
      <span>
        {warning.text}{' '}
        <button
          type="button"
          class="link-button"
          disabled={shown.isReadOnly}
          onClick={() =>
            host.send(
              warning.isFull
                ? { type: 'compactAndContinue' }
                : { type: 'runCommandHere', command: 'summarizeContext' },
            )
          }
        >
          {warning.isFull ? t('Compact and Continue') : t('Summarize on a new branch')}
        </button>
      </span>
      <IconButton
        icon="close"
        label={t('Dismiss')}
        onClick={() => host.send({ type: 'dismissContextWarning' })}
      />
    </div>
  );
}

export function Limits(): JSX.Element {
  const { host, conversation } = usePage();
  const banners = conversation.value?.banners ?? [];
  return (
    <>
      {banners.map(({ id, text, limit }) => {
        if (!limit) return null;
        const { action } = limit;
        return (
          <div key={id} class="limit" role="note">
            <Icon name={iconOf(action)} />
            <span>
              <HiddenMarked text={text} />{' '}
              {action && (
                <button
                  type="button"
                  class="link-button"
                  onClick={() => host.send({ type: 'takeLimitAction', action })}
                >
                  {actionText(action)}
                </button>
              )}
            </span>
          </div>
        );
      })}
    </>
  );
}

function iconOf(action: LimitAction | undefined): string {
  if (action === 'manageTrust') return 'workspace-untrusted';
  return action === 'reconnect' ? 'debug-disconnect' : 'lock';
}

function actionText(action: LimitAction): string {
  switch (action) {
    case 'manageTrust':
      return t('Manage Workspace Trust');
    case 'checkForUpdates':
      return t('Check for Extension Updates');
    case 'showLog':
      return t('Show Log');
    case 'reconnect':
      return t('Try Now');
  }
}
