import * as vscode from 'vscode';
import type { StorageReport } from '../../engine/trash.ts';
import type { CurrentChat, ShownChat } from '../commands/currentChat.ts';
import type { ChatsOfUser } from '../commands/pickChat.ts';
import { messagesText, itemsText, sizeText } from '../ui/formats.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { ownFilesText, ownFilesUse, showOwnFiles, type OwnFilesListContext } from './ownFilesList.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export { careForOwnFiles } from './ownFilesList.ts';
export { reportRecovery } from './reportRecovery.ts';
export { UnsavedAnswers } from './unsavedAnswers.ts';

/** Smaller ones are summed up. */
const MAX_CHATS = 20;

export function storageCommands(
  deps: ChatsOfUser & {
    readonly conversations: Conversations;
    readonly folder: vscode.Uri;
    readonly host: Host;
  } & OwnFilesListContext,
  chat: ShownChat,
): CommandHandlers<'storageReport'> {
  return { storageReport: () => showReport(deps, chat) };
}

type ReportItem = PickRow & { readonly act?: () => Promise<unknown> };

async function showReport(deps: Parameters<typeof storageCommands>[0], chat: ShownChat): Promise<void> {
  const { conversations, current, folder, host, store, userId } = deps;
  const items = async (): Promise<ReportItem[]> => {
    const report = await store.storageReport({ userId });
    return [
      ...(await diskItems(folder, host)),
      ...(await ownFilesItems(deps)),
      ...reclaimItems(conversations, report),
      ...chatItems(current, chat, report),
    ];
  };
  const picked = await pickOne(items(), {
    title: vscode.l10n.t('Storage Report'),
    placeHolder: vscode.l10n.t('Used and reclaimable storage'),
    matchOnDescription: true,
  });
  await picked?.act?.();
}

function heading(label: string): ReportItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function diskItems(folder: vscode.Uri, host: Host): Promise<ReportItem[]> {
  const path = host.pathOf(folder.toString());
  const files = await host.files.list(path);
  const blobs = await host.files.list(host.files.join(path, 'blobs'));
  const total = [...files, ...blobs].reduce((sum, { size }) => sum + size, 0);
  return [
    heading(host.isBrowser ? vscode.l10n.t('In this browser') : vscode.l10n.t('On disk')),
    {
      icon: 'folder',
      label: sizeText(total),
      detail: files.map(({ name, size }) => `${name} ${sizeText(size)}`).join(' · '),
      ...(host.isBrowser
        ? {}
        : {
            description: folder.fsPath,
            act: async () => vscode.commands.executeCommand('revealFileInOS', folder),
          }),
    },
    {
      icon: 'folder-library',
      label: vscode.l10n.t('Find Conversations…'),
      description: vscode.l10n.t('those of other projects'),
      act: async () => runCommand('offshoot.findConversations'),
    },
  ];
}

/** Below those on disk. */
async function ownFilesItems(deps: OwnFilesListContext): Promise<ReportItem[]> {
  const uses = await ownFilesUse(deps);
  if (uses.length === 0) return [];
  const leftOver = uses.filter(({ isLeftOver }) => isLeftOver);
  return [
    {
      icon: 'files',
      label: vscode.l10n.t('Files of Branches…'),
      description: ownFilesText(uses),
      ...(leftOver.length > 0
        ? { detail: vscode.l10n.t('Of branches that are gone: {0}', ownFilesText(leftOver)) }
        : {}),
      act: () => showOwnFiles(deps),
    },
  ];
}

function reclaimItems(conversations: Conversations, report: StorageReport): ReportItem[] {
  const { trash, blobs, unusedBlobs, database } = report;
  return [
    heading(vscode.l10n.t('Reclaimable')),
    {
      icon: 'trash',
      label: vscode.l10n.t('Trash…'),
      description:
        trash.entries === 0
          ? vscode.l10n.t('Empty')
          : [itemsText(trash.entries), messagesText(trash.count), sizeText(trash.bytes)].join(' · '),
      act: async () => runCommand('offshoot.openTrash'),
    },
    {
      icon: 'file-binary',
      label: vscode.l10n.t('Files kept for chats'),
      description: vscode.l10n.t(
        '{0} · {1}, of which {2} unused',
        blobs.count,
        sizeText(blobs.bytes),
        sizeText(unusedBlobs.bytes),
      ),
      ...(unusedBlobs.count > 0 ? { detail: vscode.l10n.t('Choose this to remove the unused ones.') } : {}),
      act: async () => conversations.emptyTrash({ ids: [] }),
    },
    {
      icon: 'database',
      label: vscode.l10n.t('Free in the database'),
      description: vscode.l10n.t(
        '{0} of {1}, used again by what comes next',
        sizeText(database.free),
        sizeText(database.bytes),
      ),
    },
  ];
}

function chatItems(current: CurrentChat, chat: ShownChat, { chats }: StorageReport): ReportItem[] {
  const rest = chats.slice(MAX_CHATS);
  const restBytes = rest.reduce((sum, { messages }) => sum + messages.bytes, 0);
  return [
    heading(vscode.l10n.t('Chats')),
    ...chats.slice(0, MAX_CHATS).map(({ chatId, title, messages, branches, archivedBranches }) => ({
      icon: 'comment-discussion',
      label: title ?? vscode.l10n.t('New chat'),
      description: [
        sizeText(messages.bytes),
        messagesText(messages.count),
        branches === 1
          ? vscode.l10n.t('1 branch, {0} archived', archivedBranches)
          : vscode.l10n.t('{0} branches, {1} archived', branches, archivedBranches),
      ].join(' · '),
      act: async () => {
        await current.open(chatId);
        await chat.bringToFront();
      },
    })),
    ...(rest.length > 0 ? [{ label: smallerText(rest.length), description: sizeText(restBytes) }] : []),
  ];
}

function smallerText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 smaller chat') : vscode.l10n.t('{0} smaller chats', count);
}
