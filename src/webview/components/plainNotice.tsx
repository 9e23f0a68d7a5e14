import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** Explains that a chat is shown as plain text, because pages crashed on it, with a way back. */
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
