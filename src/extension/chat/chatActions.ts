import type { Runs } from '../../agent/runs.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { switchToBranch, type SwitchToBranchDeps } from '../branches/switchToBranch.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';

/** Goes to what was dragged from the tree onto the page. */
export async function openDropped(
  deps: SwitchToBranchDeps,
  node: ReturnType<TreeDrag['take']>,
): Promise<void> {
  if (node?.kind === 'branch') await switchToBranch(deps, node.chatId, node.name);
  else if (node) await runCommand('offshoot.openCheckpoint', node);
}

/** Asks for the key of the model that wrote a message, or failed to. */
export async function setKeyFor(
  { conversations, runs }: { readonly conversations: Conversations; readonly runs: Runs },
  chatId: string,
  messageId: string,
): Promise<void> {
  const failed = runs.findUnsaved(chatId, messageId);
  const modelId = failed?.model.id ?? (await conversations.modelIdOf(messageId));
  await runCommand('offshoot.setApiKey', { modelId });
}
