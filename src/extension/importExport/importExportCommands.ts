import * as vscode from 'vscode';
import type { PortableChat } from '../../engine/portableChat.ts';
import { chatAsMarkdown } from '../../importExport/markdownExport.ts';
import { writeConversations } from '../../importExport/conversationsFile.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { branchOf } from '../commands/commandArguments.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import { resolveStoredChat, type ChatsOfUser } from '../commands/pickChat.ts';
import { notify } from '../ui/notifications.ts';
import { withProgress } from '../ui/progress.ts';
import { saveFile } from '../ui/saveFile.ts';
import type { ForeignPlaces } from './foreignSessions.ts';
import { importCommands } from './importCommands.ts';
import type { CommandHandlers, NamesOf } from '../commands/commandHandlers.ts';
import { branchForAgent } from '../../importExport/handoff.ts';

/** The file may be given, or is asked for. */
export function importExportCommands(
  deps: Parameters<typeof importCommands>[0] & Parameters<typeof handoffCommands>[0],
  chat: ShownChat,
): CommandHandlers<
  'exportChat' | 'exportAll' | NamesOf<typeof importCommands> | NamesOf<typeof handoffCommands>
> {
  const { store, userId } = deps;
  return {
    exportChat: async (...args) => {
      const found = await resolveStoredChat(deps, args, vscode.l10n.t('Select a chat to export'));
      const [, file] = args;
      if (found) await write(deps, [found.id], fileName(found.title ?? 'chat'), file);
    },
    exportAll: async (file) => {
      const chats = await store.listChats({ userId });
      await write(
        deps,
        chats.map(({ id }) => id),
        'offshoot',
        file,
      );
    },
    ...importCommands(deps, chat),
    ...handoffCommands(deps),
  };
}

async function write(
  { store, labels }: Pick<Parameters<typeof handoffCommands>[0], 'store' | 'labels'>,
  chatIds: readonly string[],
  name: string,
  given: unknown,
): Promise<void> {
  const file = given instanceof vscode.Uri ? given : await askWhere(name);
  if (!file) return;
  const title = vscode.l10n.t('Exporting');
  await withProgress({ location: vscode.ProgressLocation.Window, title }, async () => {
    const texts: string[] = [];
    if (file.path.endsWith('.md')) {
      for (const chatId of chatIds) {
        texts.push(chatAsMarkdown(await store.exportChat(chatId), await labels.of(chatId)));
      }
    } else texts.push(await writeConversations(store, chatIds, Date.now()));
    await saveFile(file, new TextEncoder().encode(texts.join('\n')));
  });
  tellExported(file);
}

function askWhere(name: string): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `${name}.offshoot.json`) } : {}),
    filters: { [vscode.l10n.t('Conversations')]: ['json'], Markdown: ['md'] },
  });
}

function fileName(title: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return name === '' ? 'chat' : name;
}

function handoffCommands(
  deps: ChatsOfUser & { readonly labels: BranchLabels; readonly foreign: ForeignPlaces },
): CommandHandlers<'exportBranchForAgent' | 'copyBranchAsPrompt'> {
  return {
    exportBranchForAgent: async (argument, given) => {
      const found = await branchToExport(deps, argument);
      if (!found) return;
      if (given instanceof vscode.Uri) {
        await saveMarkdown(given, await promptOf(deps, found));
        return;
      }
      // What knows the formats of other programs is not needed to start.
      const { pickAgent, exportSession } = await import('./exportSession.ts');
      const picked = await pickAgent(deps.foreign);
      if (picked?.session) await exportSession({ ...found, store: deps.store }, picked.session);
      else if (picked) {
        const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
        const file = await vscode.window.showSaveDialog({
          title: vscode.l10n.t('Export'),
          ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, 'conversation.md') } : {}),
          filters: { Markdown: ['md'] },
        });
        if (file) await saveMarkdown(file, await promptOf(deps, found));
      }
    },
    copyBranchAsPrompt: async (argument) => {
      const found = await branchToExport(deps, argument);
      if (!found) return;
      await vscode.env.clipboard.writeText(await promptOf(deps, found));
      void notify.information(vscode.l10n.t('Copied. Paste it as the first message to another agent.'));
    },
  };
}

async function saveMarkdown(file: vscode.Uri, text: string): Promise<void> {
  await saveFile(file, new TextEncoder().encode(text));
  tellExported(file);
}

function tellExported(file: vscode.Uri): void {
  const open = vscode.l10n.t('Open');
  void notify.information(vscode.l10n.t('Exported to {0}.', file.fsPath), open).then(async (answer) => {
    if (answer === open) await vscode.commands.executeCommand('vscode.open', file);
  });
}

interface BranchToExport {
  readonly chat: PortableChat;
  readonly branch: string;
}

/** The branch of a tree row, else the active one. */
async function branchToExport(
  { store, current }: ChatsOfUser,
  argument: unknown,
): Promise<BranchToExport | undefined> {
  const given = branchOf(argument);
  const chatId = given?.chatId ?? (await current.chatId());
  if (!(await store.getChat(chatId))) {
    void notify.information(vscode.l10n.t('There is nothing to export yet.'));
    return undefined;
  }
  const chat = await store.exportChat(chatId);
  return { chat, branch: given?.name ?? chat.branches.find(({ isActive }) => isActive)?.name ?? 'main' };
}

async function promptOf(
  { labels }: { readonly labels: BranchLabels },
  { chat, branch }: BranchToExport,
): Promise<string> {
  return branchForAgent(chat, { branch, labelOf: await labels.of(chat.id) });
}
