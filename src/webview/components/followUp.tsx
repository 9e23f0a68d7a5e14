import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { MAX_QUESTION_LENGTH } from '../../protocol/chatFromPage.ts';
import type { SideQuestionView } from '../../protocol/views.ts';
import { numberText, t } from '../state/texts.ts';
import { IconButton } from './iconButton.tsx';
import { usePage } from './pageContext.ts';

/** The input for follow-ups in the card of a side question. The text is the draft of its branch. */
export function FollowUp({
  sideQuestion: { branch, branchId },
  isBusy,
}: {
  sideQuestion: SideQuestionView;
  /** The previous answer is still being written: the question waits for it. */
  isBusy: boolean;
}): JSX.Element {
  const page = usePage();
  const { drafts, host, conversation } = page;
  const key = branchId ?? branch;
  const [text, setText] = useState(() => drafts.get(key).text);
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const trimmed = text.trim();
  const canSend = !isReadOnly && !isBusy && trimmed !== '';
  const type = (value: string): void => {
    setText(value);
    drafts.keep(key, { ...drafts.get(key), text: value });
  };
  const send = (): void => {
    if (!canSend) return;
    if (trimmed.length > MAX_QUESTION_LENGTH) {
      page.fail(t('This is too long to ask: at most {0} characters.', numberText(MAX_QUESTION_LENGTH)));
      return;
    }
    host.send({ type: 'askSideQuestion', text: trimmed, branch });
    type('');
  };
  return (
    <div class="follow-up">
      <textarea
        rows={1}
        aria-label={t('Follow-up')}
        placeholder={t('Ask a follow-up')}
        disabled={isReadOnly}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing || event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          send();
        }}
      />
      <IconButton icon="send" label={t('Send Follow-up')} disabled={!canSend} onClick={send} />
    </div>
  );
}
