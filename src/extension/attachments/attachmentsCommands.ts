import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import { proposeFiles, shownPathOf } from '../workspaceFiles/proposeFiles.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { workspaceFolders } from '../workspaceFiles/editorWorkspace.ts';
import { pickOne, PickList, type PickRow } from '../ui/quickPick.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

/** Larger pictures are not even read: the page makes those smaller that are too large for a model. */
const MAX_READ_BYTES = 50_000_000;

/** Giving something with the next question. */
export function attachmentsCommands(chat: ShownChat): CommandHandlers<'attach' | 'addSelection'> {
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
      ];
      const title = vscode.l10n.t('Attach to the next question');
      await (await pickOne(items, { title }))?.what();
    },
    addSelection: () => attachSelection(chat),
  };
}

async function attachImages(chat: ShownChat): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: vscode.l10n.t('Attach Images'),
    filters: { [vscode.l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] },
  });
  for (const uri of chosen ?? []) {
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
    throw new OffshootError(
      'outside-workspace',
      vscode.l10n.t('Only files of the folders that are open can be attached. Copy the text instead.'),
    );
  }
  const { selection } = editor;
  if (selection.isEmpty) return chat.focus({ attachments: [{ type: 'file', path }] });
  // A line of which nothing is selected but its beginning does not belong to it.
  const isAtStart = selection.end.character === 0 && selection.end.line > selection.start.line;
  const endLine = selection.end.line + (isAtStart ? 0 : 1);
  await chat.focus({ attachments: [{ type: 'file', path, startLine: selection.start.line + 1, endLine }] });
}
