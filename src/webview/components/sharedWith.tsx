import type { JSX } from 'preact';
import type { ConversationView } from '../../protocol/chatFromHost.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';

const MOST = 3;

export function SharedWith({
  conversation: { shared },
}: {
  conversation: Pick<ConversationView, 'shared'>;
}): JSX.Element | null {
  if (!shared) return null;
  const { owner, access, others } = shared;
  const more = others.length - MOST;
  const sharing = sharingText(owner, access);
  return (
    <span class="shared-with">
      {sharing !== '' && (
        <span class="sharing" title={sharing}>
          <Icon name={access === 'write' ? 'organization' : access === 'read' ? 'eye' : 'lock'} />
          <span class="visually-hidden">{sharing}</span>
        </span>
      )}
      {others.length > 0 && (
        <ul class="people" aria-label={t('Here now')}>
          {others.slice(0, MOST).map(({ name, isOnBranch }) => {
            const where = isOnBranch ? t('{0} is here', name) : t('{0} is on another branch', name);
            return (
              <li key={name} class={isOnBranch ? 'on-branch' : ''} title={withHiddenSpelledOut(where)}>
                <span aria-hidden="true">{initial(name)}</span>
                <span class="visually-hidden">{withHiddenSpelledOut(where)}</span>
              </li>
            );
          })}
          {more > 0 && (
            <li
              class="more"
              title={others
                .slice(MOST)
                .map(({ name }) => withHiddenSpelledOut(name))
                .join(', ')}
            >
              +{more}
            </li>
          )}
        </ul>
      )}
    </span>
  );
}

export function AskedBy({ name }: { name: string }): JSX.Element {
  return (
    <p class="asked-by">
      <Icon name="account" />
      <HiddenMarked text={name} />
    </p>
  );
}

function sharingText(owner: string | undefined, access: 'private' | 'read' | 'write'): string {
  if (owner === undefined) {
    if (access === 'private') return '';
    return access === 'read' ? t('Shared to read') : t('Shared to write');
  }
  return access === 'read' ? t('{0} shares it to read', owner) : t('{0} shares it to write', owner);
}

function initial(name: string): string {
  const [first = '?'] = withHiddenSpelledOut(name);
  return first.toUpperCase();
}
