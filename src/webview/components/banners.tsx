import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';
import { usePage } from './pageContext.ts';

/** Permanent notices, and below them recent failures. */
export function Banners(): JSX.Element {
  const page = usePage();
  const banners = page.conversation.value?.banners ?? [];
  const failures = page.failures.value;
  return (
    <>
      {banners
        .filter(({ limit }) => !limit)
        .map(({ id, severity, text }) => (
          <div key={id} class={`banner ${severity}`} role={severity === 'info' ? 'note' : 'alert'}>
            <Icon name={severity} />
            <span>
              <HiddenMarked text={text} />
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
