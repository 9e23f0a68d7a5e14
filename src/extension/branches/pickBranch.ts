import * as vscode from 'vscode';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { messagesText } from '../ui/countText.ts';
import { BranchTitles } from './branchTitles.ts';
import { readOutline } from './readOutline.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { CurrentChat } from '../chats/currentChat.ts';

export interface PickBranchDeps {
  readonly current: CurrentChat;
  readonly store: ReadonlyStore;
}

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

/** With more branches than this no titles are read: the list shall come at once. */
const MAX_TITLES = 500;

/** Asks for a branch; undefined when none was chosen or there is none. */
export async function pickBranch(
  { store, current }: PickBranchDeps,
  title: string,
  { all = false, active, chatId: inChat, without }: PickBranch,
): Promise<string | undefined> {
  const chatId = inChat ?? (await current.chatId());
  const branches = (await store.getChat(chatId))
    ? await store.listBranches(chatId, { includeArchived: all })
    : [];
  const titles = branches.length > MAX_TITLES ? undefined : await readTitles(store, chatId);
  const items = branches
    .filter(({ isActive, name }) => (active || !isActive) && name !== without)
    .map(({ id, name, messageCount, isActive, archivedAt }) => ({
      icon: 'git-branch',
      label: name,
      detail: titles?.get(id) ?? '',
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
  return (await pickOne(items, { title, matchOnDetail: true }))?.name;
}

/** What each branch is about, as the tree says it. */
async function readTitles(store: ReadonlyStore, chatId: string): Promise<Map<string, string>> {
  const outline = await readOutline(store, chatId);
  const titles = new BranchTitles(store);
  const read = (outline?.branches ?? []).map(async (branch): Promise<[string, string]> => {
    const outlined = outline?.find(branch.id);
    return [
      branch.id,
      outline?.explorationOf(branch)?.goal ?? (outlined ? await titles.titleOf(outlined) : ''),
    ];
  });
  return new Map((await Promise.all(read)).filter(([, title]) => title !== ''));
}
