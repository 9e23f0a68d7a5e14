import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import { MAX_TEXT, type Attachment } from '../../protocol/attachments.ts';
import type { AttachmentsWork } from './attachedFiles.ts';
import { contextText } from './contextText.ts';
import { proposeSymbols } from './proposeSymbols.ts';
import { proposeFiles, shownPathOf } from '../workspaceFiles/proposeFiles.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { workspaceFolders } from '../workspaceFiles/editorWorkspace.ts';
import { pickOne, PickList, type PickRow } from '../ui/quickPick.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

/** What attachments need once they are used, loaded with the commands: more files would not be less to load. */
export const attachmentsWork: AttachmentsWork = { contextText, proposeSymbols };

/** What is shown to a model as a picture, by the end of its name. */
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/iu;

/** Larger pictures are not even read: the page makes those smaller that are too large for a model. */
const MAX_READ_BYTES = 50_000_000;

/** Giving something with the next question. */
export function attachmentsCommands(
  chat: ShownChat,
): CommandHandlers<
  'attach' | 'addSelection' | 'addToChat' | 'addProblems' | 'addChanges' | 'addTerminalSelection'
> {
  return {
    attach: async () => {
      const items: (PickRow & { readonly what: () => Promise<void> })[] = [
        { icon: 'file-media', label: vscode.l10n.t('Image…'), what: () => attachImages(chat) },
        { icon: 'file', label: vscode.l10n.t('File of the Workspace…'), what: () => attachFile(chat) },
        ...(vscode.window.activeTextEditor
          ? [
              {
                icon: 'list-selection',
                label: vscode.l10n.t('Selection in the Editor'),
                what: () => attachSelection(chat),
              },
            ]
          : []),
        { icon: 'warning', label: vscode.l10n.t('Problems'), what: () => attachContext(chat, 'problems') },
        {
          icon: 'git-compare',
          label: vscode.l10n.t('Git Changes'),
          what: () => attachContext(chat, 'changes'),
        },
        {
          icon: 'git-branch',
          label: vscode.l10n.t('Branch or Checkpoint…'),
          what: () => runCommand('offshoot.addBranch'),
        },
      ];
      const title = vscode.l10n.t('Attach to the next question');
      await (await pickOne(items, { title }))?.what();
    },
    addSelection: () => attachSelection(chat),
    addToChat: async (argument, selection) => {
      // The Explorer gives the one that was clicked, and all that are selected.
      const given: unknown[] = Array.isArray(selection) ? selection : [argument];
      const uris = given.filter((each) => each instanceof vscode.Uri);
      if (uris.length > 0) await attachUris(chat, uris);
      else await attachSelection(chat);
    },
    addProblems: () => attachContext(chat, 'problems'),
    addChanges: () => attachContext(chat, 'changes'),
    addTerminalSelection: () => attachTerminalSelection(chat),
  };
}

async function attachContext(chat: ShownChat, of: 'problems' | 'changes'): Promise<void> {
  await chat.focus({ attachments: [{ type: 'context', of, name: '' }] });
}

/** Files, pictures and folders of the workspace. */
async function attachUris(chat: ShownChat, uris: readonly vscode.Uri[]): Promise<void> {
  const attachments: Attachment[] = [];
  const pictures: vscode.Uri[] = [];
  for (const uri of uris) {
    const path = shownPathOf(workspaceFolders(), uri);
    if (path === undefined || path === '') throw outsideWorkspace();
    const { type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0)
      attachments.push({ type: 'context', of: 'folder', name: path });
    else if (PICTURE.test(path)) pictures.push(uri);
    else attachments.push({ type: 'file', path });
  }
  await chat.focus({ attachments });
  for (const uri of pictures) await offerPicture(chat, uri);
}

/**
 * VS Code tells nobody what is selected in a terminal, but copies it. What was on the clipboard before is there again
 * afterwards.
 */
async function attachTerminalSelection(chat: ShownChat): Promise<void> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText('');
  await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
  const text = await clipboard.readText();
  await clipboard.writeText(before);
  if (text.trim() === '') {
    throw new OffshootError('nothing-to-attach', vscode.l10n.t('Select something in the terminal first.'));
  }
  const name = vscode.l10n.t('Terminal {0}', vscode.window.activeTerminal?.name ?? '').trim();
  await chat.focus({
    attachments: [{ type: 'context', of: 'text', name, text: text.slice(0, MAX_TEXT).toWellFormed() }],
  });
}

async function attachImages(chat: ShownChat): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: vscode.l10n.t('Attach Images'),
    filters: { [vscode.l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] },
  });
  for (const uri of chosen ?? []) await offerPicture(chat, uri);
}

async function offerPicture(chat: ShownChat, uri: vscode.Uri): Promise<void> {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const { size, type } = await vscode.workspace.fs.stat(uri);
  // Reading a pipe or a device may never end.
  if ((type & vscode.FileType.File) === 0) {
    throw new OffshootError('not-a-file', vscode.l10n.t('{0} is not a file. Select a file.', name));
  }
  if (size > MAX_READ_BYTES) {
    throw new OffshootError('image-too-large', vscode.l10n.t('{0} is too large for a picture.', name));
  }
  await chat.offerImage(name, await vscode.workspace.fs.readFile(uri));
}

async function attachFile(chat: ShownChat): Promise<void> {
  const paths = await proposeFiles(workspaceFolders(), '');
  const picker = new PickList({ title: vscode.l10n.t('Select a file to attach') });
  picker.rows = paths.map((label) => ({ label }));
  let asked = 0;
  picker.onDidChangeValue(async (value) => {
    const request = (asked += 1);
    const found = await proposeFiles(workspaceFolders(), value);
    if (request === asked) picker.rows = found.map((label) => ({ label }));
  });
  const path = await new Promise<string | undefined>((resolve) => {
    picker.onDidAccept(() => resolve(picker.selectedRows[0]?.label));
    picker.onDidHide(() => resolve(undefined));
    picker.show();
  });
  picker.dispose();
  if (path !== undefined) await chat.focus({ attachments: [{ type: 'file', path }] });
}

/** What is selected in the editor, or the whole file when nothing is. */
async function attachSelection(chat: ShownChat): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const path = shownPathOf(workspaceFolders(), editor.document.uri);
  if (path === undefined) {
    throw outsideWorkspace();
  }
  const { selection } = editor;
  if (selection.isEmpty) return chat.focus({ attachments: [{ type: 'file', path }] });
  // A line of which nothing is selected but its beginning does not belong to it.
  const isAtStart = selection.end.character === 0 && selection.end.line > selection.start.line;
  const endLine = selection.end.line + (isAtStart ? 0 : 1);
  await chat.focus({ attachments: [{ type: 'file', path, startLine: selection.start.line + 1, endLine }] });
}

function outsideWorkspace(): OffshootError {
  return new OffshootError(
    'outside-workspace',
    vscode.l10n.t('Only files of the folders that are open can be attached. Copy the text instead.'),
  );
}
