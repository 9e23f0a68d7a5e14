import * as vscode from 'vscode';
import { messagesText } from '../messagesText.ts';
import type { Services } from '../services.ts';

/** Asks for a branch of the current chat; undefined when none was chosen or there is none. */
export async function pickBranch(
  { store, current }: Pick<Services, 'store' | 'current'>,
  title: string,
  { all = false, active }: { readonly all?: boolean; readonly active: boolean },
): Promise<string | undefined> {
  const chatId = await current.chatId();
  const branches = (await store.getChat(chatId))
    ? await store.listBranches(chatId, { includeArchived: all })
    : [];
  const items = branches
    .filter(({ isActive }) => active || !isActive)
    .map(({ name, messageCount, isActive, archivedAt }) => ({
      label: name,
      description: isActive
        ? vscode.l10n.t('active')
        : archivedAt === undefined
          ? messagesText(messageCount)
          : `${messagesText(messageCount)} · ${vscode.l10n.t('archived')}`,
    }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no other branch yet. Rewind to a message, or ask by the way, to make one.'),
    );
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title }))?.label;
}
