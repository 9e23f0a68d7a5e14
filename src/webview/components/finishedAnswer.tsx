import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

/** Tells a screen reader that the answer one waits for has come; each token would be too much. */
export function FinishedAnswer(): JSX.Element {
  const page = usePage();
  const runningId = page.runningId.value;
  const messages = page.conversation.value?.messages;
  const awaited = useRef<string | undefined>(undefined);
  const [text, setText] = useState('');

  useEffect(() => {
    const before = awaited.current;
    awaited.current = runningId;
    if (runningId !== undefined) setText('');
    else if (before !== undefined && messages?.some(({ id }) => id === before)) {
      setText(t('The answer has arrived.'));
    }
  }, [runningId, messages]);

  return (
    <div class="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}
