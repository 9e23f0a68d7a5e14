import * as vscode from 'vscode';
import { appliedBecause } from '../../agent/instructions/appliedBecause.ts';
import type { ImportProblem } from '../../agent/instructions/instructionImports.ts';
import { shownPathOf, workspaceFolders } from '../files/openFolders.ts';
import { commandLink } from '../manifest/runCommand.ts';
import { oneLine, shownName } from '../ui/shownName.ts';
import { sizeText, tokensText } from '../ui/formats.ts';
import { tooltip } from '../ui/tooltip.ts';
import type { NodeOf } from './contextNodes.ts';

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** How much of a reason a row shows, in characters. */
const REASON = 120;

export function instructionsItem({ of, versions }: NodeOf<'instructions'>): vscode.TreeItem {
  const isOfChat = of === 'chat';
  const label = isOfChat ? vscode.l10n.t('Of this chat') : vscode.l10n.t('Of this workspace');
  const item = new vscode.TreeItem(label, versions.length > 1 ? Collapsed : None);
  item.id = `instructions ${of} ${versions.length > 1 ? 'many' : 'one'}`;
  item.iconPath = new vscode.ThemeIcon('edit');
  const newest = versions.at(-1);
  item.description = newest
    ? vscode.l10n.t('version {0} · {1}', newest.version, sizeText(newest.size))
    : vscode.l10n.t('none yet');
  item.tooltip = isOfChat
    ? vscode.l10n.t('Sent to the model in this chat, on all its branches')
    : vscode.l10n.t('Sent to the model in all chats of this workspace');
  item.contextValue = 'instructions';
  item.command = commandLink(
    isOfChat ? 'offshoot.editChatInstructions' : 'offshoot.editWorkspaceInstructions',
    vscode.l10n.t('Edit Instructions'),
  );
  return item;
}

export function instructionsFileItem(node: NodeOf<'instructionsFile'>): vscode.TreeItem {
  const { file, tokens, isSent } = node;
  const uri = vscode.Uri.parse(file, true);
  const name = nameOfFile(uri);
  const item = new vscode.TreeItem(name, None);
  item.id = `instructions file ${file}`;
  item.iconPath = new vscode.ThemeIcon('file');
  item.description = isSent ? vscode.l10n.t('{0} · with a question', tokensText(tokens)) : tokensText(tokens);
  const where = isSent
    ? vscode.l10n.t('Sent with a question about files it applies to')
    : vscode.l10n.t('Part of the system prompt');
  const why = becauseText(node);
  item.tooltip = why === undefined ? tooltip(name, where) : tooltip(name, where, why);
  item.accessibilityInformation = {
    label: [name, item.description, ...(why === undefined ? [] : [why])].join(', '),
  };
  item.contextValue = 'instructionsFile';
  item.command = openFile(uri);
  return item;
}

export function unusedInstructionsItem(node: NodeOf<'unusedInstructions'>): vscode.TreeItem {
  const uri = vscode.Uri.parse(node.file.uri, true);
  const name = nameOfFile(uri);
  const item = new vscode.TreeItem(name, None);
  const reason = reasonText(node);
  item.id = `unused instructions ${node.file.uri} ${importOf(node) ?? ''}`;
  item.iconPath = new vscode.ThemeIcon('circle-slash');
  item.description = oneLine(reason, REASON);
  item.tooltip = tooltip(name, reason);
  item.contextValue = 'instructionsFile';
  item.accessibilityInformation = { label: [name, vscode.l10n.t('not sent'), reason].join(', ') };
  item.command = openFile(uri);
  return item;
}

function nameOfFile(uri: vscode.Uri): string {
  return shownName(shownPathOf(workspaceFolders(), uri) ?? vscode.workspace.asRelativePath(uri));
}

function openFile(uri: vscode.Uri): vscode.Command {
  return { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
}

function reasonText({ file, hasTools }: NodeOf<'unusedInstructions'>): string {
  if (!('reason' in file)) {
    if (file.applyTo.length > 0)
      return vscode.l10n.t('No question was about {0} yet', shownName(file.applyTo.join(', '), 200));
    return hasTools
      ? vscode.l10n.t('No applyTo: the model is told of it and may read it')
      : vscode.l10n.t('No applyTo, and no tools to read it with');
  }
  const { reason } = file;
  switch (reason.kind) {
    case 'same':
      return vscode.l10n.t('Says the same as {0}', shownName(reason.as));
    case 'replaced':
      return vscode.l10n.t('{0} takes its place', shownName(reason.by));
    case 'unreadable':
      return vscode.l10n.t('Its front matter can’t be read: {0}', shownName(reason.problem, 200));
    case 'import':
      return importProblemText(shownName(`@${reason.written}`, 200), reason.problem);
  }
}

/** Of one file several imports may have no effect: what tells their rows apart. */
function importOf({ file }: NodeOf<'unusedInstructions'>): string | undefined {
  return 'reason' in file && file.reason.kind === 'import' ? file.reason.written : undefined;
}

function importProblemText(name: string, problem: ImportProblem): string {
  switch (problem) {
    case 'outside':
      return vscode.l10n.t('{0} is not imported: it is outside the folder that imports may come from', name);
    case 'circle':
      return vscode.l10n.t('{0} is not imported: it leads back to a file that imports it', name);
    case 'too-deep':
      return vscode.l10n.t('{0} is not imported: too many imports lead to it', name);
    case 'too-many':
      return vscode.l10n.t('{0} is not imported: too much is imported already', name);
    case 'secret':
      return vscode.l10n.t('{0} is not imported: its name is that of a file with secrets', name);
    case 'missing':
      return vscode.l10n.t('{0} is not imported: there is no such text file', name);
  }
}

function becauseText(node: NodeOf<'instructionsFile'>): string | undefined {
  const because = appliedBecause.safeParse(node.because).data;
  switch (because?.kind) {
    case undefined:
      return undefined;
    case 'user':
      return vscode.l10n.t('Your own, for all projects');
    case 'root':
      return vscode.l10n.t('For all files of its workspace folder');
    case 'all':
      return vscode.l10n.t('Its applyTo names all files');
    case 'folder':
      return vscode.l10n.t('{0} is in its folder', shownName(because.of));
    case 'pattern':
      return vscode.l10n.t('Its applyTo matches {0}', shownName(because.of));
    case 'import':
      return vscode.l10n.t('{0} imports it', shownName(because.by));
    case 'hook':
      return vscode.l10n.t('Added by a hook');
  }
}
