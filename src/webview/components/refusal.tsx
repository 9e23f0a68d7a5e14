import type { ComponentChildren, JSX } from 'preact';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';

export interface RefusalProps {
  readonly reason: string;
  readonly onRetry: () => void;
  /** Default: an error icon. */
  readonly icon?: string;
  readonly children?: ComponentChildren;
}

export function Refusal({ reason, onRetry, icon = 'error', children }: RefusalProps): JSX.Element {
  return (
    <div class="refusal" role="alert">
      <p>
        <Icon name={icon} /> <HiddenMarked text={reason} />
      </p>
      <button type="button" class="link-button" onClick={onRetry}>
        {t('Try Again')}
      </button>
      {children}
    </div>
  );
}
