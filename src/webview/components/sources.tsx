import type { JSX } from 'preact';
import type { MessageView } from '../../protocol/views.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';

/** The web pages that were read for an answer. The host opens them after checking the address. */
export function Sources({ message: { sources } }: { message: MessageView }): JSX.Element | null {
  if (!sources) return null;
  return (
    <div class="sources">
      <span class="sources-label">{t('Sources')}</span>
      <ul aria-label={t('Sources')}>
        {sources.map(({ title, host, url }) => (
          <li key={url}>
            <span class="source" role="link" tabIndex={0} data-href={url} title={withHiddenSpelledOut(url)}>
              <Icon name="globe" />
              <span class="source-text">
                <span class="source-title" dir="auto">
                  <HiddenMarked text={title} />
                </span>{' '}
                <span class="source-host" dir="ltr">
                  <HiddenMarked text={host} />
                </span>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
