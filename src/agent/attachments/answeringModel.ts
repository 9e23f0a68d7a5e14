import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { ChatModel } from '../chatModel.ts';
import type { ModelRegistry } from '../modelRegistry.ts';
import { promptOf } from './attachedPrompt.ts';

/** The model that answers a question: the one its prompt asks for if available, else the selected one. */
export async function answeringModel(
  models: Pick<ModelRegistry, 'current' | 'find'>,
  parts: readonly UIMessagePart[],
): Promise<ChatModel> {
  const wanted = promptOf(parts)?.model;
  const found = wanted === undefined ? undefined : await models.find(wanted);
  return found ?? models.current();
}
