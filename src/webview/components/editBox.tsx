import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MAX_QUESTION_LENGTH } from '../../protocol/chatFromPage.ts';
import type { MessageView } from '../../protocol/views.ts';
import { focusTextBox } from '../focus.ts';
import { isOfInputMethod } from '../inputMethod.ts';
import { textOfParts } from '../state/textOfParts.ts';
import { t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

/** Edits a question in place: the original stays on its branch. */
export function EditBox({ message, onClose }: { message: MessageView; onClose: () => void }): JSX.Element {
  const { host } = usePage();
  const [text, setText] = useState(() => textOfParts(message));
  const input = useRef<HTMLTextAreaElement>(null);
  // In a layout effect, because the next key is already for it.
  useLayoutEffect(() => {
    focusTextBox(input.current);
    input.current?.setSelectionRange(text.length, text.length);
  }, []);
  const trimmed = text.trim();
  const canSend = trimmed !== '' && trimmed.length <= MAX_QUESTION_LENGTH;
  const send = (): void => {
    if (!canSend) return;
    host.send({ type: 'editMessage', messageId: message.id, text: trimmed });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The arrow keys are for the text, not for the list of messages.
    event.stopPropagation();
    if (isOfInputMethod(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  return (
    <div class="edit-box">
      <textarea
        ref={input}
        rows={2}
        dir="auto"
        aria-label={t('Edit the question')}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="edit-bar">
        <span class="composer-hint">{t('Creates a new branch')}</span>
        <span class="edit-buttons">
          <button type="button" class="text-button secondary" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="button" class="text-button" disabled={!canSend} onClick={send}>
            {t('Send')}
          </button>
        </span>
      </div>
    </div>
  );
}
