import * as vscode from 'vscode';
import type { ShownChat, CurrentChat } from '../commands/currentChat.ts';
import { messageIdOf } from '../commands/commandArguments.ts';
import type { CommandHandler, CommandPart } from '../commands/commandHandlers.ts';
import type { FileMoves } from '../files/fileMoves.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { SelectedMode } from '../tools/selectedMode.ts';
import { DraftDocuments, type ProposedText } from '../ui/draftDocuments.ts';
import { notify } from '../ui/notifications.ts';
import { explained } from '../branches/branchFilesCommands.ts';
import { requireMoveInOwnFiles, type MoveInOwnFilesParts } from '../branches/moveInOwnFiles.ts';

interface PlanDraft extends ProposedText {
  readonly chatId: string;
  readonly messageId: string;
}

/** On its own branch, so that other ways can be tried as well. */
export function plansCommands(
  deps: MoveInOwnFilesParts & {
    readonly current: CurrentChat;
    readonly mode: SelectedMode;
    readonly moves: FileMoves;
  },
  chat: ShownChat,
): CommandPart<'carryOutPlan' | 'carryOutPlanInOwnFiles' | 'editPlan' | 'carryOutEditedPlan'> {
  const { conversations, current } = deps;
  const drafts = new DraftDocuments<PlanDraft>('offshoot-plan');
  const implement =
    (isInOwnFiles: boolean): CommandHandler =>
    async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId === undefined) return;
      await carryOut(deps, chat, {
        messageId,
        question: vscode.l10n.t('Implement this plan.'),
        isInOwnFiles,
      });
    };
  return {
    dispose: () => drafts.dispose(),
    handlers: {
      carryOutPlan: implement(false),
      carryOutPlanInOwnFiles: explained(implement(true)),
      editPlan: async (argument) => {
        const messageId = messageIdOf(argument);
        if (messageId === undefined) return;
        const chatId = await current.chatId();
        const proposed = await conversations.textOf(messageId);
        const document = await drafts.open({ chatId, messageId, proposed }, vscode.l10n.t('Plan'));
        const accept = vscode.l10n.t('Implement');
        // Does not wait for the answer: the button over the editor does the same.
        void notify
          .information(vscode.l10n.t('Edit the plan, then have it carried out.'), accept)
          .then((answer) => {
            if (answer === accept) void runCommand('offshoot.carryOutEditedPlan', document.uri);
          });
      },
      carryOutEditedPlan: async (argument) => {
        const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
        const draft = uri && drafts.get(uri);
        if (!draft) return;
        const plan = draft.document.getText().trim();
        if (plan === '') {
          void notify.information(vscode.l10n.t('Write a plan first.'));
          return;
        }
        const isEdited = plan !== draft.proposed.trim();
        const question = isEdited
          ? `${vscode.l10n.t('Implement the edited plan:')}\n\n${plan}`
          : vscode.l10n.t('Implement this plan.');
        await current.open(draft.chatId);
        if (await carryOut(deps, chat, { messageId: draft.messageId, question })) await drafts.close(draft);
      },
    },
  };
}

interface CarryOut {
  readonly messageId: string;
  readonly question: string;
  /** On a branch with files of its own: the workspace stays as it is. */
  readonly isInOwnFiles?: boolean;
}

/** @returns whether it was started; not if the user kept the files from being restored */
async function carryOut(
  deps: Parameters<typeof plansCommands>[0],
  chat: ShownChat,
  { messageId, question, isInOwnFiles = false }: CarryOut,
): Promise<boolean> {
  const { conversations, current, mode, moves } = deps;
  const chatId = await current.chatId();
  const title = vscode.l10n.t('Implement Plan');
  const inOwnFiles = isInOwnFiles ? await requireMoveInOwnFiles(deps, chatId, title) : undefined;
  const moved = await moves.go({
    chatId,
    messageId,
    title,
    inOwnFiles,
    isInOwnFiles,
    move: () => conversations.rewind(messageId),
  });
  if (!moved) return false;
  await mode.select('agent');
  await conversations.ask(question);
  await chat.focus();
  return true;
}
