import { isToolPart, textOf, toolNameOf, type UIMessage } from '../../engine/uiMessage.ts';
import { resultText } from '../modelMessages.ts';
import { startOf } from '../tools/storedStrings.ts';

/** How much of a tool's input and result a summary uses, in UTF-16 units: both can be read again. */
const TOOL_LIMIT = 2_000;

/** The messages of part of a conversation as texts, for a model to read and not to continue. */
export function transcript(path: readonly UIMessage[]): string[] {
  return path.flatMap((message) => {
    const texts = [textOf(message), ...message.parts.flatMap(toolText)].filter((text) => text !== '');
    return texts.length === 0 ? [] : [`<message role="${message.role}">\n${texts.join('\n\n')}\n</message>`];
  });
}

function toolText(part: UIMessage['parts'][number]): string[] {
  if (!isToolPart(part)) return [];
  const input = shortened(JSON.stringify(part.input ?? null));
  return [`[Used the tool ${toolNameOf(part)} with ${input}. It answered: ${shortened(resultText(part))}]`];
}

function shortened(text: string): string {
  return text.length > TOOL_LIMIT ? `${startOf(text, TOOL_LIMIT)}…` : text;
}
