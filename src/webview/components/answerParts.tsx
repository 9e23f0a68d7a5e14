import type { JSX } from 'preact';
import type { PartView } from '../../protocol/views.ts';
import { Markdown } from './markdown.tsx';
import { Reasoning } from './reasoning.tsx';
import { ToolCall } from './toolCall.tsx';

/** What an answer consists of, in order. */
export function AnswerParts({
  messageId,
  parts,
  isStreaming = false,
}: {
  messageId: string;
  parts: readonly PartView[];
  isStreaming?: boolean;
}): JSX.Element {
  return <>{parts.map((part, index) => answerPart(part, index, messageId, isStreaming))}</>;
}

function answerPart(
  part: PartView,
  key: number,
  messageId: string,
  isStreaming: boolean,
): JSX.Element | null {
  const id = `${messageId} ${key}`;
  switch (part.type) {
    case 'text':
      return <Markdown key={key} id={id} text={part.text} />;
    case 'reasoning':
      return <Reasoning key={key} id={id} part={part} isStreaming={isStreaming} />;
    case 'tool':
      return <ToolCall key={key} messageId={messageId} call={part} />;
    case 'image':
    case 'pdf':
    case 'file':
    case 'context':
    case 'nothing':
      return null;
  }
}
