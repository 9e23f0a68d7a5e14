import * as vscode from 'vscode';
import { TRASH_LIFETIME, type TrashEntry } from '../../engine/trash.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { messagesText, itemsText, sizeText, timeAgo } from '../ui/formats.ts';
import { branchesOf, branchOf, checkpointOf, type BranchArgument } from '../commands/commandArguments.ts';
import { isGivenName } from '../../engine/branchNames.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';
import type { BranchLabels } from './branchLabels.ts';
import { TITLE_LENGTH } from './branchTitles.ts';
import { readTitles } from './outlines.ts';
import { pickBranch, pickCheckpoint } from './pickBranchOrCheckpoint.ts';
import { resolveStoredChat, type ChatsOfUser } from '../commands/pickChat.ts';
import { confirm, notify } from '../ui/notifications.ts';
import type { OwnFilesUse } from '../files/ownFilesUse.ts';
import {
  ownFilesText,
  ownFilesUse,
  removeOwnFiles,
  type OwnFilesListContext,
} from '../storage/ownFilesList.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { withProgress } from '../ui/progress.ts';
import { PickList, type PickRow } from '../ui/quickPick.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';

const DAY = 24 * 60 * 60 * 1_000;

export function trashCommands(
  deps: ChatsOfUser & {
    readonly conversations: Conversations;
    readonly labels: BranchLabels;
    readonly log: vscode.LogOutputChannel;
  } & OwnFilesListContext,
  chat: ShownChat,
): CommandHandlers<'deleteChat' | 'deleteBranch' | 'deleteCheckpoint' | 'openTrash' | 'emptyTrash'> {
  const { conversations, current } = deps;
  return {
    deleteChat: async (...args) => {
      const found = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to delete'));
      if (!found) return;
      const name = found.title ?? vscode.l10n.t('New chat');
      const { entry, wasOpen } = await conversations.deleteChat(found.id);
      offerBack(deps, entry, vscode.l10n.t('Moved “{0}” to trash', name), (chatId) =>
        wasOpen ? current.open(chatId) : Promise.resolve(),
      );
    },
    deleteBranch: async (argument, selection) => {
      const chosen = branchesOf(argument, selection);
      if (chosen.length > 1) {
        await deleteBranches(deps, chosen);
        return;
      }
      const branch = branchOf(argument);
      const chatId = branch?.chatId ?? (await current.chatId());
      const name =
        branch?.name ??
        (await pickBranch(deps, vscode.l10n.t('Select a branch to delete'), {
          all: true,
          active: false,
        }));
      if (name === undefined) return;
      const label = await deps.labels.label(chatId, name);
      const entry = await conversations.deleteBranch(chatId, name);
      const text = vscode.l10n.t(
        'Moved “{0}” to trash ({1} on no other branch)',
        label,
        messagesText(entry.messageCount),
      );
      offerBack(deps, entry, text);
    },
    deleteCheckpoint: async (argument) => {
      const checkpoint =
        checkpointOf(argument) ??
        (await pickCheckpoint(deps, vscode.l10n.t('Select a checkpoint to delete')));
      if (!checkpoint) return;
      const { chatId, name } = checkpoint;
      const entry = await conversations.deleteCheckpoint(chatId, name);
      offerBack(deps, entry, vscode.l10n.t('Moved “{0}” to trash', name));
    },
    openTrash: () => openTrash(deps, chat),
    emptyTrash: () => emptyTrash(deps),
  };
}

/** Skips the active branches of their chats. */
async function deleteBranches(
  { conversations, store, log }: Parameters<typeof trashCommands>[0],
  chosen: readonly BranchArgument[],
): Promise<void> {
  const entries: TrashEntry[] = [];
  for (const { chatId, name } of chosen) {
    if ((await store.getBranch(chatId, name))?.isActive) continue;
    entries.push(await conversations.deleteBranch(chatId, name));
  }
  if (entries.length === 0) return;
  const text =
    entries.length === 1
      ? vscode.l10n.t('Moved 1 branch to trash')
      : vscode.l10n.t('Moved {0} branches to trash', entries.length);
  offerUndo(log, text, async () => {
    for (const { id } of entries) await conversations.putBack(id);
  });
}

function offerBack(
  { conversations, log }: Parameters<typeof trashCommands>[0],
  entry: TrashEntry | undefined,
  whatWasDone: string,
  andThen: (chatId: string) => Promise<void> = () => Promise.resolve(),
): void {
  if (!entry) return;
  offerUndo(log, whatWasDone, async () => andThen((await conversations.putBack(entry.id)).chatId));
}

type TrashItem = PickRow & { readonly entry?: TrashEntry };

async function openTrash(deps: Parameters<typeof trashCommands>[0], chat: ShownChat): Promise<void> {
  const { store, userId, conversations, current, log } = deps;
  const forGood: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Delete for Good'),
  };
  const picker = new PickList<TrashItem>({
    title: vscode.l10n.t('Trash'),
    placeholder: vscode.l10n.t('Select an item to restore'),
    matchOnDetail: true,
  });
  try {
    const show = async (): Promise<void> => {
      const entries = await store.trash.list({ userId });
      picker.rows =
        entries.length > 0
          ? [
              ...(await Promise.all(entries.map((entry) => trashItem(store, entry)))).map((item) => ({
                ...item,
                buttons: [forGood],
              })),
              { label: '', kind: vscode.QuickPickItemKind.Separator },
              { icon: 'trash', label: vscode.l10n.t('Empty Trash…'), alwaysShow: true },
            ]
          : [{ label: vscode.l10n.t('The trash is empty.'), alwaysShow: true }];
    };
    await show();
    picker.onDidTriggerRowButton(({ entry }) => {
      const removing = async (): Promise<void> => {
        if (entry) await deleteForGood(deps, entry);
        await show();
      };
      removing().catch((error: unknown) => {
        logFailure(log, 'Deleting for good', error);
        void notify.error(messageOf(error));
      });
    });
    const picked = await new Promise<TrashItem | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedRows[0]));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
    picker.hide();
    if (!picked) return;
    if (picked.entry) {
      const { kind, chatId } = await conversations.putBack(picked.entry.id);
      if (kind === 'chat' || chatId !== (await current.chatId())) await current.open(chatId);
      await chat.focus();
    } else if ((await store.trash.list({ userId })).length > 0) await emptyTrash(deps);
  } finally {
    picker.dispose();
  }
}

async function trashItem(store: ReadonlyStore, entry: TrashEntry): Promise<TrashItem> {
  const { kind, chatTitle, messageCount, deletedAt } = entry;
  const title = chatTitle ?? vscode.l10n.t('New chat');
  const icon = { chat: 'comment-discussion', branch: 'git-branch', checkpoint: 'bookmark' }[kind];
  const left = Math.max(0, Math.ceil((deletedAt + TRASH_LIFETIME - Date.now()) / DAY));
  const until = vscode.l10n.t('{0} days left', left);
  return {
    icon,
    label: (await deletedLabel(store, entry)) ?? title,
    description: [messagesText(messageCount), timeAgo(deletedAt)].join(' · '),
    detail: kind === 'chat' ? until : `${title} · ${until}`,
    entry,
  };
}

/** As the tree called it. Undefined for a chat. */
export async function deletedLabel(store: ReadonlyStore, entry: TrashEntry): Promise<string | undefined> {
  const { kind, name, chatId, subject } = entry;
  if (kind !== 'branch' || name === undefined || isGivenName(name)) return name;
  const question = readUIMessage(subject);
  if (!question) return vscode.l10n.t('New branch');
  const titles = await readTitles(store, chatId);
  return titles.get(question.id) ?? messageExcerpt(question, TITLE_LENGTH);
}

/** What was changed in files of its branches alone is not lost unasked. */
async function deleteForGood(deps: Parameters<typeof trashCommands>[0], entry: TrashEntry): Promise<void> {
  const files = await filesOf(deps, [entry]);
  if (files.some(({ isUnkept }) => isUnkept)) {
    const isSure = await confirm(
      vscode.l10n.t('Delete “{0}” for good?', entry.chatTitle ?? vscode.l10n.t('New chat')),
      [...lostWith(files), vscode.l10n.t('This cannot be undone.')],
      vscode.l10n.t('Delete for Good'),
    );
    if (!isSure) return;
  }
  await deps.conversations.emptyTrash({ ids: [entry.id] });
  await removeOwnFiles(deps, idsOf(files));
}

/** The files that only branches of deleted chats work with. */
async function filesOf(
  deps: OwnFilesListContext,
  entries: readonly TrashEntry[],
): Promise<readonly OwnFilesUse[]> {
  const chats = new Set(entries.flatMap(({ kind, chatId }) => (kind === 'chat' ? [chatId] : [])));
  const uses = chats.size > 0 ? await ownFilesUse(deps) : [];
  return uses.filter(({ record }) => record && chats.has(record.chatId));
}

function lostWith(files: readonly OwnFilesUse[]): string[] {
  return files.length > 0
    ? [vscode.l10n.t('Files of their branches are removed as well: {0}', ownFilesText(files))]
    : [];
}

function idsOf(files: readonly OwnFilesUse[]): string[] {
  return files.map(({ id }) => id);
}

async function emptyTrash(deps: Parameters<typeof trashCommands>[0]): Promise<void> {
  const { store, userId, conversations } = deps;
  const entries = await store.trash.list({ userId });
  const messages = entries.reduce((sum, { messageCount }) => sum + messageCount, 0);
  const files = await filesOf(deps, entries);
  const agrees = await confirm(
    vscode.l10n.t('Remove everything in the trash for good?'),
    [
      vscode.l10n.t(
        '{0} with {1}. This cannot be undone.',
        itemsText(entries.length),
        messagesText(messages),
      ),
      ...lostWith(files),
    ],
    vscode.l10n.t('Empty Trash'),
  );
  if (!agrees) return;
  const title = vscode.l10n.t('Emptying the trash');
  const { blobs } = await withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    conversations.emptyTrash(),
  );
  await removeOwnFiles(deps, idsOf(files));
  const freed =
    blobs.count > 0 ? ` ${vscode.l10n.t('{0} of files are gone with it.', sizeText(blobs.bytes))}` : '';
  void notify.information(`${vscode.l10n.t('The trash is empty.')}${freed}`);
}
