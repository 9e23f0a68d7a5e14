import * as vscode from 'vscode';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { messagesText, timeAgo } from '../ui/formats.ts';
import type { BranchLabels } from './branchLabels.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';

export interface PickBranch {
  /** Include archived ones. */
  readonly all?: boolean;
  /** Include the active one. */
  readonly active: boolean;
  /** The current one by default. */
  readonly chatId?: string;
  readonly without?: string;
}

/** Undefined when none was picked or there is none. */
export async function pickBranch(
  {
    store,
    current,
    labels,
  }: { readonly current: CurrentChat; readonly labels: BranchLabels; readonly store: ReadonlyStore },
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

/** How much of the marked message is quoted, in characters. */
const QUOTED = 60;

/** The newest first; undefined when none was picked or there is none. */
export async function pickCheckpoint(
  { store, current }: { readonly current: CurrentChat; readonly store: ReadonlyStore },
  title: string,
): Promise<{ readonly chatId: string; readonly name: string } | undefined> {
  const chatId = await current.chatId();
  const checkpoints = (await store.getChat(chatId)) ? await store.listCheckpoints(chatId) : [];
  if (checkpoints.length === 0) {
    void notify.information(
      vscode.l10n.t('There is no checkpoint in this chat yet. Set one with “Offshoot: Create Checkpoint”.'),
    );
    return undefined;
  }
  const items = await Promise.all(
    checkpoints.toReversed().map(async ({ name, messageId, createdAt }) => {
      const message = await store.getMessage(chatId, messageId);
      const read = message && readUIMessage(message.data);
      const excerpt = read ? messageExcerpt(read, QUOTED) : '';
      return {
        icon: 'bookmark',
        label: name,
        description: [excerpt, timeAgo(createdAt)].filter((text) => text !== '').join(' · '),
        name,
      };
    }),
  );
  const picked = await pickOne(items, { title, matchOnDescription: true });
  return picked && { chatId, name: picked.name };
}
