import { BeyondCap } from '../../agent/budget/spends.ts';
import type { GoingOn, Runs } from '../../agent/run/runs.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { switchToBranch } from '../branches/switchToBranch.ts';
import { runCommand, type OwnCommand } from '../manifest/runCommand.ts';
import type { TreeDrag } from '../tree/treeDrag.ts';
import * as vscode from 'vscode';
import type { CapContext } from '../models/raiseCap.ts';
import type { OnBudget } from '../../protocol/chatFromPage.ts';
import type { LimitAction, OfferAction } from '../../protocol/views.ts';
import type { SlashCommand } from '../../protocol/slashCommands.ts';
import { CONTEXT_VIEW } from '../context/contextView.ts';

export async function openDropped(
  deps: Parameters<typeof switchToBranch>[0],
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

/** Continues an answer within the budget, or beyond it if the user says so. */
export async function goOn(
  deps: CapContext,
  onBudget: OnBudget | undefined,
  work: (how: GoingOn) => Promise<unknown>,
): Promise<void> {
  if (onBudget === 'raise') {
    const { raiseCap } = await import('../models/raiseCap.ts');
    if (!(await raiseCap(deps))) return;
  }
  await work(onBudget === 'once' ? { beyond: new BeyondCap() } : {});
}

export async function takeLimitAction(action: LimitAction): Promise<void> {
  switch (action) {
    case 'manageTrust':
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
    case 'checkForUpdates':
      await vscode.commands.executeCommand('workbench.extensions.action.checkForUpdates');
      return;
    case 'showLog':
      return runCommand('offshoot.showLog');
    case 'reconnect':
      return runCommand('offshoot.openStorageAgain');
    case 'reviewHooks':
      return runCommand('offshoot.reviewHooks');
  }
}

export async function takeOffer(store: string, action: OfferAction): Promise<void> {
  const commands = {
    open: 'offshoot.openRelated',
    copy: 'offshoot.copyRelated',
    refuse: 'offshoot.refuseRelated',
  } as const;
  await runCommand(commands[action], { store });
}

const COMMANDS: Readonly<Record<SlashCommand, OwnCommand>> = {
  btw: 'offshoot.btw',
  checkpoint: 'offshoot.createCheckpoint',
  compact: 'offshoot.compact',
  context: `${CONTEXT_VIEW}.focus`,
  export: 'offshoot.exportChat',
  mode: 'offshoot.selectMode',
  model: 'offshoot.selectModel',
  new: 'offshoot.newChat',
  prompt: 'offshoot.createPromptFile',
  race: 'offshoot.race',
  remember: 'offshoot.remember',
  rewind: 'offshoot.rewind',
  search: 'offshoot.search',
  tools: 'offshoot.selectTools',
  undo: 'offshoot.undo',
};

export async function runSlashCommand({
  command,
  argument,
}: {
  readonly command: SlashCommand;
  readonly argument?: string | undefined;
}): Promise<void> {
  // A typed command runs at once: the palette asks what to keep.
  const typed = command === 'compact' ? (argument ?? '') : argument;
  await runCommand(COMMANDS[command], ...(typed === undefined ? [] : [{ typed }]));
}
