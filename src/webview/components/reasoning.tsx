import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PartView } from '../../protocol/views.ts';
import { durationText, t } from '../state/texts.ts';
import { Disclosure } from './disclosure.tsx';
import { Markdown } from './markdown.tsx';

type ReasoningView = Extract<PartView, { type: 'reasoning' }>;

/** Shorter reasoning does not get a line, in milliseconds. */
const WORTH_TELLING = 1_000;

/** The model's reasoning, folded, with its duration; only the duration where the provider hides the text. */
export function Reasoning({
  id,
  part,
  isStreaming,
}: {
  readonly id: string;
  readonly part: ReasoningView;
  readonly isStreaming: boolean;
}): JSX.Element | null {
  const { text, startedAt, duration } = part;
  const isThinking = isStreaming && duration === undefined && startedAt !== undefined;
  const elapsed = useElapsed(isThinking ? startedAt : undefined);
  const title = isThinking
    ? t('Thinking… {0}', durationText(elapsed))
    : duration === undefined
      ? t('Reasoning')
      : t('Thought for {0}', durationText(duration));
  if (text !== '') {
    return (
      <Disclosure id={`${id} reasoning`} class="reasoning" summary={title}>
        <Markdown id={id} text={text} />
      </Disclosure>
    );
  }
  if (!isThinking && (duration ?? 0) < WORTH_TELLING) return null;
  return <p class="reasoning">{title}</p>;
}

/** Whole seconds since a moment, in milliseconds; 0 while there is none. */
function useElapsed(startedAt: number | undefined): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (startedAt === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [startedAt]);
  // The clock of another machine may be ahead.
  return startedAt === undefined ? 0 : Math.max(1, Math.floor((now - startedAt) / 1_000)) * 1_000;
}
