import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';
import { usePage } from './pageContext.ts';

/** Warns that the conversation will soon exceed the model's context, and offers a solution. */
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
                : { type: 'runCommandHere', command: 'summariseContext' },
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
