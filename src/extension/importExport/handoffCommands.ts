import * as vscode from 'vscode';
import { branchForAgent } from '../../importExport/handoff.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import type { PickChatDeps } from '../chats/pickChat.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { branchOf } from '../commands/commandArguments.ts';
import { notify } from '../ui/notifications.ts';

export interface HandoffCommandsDeps extends PickChatDeps {
  readonly labels: BranchLabels;
}

/** Commands that hand a branch to another agent: as a file, or to paste it there. */
export function handoffCommands(
  deps: HandoffCommandsDeps,
): CommandHandlers<'exportBranchForAgent' | 'copyBranchAsPrompt'> {
  return {
    exportBranchForAgent: async (argument, given) => {
      const text = await textOf(deps, argument);
      if (text === undefined) return;
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const file =
        given instanceof vscode.Uri
          ? given
          : await vscode.window.showSaveDialog({
              title: vscode.l10n.t('Export'),
              ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'conversation.md') } : {}),
              filters: { Markdown: ['md'] },
            });
      if (!file) return;
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
      const open = vscode.l10n.t('Open');
      void notify.information(vscode.l10n.t('Exported to {0}.', file.fsPath), open).then(async (answer) => {
        if (answer === open) await vscode.commands.executeCommand('vscode.open', file);
      });
    },
    copyBranchAsPrompt: async (argument) => {
      const text = await textOf(deps, argument);
      if (text === undefined) return;
      await vscode.env.clipboard.writeText(text);
      void notify.information(vscode.l10n.t('Copied. Paste it as the first message to another agent.'));
    },
  };
}

/** The branch of a tree row, else the active one. */
async function textOf(
  { store, current, labels }: HandoffCommandsDeps,
  argument: unknown,
): Promise<string | undefined> {
  const given = branchOf(argument);
  const chatId = given?.chatId ?? (await current.chatId());
  if (!(await store.getChat(chatId))) {
    void notify.information(vscode.l10n.t('There is nothing to export yet.'));
    return undefined;
  }
  const chat = await store.exportChat(chatId);
  const branch = given?.name ?? chat.branches.find(({ isActive }) => isActive)?.name ?? 'main';
  return branchForAgent(chat, { branch, labelOf: await labels.of(chatId) });
}
