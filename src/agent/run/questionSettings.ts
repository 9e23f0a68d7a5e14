import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { promptOf } from '../attachments/addedParts.ts';
import { narrowedTools, type AgentProfile } from '../prompts/agentProfile.ts';
import { toolsIn, type ChatMode } from './chatMode.ts';
import type { AgentTool } from '../tools/tool.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import type { ModelRegistry } from '../../models/modelRegistry.ts';

export interface QuestionSettings {
  readonly mode: ChatMode;
  readonly toolsOf: (tools: readonly AgentTool[]) => readonly AgentTool[];
}

export interface AskedHow {
  readonly selected: ChatMode;
  readonly model: { readonly isDemo?: boolean };
  /** Answered as stored: a prompt can only restrict the selected settings, because chats may come from others. */
  readonly isStored: boolean;
  readonly isSideQuestion: boolean;
  readonly onlyReads: boolean;
  readonly agent: AgentProfile | undefined;
}

/** The mode and the tools of one question: the selected ones, or those of the prompt that was run with it. */
export function questionSettings(
  parts: readonly UIMessagePart[],
  { selected, model, isStored, isSideQuestion, onlyReads, agent }: AskedHow,
): QuestionSettings {
  const prompt = promptOf(parts);
  const wanted = prompt?.mode ?? selected;
  const chosen = isStored && selected !== 'agent' && wanted === 'agent' ? selected : wanted;
  // A side question gets an answer, not a plan.
  const mode = isSideQuestion && chosen === 'plan' ? 'ask' : chosen;
  const names = prompt?.tools && new Set(prompt.tools);
  return {
    mode,
    toolsOf: (tools) => {
      const offered = narrowedTools(agent, toolsIn(onlyReads ? 'ask' : mode, tools, model));
      return names ? offered.filter(({ name }) => names.has(name)) : offered;
    },
  };
}

/** The model that answers a question: the one its prompt asks for if available, else the selected one. */
export async function answeringModel(
  models: Pick<ModelRegistry, 'current' | 'find'>,
  parts: readonly UIMessagePart[],
): Promise<ChatModel> {
  const wanted = promptOf(parts)?.model;
  const found = wanted === undefined ? undefined : await models.find(wanted);
  return found ?? models.current();
}
