import * as vscode from 'vscode';
import { messagesText } from '../messagesText.ts';
import type { Services } from '../services.ts';

export interface PickBranch {
  /** Archived ones as well. */
  readonly all?: boolean;
  /** The one that is active as well. */
  readonly active: boolean;
  /** Of which chat; the current one unless it is said. */
  readonly chatId?: string;
  /** Not this one. */
  readonly without?: string;
}

/** Asks for a branch; undefined when none was chosen or there is none. */
export async function pickBranch(
  { store, current }: Pick<Services, 'store' | 'current'>,
  title: string,
  { all = false, active, chatId: inChat, without }: PickBranch,
): Promise<string | undefined> {
  const chatId = inChat ?? (await current.chatId());
  const branches = (await store.getChat(chatId))
    ? await store.listBranches(chatId, { includeArchived: all })
    : [];
  const items = branches
    .filter(({ isActive, name }) => (active || !isActive) && name !== without)
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
