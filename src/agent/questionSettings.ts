import type { UIMessagePart } from '../engine/uiMessage.ts';
import { promptOf } from './attachments/attachedPrompt.ts';
import { toolsIn, type ChatMode } from './chatMode.ts';
import type { AgentTool } from './tools/tool.ts';

/** What an answer is let do. */
export interface QuestionSettings {
  readonly mode: ChatMode;
  readonly toolsOf: (tools: readonly AgentTool[]) => readonly AgentTool[];
}

/** How a question is asked, besides what it says. */
export interface AskedHow {
  /** The mode that is selected. */
  readonly selected: ChatMode;
  readonly model: { readonly isDemo?: boolean };
  /** It is answered as it is stored: a prompt can take from what is selected and add nothing, for others write chats, too. */
  readonly isStored: boolean;
  readonly isSideQuestion: boolean;
  readonly onlyReads: boolean;
}

/** The mode and the tools of one question: those that are selected, or what the prompt that was run with it asks for. */
export function questionSettings(
  parts: readonly UIMessagePart[],
  { selected, model, isStored, isSideQuestion, onlyReads }: AskedHow,
): QuestionSettings {
  const prompt = promptOf(parts);
  const wanted = prompt?.mode ?? selected;
  const chosen = isStored && selected !== 'agent' && wanted === 'agent' ? selected : wanted;
  // A side question is answered; a plan is not.
  const mode = isSideQuestion && chosen === 'plan' ? 'ask' : chosen;
  const names = prompt?.tools && new Set(prompt.tools);
  return {
    mode,
    toolsOf: (tools) => {
      const offered = toolsIn(onlyReads ? 'ask' : mode, tools, model);
      return names ? offered.filter(({ name }) => names.has(name)) : offered;
    },
  };
}
