import { codeFence } from '../base/codeFence.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';

/** The text of a file that went with a message, in a Markdown fence that holds any content. */
export function attachedText(name: string, content: string): UIMessagePart {
  const fence = codeFence(content);
  const shown = name.replaceAll(/[\n\r]+/gu, ' ');
  return { type: 'text', text: `[Attached file: ${shown}]\n\n${fence}\n${content}\n${fence}` };
}
