import * as vscode from 'vscode';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { messagesText } from '../ui/countText.ts';
import type { BranchLabels } from './branchLabels.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { CurrentChat } from '../chats/currentChat.ts';

export interface PickBranchDeps {
  readonly current: CurrentChat;
  readonly labels: BranchLabels;
  readonly store: ReadonlyStore;
}

export interface PickBranch {
  /** Include archived ones. */
  readonly all?: boolean;
  /** Include the active one. */
  readonly active: boolean;
  /** The chat; the current one by default. */
  readonly chatId?: string;
  /** Excluded from the list. */
  readonly without?: string;
}

/** Asks for a branch; undefined when none was picked or there is none. */
export async function pickBranch(
  { store, current, labels }: PickBranchDeps,
  title: string,
  { all = false, active, chatId: inChat, without }: PickBranch,
): Promise<string | undefined> {
  const chatId = inChat ?? (await current.chatId());
  const branches = (await store.getChat(chatId))
    ? await store.listBranches(chatId, { includeArchived: all })
    : [];
  const labelOf = branches.length > 0 ? await labels.of(chatId) : undefined;
  const items = branches
    .filter(({ isActive, name }) => (active || !isActive) && name !== without)
    .map(({ name, messageCount, isActive, archivedAt }) => ({
      icon: 'git-branch',
      label: labelOf?.(name) ?? name,
      description: [
        ...(isActive ? [vscode.l10n.t('active')] : []),
        messagesText(messageCount),
        ...(archivedAt === undefined ? [] : [vscode.l10n.t('archived')]),
      ].join(' · '),
      name,
    }));
  if (items.length === 0) {
    void notify.information(
      vscode.l10n.t('There is no other branch yet. Rewind to a message, or ask by the way, to make one.'),
    );
    return undefined;
  }
  return (await pickOne(items, { title }))?.name;
}
