import type { JSX } from 'preact';
import type { LimitAction } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** The limits of this window, with actions to resolve them, near the affected controls. */
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
