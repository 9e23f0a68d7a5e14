import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SideQuestionView, MessageView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

/** Announces to screen readers that the answer is complete; announcing each token would be too much. */
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
    else if (before !== undefined) {
      const answer = messages?.find(({ id }) => id === before);
      if (answer) setText(news(answer));
    }
  }, [runningId, messages]);

  const sideQuestions = page.sideQuestions.value;
  const asked = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isStreaming = ({ answer }: SideQuestionView): boolean => answer?.status === 'streaming';
    const ended = sideQuestions.find(
      (sideQuestion) => asked.current.has(sideQuestion.branch) && !isStreaming(sideQuestion),
    );
    asked.current = new Set(sideQuestions.filter(isStreaming).map(({ branch }) => branch));
    if (ended) setText(t('The answer by the way has arrived.'));
  }, [sideQuestions]);

  return (
    <div class="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}

function news({ status, error }: MessageView): string {
  if (status === 'failed') return t('The answer failed. {0}', error ?? '');
  return status === 'interrupted' ? t('The answer was stopped.') : t('The answer has arrived.');
}
