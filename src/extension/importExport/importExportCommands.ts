import * as vscode from 'vscode';
import { ImportError } from '../../engine/errors.ts';
import { chatAsMarkdown } from '../../importExport/markdownExport.ts';
import { writeConversations } from '../../importExport/conversationsFile.ts';
import type { Imported } from '../../importExport/importFile.ts';
import type { LeftOut } from '../../importExport/importReport.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { USER_ID } from '../chats/currentChat.ts';
import { logFailure, messageOf } from '../ui/failures.ts';
import { numberText, sentences } from '../ui/formats.ts';
import { oneLine } from '../ui/oneLine.ts';
import { sizeText } from '../ui/sizeText.ts';
import { translated } from '../ui/translated.ts';
import { chatOf } from '../commands/commandArguments.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import { pickChat, type PickChatDeps } from '../chats/pickChat.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { notify } from '../ui/notifications.ts';
import { withProgress } from '../ui/progress.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface ImportExportCommandsDeps extends PickChatDeps {
  readonly labels: BranchLabels;
  readonly conversations: Conversations;
  readonly log: vscode.LogOutputChannel;
}

/** Larger files are not read: they would not fit into memory several times over, as reading takes. */
const MAX_IMPORT_BYTES = 256 * 1024 * 1024;

/** Taking conversations to files and back. A file to use may be given; else the user is asked. */
export function importExportCommands(
  deps: ImportExportCommandsDeps,
  chat: ShownChat,
): CommandHandlers<'exportChat' | 'exportAll' | 'import'> {
  const { store, current, log } = deps;
  return {
    exportChat: async (argument, file) => {
      const chatId =
        chatOf(argument)?.chatId ?? (await pickChat(deps, vscode.l10n.t('Select a chat to export')));
      const found = chatId === undefined ? undefined : await store.getChat(chatId);
      if (found) await write(deps, [found.id], fileName(found.title ?? 'chat'), file);
    },
    exportAll: async (file) => {
      const chats = await store.listChats({ userId: USER_ID });
      await write(
        deps,
        chats.map(({ id }) => id),
        'offshoot',
        file,
      );
    },
    import: async (given) => {
      const files = given instanceof vscode.Uri ? [given] : await askForFiles();
      for (const file of files) {
        try {
          const { chatIds, leftOut } = await read(deps, file);
          const [first] = chatIds;
          if (first === undefined) continue;
          await current.open(first);
          await chat.focus();
          void reportImport(await importedText(deps, chatIds), leftOut);
        } catch (error) {
          logFailure(log, 'Import', error);
          // The other files are taken all the same.
          void reportFailure(deps, file, error);
        }
      }
    },
  };
}

async function importedText(
  { store }: ImportExportCommandsDeps,
  [first = '', ...others]: readonly string[],
): Promise<string> {
  if (others.length > 0) return vscode.l10n.t('Imported {0} chats.', others.length + 1);
  const title = (await store.getChat(first))?.title ?? vscode.l10n.t('New chat');
  return vscode.l10n.t('Imported “{0}”.', oneLine(title, 80));
}

/** Says what came, and of what did not come along, kind by kind, on demand. */
async function reportImport(text: string, leftOut: readonly LeftOut[]): Promise<void> {
  const count = leftOut.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) {
    void notify.information(text);
    return;
  }
  const details = vscode.l10n.t('Show Details');
  const skipped =
    count === 1
      ? vscode.l10n.t('1 item was left out or changed.')
      : vscode.l10n.t('{0} items were left out or changed.', count);
  if ((await notify.information(sentences(text, skipped), details)) !== details) return;
  const lines = leftOut.map((each) => `- ${translated(each.what)}: ${numberText(each.count)}`);
  const content = [`# ${vscode.l10n.t('Import')}`, text, lines.join('\n'), ''].join('\n\n');
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ language: 'markdown', content }),
  );
}

/** An import that failed left everything as it was: said with the chat that is still the current one. */
async function reportFailure(
  { store, current }: ImportExportCommandsDeps,
  file: vscode.Uri,
  error: unknown,
): Promise<void> {
  const title = (await store.getChat(await current.chatId()))?.title ?? vscode.l10n.t('New chat');
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  void notify.error(
    sentences(
      vscode.l10n.t('Couldn’t import {0}.', oneLine(name, 80)),
      messageOf(error),
      vscode.l10n.t('“{0}” is still open.', oneLine(title, 80)),
    ),
  );
}

async function write(
  { store, labels }: ImportExportCommandsDeps,
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
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(texts.join('\n')));
  });
  const open = vscode.l10n.t('Open');
  const text = vscode.l10n.t('Exported to {0}.', file.fsPath);
  void notify.information(text, open).then(async (answer) => {
    if (answer === open) await vscode.commands.executeCommand('vscode.open', file);
  });
}

async function read({ conversations }: ImportExportCommandsDeps, file: vscode.Uri): Promise<Imported> {
  const { size, type } = await vscode.workspace.fs.stat(file);
  // Reading a pipe or a device may never end.
  if ((type & vscode.FileType.File) === 0) {
    throw new ImportError(defineMessage('{0} is not a file. Select a file.', file.fsPath));
  }
  if (size > MAX_IMPORT_BYTES) {
    throw new ImportError(defineMessage('{0} is larger than {1}', file.fsPath, sizeText(MAX_IMPORT_BYTES)));
  }
  const title = vscode.l10n.t('Importing');
  return withProgress({ location: vscode.ProgressLocation.Window, title }, async () =>
    conversations.importFile(await vscode.workspace.fs.readFile(file), Date.now()),
  );
}

function askWhere(name: string): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `${name}.offshoot.json`) } : {}),
    filters: { [vscode.l10n.t('Conversations')]: ['json'], Markdown: ['md'] },
  });
}

async function askForFiles(): Promise<readonly vscode.Uri[]> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import'),
    openLabel: vscode.l10n.t('Import'),
    canSelectMany: true,
    filters: { [vscode.l10n.t('Conversations')]: ['json', 'jsonl'] },
  });
  return files ?? [];
}

/** A name for a file from a title. */
function fileName(title: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return name === '' ? 'chat' : name;
}
