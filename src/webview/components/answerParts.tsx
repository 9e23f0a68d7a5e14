import type { JSX } from 'preact';
import type { PartView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { Disclosure } from './disclosure.tsx';
import { Markdown } from './markdown.tsx';
import { ToolCall } from './toolCall.tsx';

/** What an answer consists of, in order. */
export function AnswerParts({
  messageId,
  parts,
}: {
  messageId: string;
  parts: readonly PartView[];
}): JSX.Element {
  return <>{parts.map((part, index) => answerPart(part, index, messageId))}</>;
}

function answerPart(part: PartView, key: number, messageId: string): JSX.Element | null {
  const id = `${messageId} ${key}`;
  switch (part.type) {
    case 'text':
      return <Markdown key={key} id={id} text={part.text} />;
    case 'reasoning':
      return (
        <Disclosure key={key} id={`${id} reasoning`} class="reasoning" summary={t('Reasoning')}>
          <Markdown id={id} text={part.text} />
        </Disclosure>
      );
    case 'tool':
      return <ToolCall key={key} messageId={messageId} call={part} />;
    case 'image':
    case 'file':
    case 'nothing':
      return null;
  }
}
