import * as vscode from 'vscode';
import { RESOURCE_SCHEME } from '../../agent/tools/foreignResource.ts';
import { isOfMcp } from '../../agent/tools/foreignTools.ts';
import { ownAddress } from '../../agent/tools/resourceAddress.ts';
import { OffshootError } from '../../engine/errors.ts';
import { MAX_TEXT } from '../../protocol/attachments.ts';
import type { Attachments, AttachmentsWork } from './attachedFiles.ts';
import { ActiveEditor, selectedLines } from './activeEditor.ts';
import { keepPdf } from './keepPdf.ts';
import { attachUris, offerFile, outsideWorkspace, resourceText } from './attachUris.ts';
import { contextText } from './contextText.ts';
import { attachProblems } from './attachProblems.ts';
import { proposeSymbols, proposeFiles } from '../files/proposeFiles.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { shownPathOf, workspaceFolders } from '../files/openFolders.ts';
import { openTexts } from '../files/openTexts.ts';
import { pickOne, PickList, type PickRow } from '../ui/quickPick.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

/** The code attachments need, loaded with the commands: splitting the file would save nothing. */
export const attachmentsWork: AttachmentsWork = {
  contextText,
  proposeFiles,
  proposeSymbols,
  keepPdf,
  openTexts,
  ActiveEditor,
};

export function attachmentsCommands(
  deps: Parameters<typeof attachUris>[0],
  chat: ShownChat,
): CommandHandlers<
  | 'attach'
  | 'addSelection'
  | 'addToChat'
  | 'addProblem'
  | 'addProblems'
  | 'addChanges'
  | 'addTerminalSelection'
> {
  return {
    attach: async () => {
      const items: (PickRow & { readonly what: () => Promise<void> })[] = [
        {
          icon: 'file-media',
          label: vscode.l10n.t('Image or PDF…'),
          what: () => attachImages(deps.attachments, chat),
        },
        { icon: 'file', label: vscode.l10n.t('File of the Workspace…'), what: () => attachFile(deps, chat) },
        ...(vscode.window.activeTextEditor
          ? [
              {
                icon: 'list-selection',
                label: vscode.l10n.t('Selection in the Editor'),
                what: () => attachSelection(chat),
              },
            ]
          : []),
        ...(vscode.window.activeTerminal
          ? [
              {
                icon: 'terminal',
                label: vscode.l10n.t('Selection in the Terminal'),
                what: () => attachTerminalSelection(chat),
              },
            ]
          : []),
        ...(hasServers()
          ? [
              {
                icon: 'mcp',
                label: vscode.l10n.t('Resource of an MCP Server…'),
                // It opens what is selected, and the chat then offers that as it does every document.
                what: async () => {
                  await vscode.commands.executeCommand('workbench.mcp.browseResources');
                },
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
      // The Explorer passes the clicked one, and all selected ones.
      const given: unknown[] = Array.isArray(selection) ? selection : [argument];
      const uris = given.filter((each) => each instanceof vscode.Uri);
      if (uris.length > 0) await attachUris(deps, chat, uris);
      else await attachSelection(chat);
    },
    addProblem: (argument) => attachProblems(deps.guarded, chat, argument),
    addProblems: () => attachContext(chat, 'problems'),
    addChanges: () => attachContext(chat, 'changes'),
    addTerminalSelection: () => attachTerminalSelection(chat),
  };
}

async function attachContext(chat: ShownChat, of: 'problems' | 'changes'): Promise<void> {
  await chat.focus({ attachments: [{ type: 'context', of, name: '' }] });
}

/** VS Code does not report the selection of a terminal, but copies it. The clipboard is restored afterwards. */
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

async function attachImages(attachments: Attachments, chat: ShownChat): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: vscode.l10n.t('Attach Images or PDFs'),
    filters: { [vscode.l10n.t('Images and PDFs')]: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'pdf'] },
  });
  for (const uri of chosen ?? []) await offerFile(attachments, chat, uri);
}

async function attachFile(deps: Parameters<typeof attachUris>[0], chat: ShownChat): Promise<void> {
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
  if (path === undefined) return;
  const { uri } = await deps.guarded.resolve(path);
  await attachUris(deps, chat, [vscode.Uri.parse(uri, true)]);
}

function hasServers(): boolean {
  return vscode.lm.tools.some(({ name }) => isOfMcp(name));
}

/** The selection in the editor, or the whole file if nothing is selected. */
async function attachSelection(chat: ShownChat): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { uri } = editor.document;
  if (uri.scheme === RESOURCE_SCHEME) {
    const range = editor.selection.isEmpty ? undefined : editor.selection;
    await chat.focus({
      attachments: [resourceText(ownAddress(uri.toString()), editor.document.getText(range))],
    });
    return;
  }
  const path = shownPathOf(workspaceFolders(), uri);
  if (path === undefined) {
    throw outsideWorkspace();
  }
  await chat.focus({ attachments: [{ type: 'file', path, ...selectedLines(editor.selection) }] });
}
