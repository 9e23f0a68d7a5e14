import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { MessageView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { Disclosure } from './disclosure.tsx';
import { Icon } from './icon.tsx';

/**
 * The content that the model gets with a message but the chat does not show, as plain text because it is untrusted.
 */
export function HiddenContent({ message }: { message: MessageView }): JSX.Element | null {
  if (message.hidden === undefined) return null;
  return (
    <Disclosure
      id={`${message.id} hidden`}
      class="tool hidden-content"
      summary={
        <>
          <Icon name="eye-closed" />
          <span class="tool-title">{t('Also sent to the model')}</span>
        </>
      }
    >
      <div class="tool-body">
        <pre dir="auto">{withHiddenSpelledOut(message.hidden)}</pre>
      </div>
    </Disclosure>
  );
}
