import { isToolPart, textOf, toolNameOf, type UIMessage } from '../../engine/uiMessage.ts';
import { resultText } from '../context/modelMessages.ts';
import { isLedgerPart } from '../ledger/ledgerPart.ts';
import { startOf } from '../tools/textLimits.ts';

/** How much of a tool's input and result a summary uses, in UTF-16 units: both can be read again. */
const TOOL_LIMIT = 2_000;

/** The messages of part of a conversation as texts, for a model to read and not to continue. */
export function transcript(path: readonly UIMessage[]): string[] {
  return path.flatMap((message) => {
    const text = messageTranscript(message);
    return text === '' ? [] : [`<message role="${message.role}">\n${text}\n</message>`];
  });
}

/** One message, with its tool calls, and without a ledger: that is derived again. */
export function messageTranscript(message: UIMessage): string {
  const parts = message.parts.filter((part) => !isLedgerPart(part));
  return [textOf({ parts }), ...parts.flatMap(toolText)].filter((text) => text !== '').join('\n\n');
}

function toolText(part: UIMessage['parts'][number]): string[] {
  if (!isToolPart(part)) return [];
  const input = shortened(JSON.stringify(part.input ?? null));
  return [`[Used the tool ${toolNameOf(part)} with ${input}. It answered: ${shortened(resultText(part))}]`];
}

function shortened(text: string): string {
  return text.length > TOOL_LIMIT ? `${startOf(text, TOOL_LIMIT)}…` : text;
}
