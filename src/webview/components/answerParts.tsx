import type { JSX } from 'preact';
import type { PartView } from '../../protocol/views.ts';
import { groupReadings, indexesOf } from '../state/groupReadings.ts';
import { Markdown } from './markdown.tsx';
import { Readings } from './readings.tsx';
import { Reasoning } from './reasoning.tsx';
import { ToolCall } from './toolCall.tsx';

/** The parts of an answer, in order. */
export function AnswerParts({
  messageId,
  parts,
  isStreaming = false,
}: {
  messageId: string;
  parts: readonly PartView[];
  isStreaming?: boolean;
}): JSX.Element {
  const one = (index: number): JSX.Element | null => {
    const part = parts[index];
    return part === undefined ? null : answerPart(part, index, messageId, isStreaming);
  };
  return (
    <>
      {groupReadings(parts, isStreaming).map((item) =>
        typeof item === 'number' ? (
          one(item)
        ) : (
          <Readings key={`readings ${item.from}`} id={`${messageId} ${item.from}`} readings={item.readings}>
            {indexesOf(item).map(one)}
          </Readings>
        ),
      )}
    </>
  );
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
    case 'prompt':
    case 'instructions':
    case 'nothing':
      return null;
  }
}
