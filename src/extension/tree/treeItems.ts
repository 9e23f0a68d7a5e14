import * as vscode from 'vscode';
import type { RunStatus } from '../../agent/runs.ts';
import type { BranchNode, ChatNode, CheckpointNode } from './treeNodes.ts';
import { timeAgo } from './timeAgo.ts';

/** What is known of a branch beside what the node holds. */
export interface BranchState {
  readonly status: RunStatus | undefined;
  readonly hasChildren: boolean;
  /** The first question after its fork, which tells what the branch is about. */
  readonly firstQuestion: string;
  /** Whether its chat is the one that is open. */
  readonly isOpen: boolean;
}

export function chatItem({ chatId, chat, isOpen }: ChatNode): vscode.TreeItem {
  const item = new vscode.TreeItem(chat.title ?? vscode.l10n.t('New chat'));
  item.id = `chat ${chatId}`;
  item.contextValue = 'chat';
  item.iconPath = new vscode.ThemeIcon(isOpen ? 'comment-discussion' : 'comment');
  item.description = timeAgo(chat.updatedAt);
  item.collapsibleState = isOpen
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
  return item;
}

export function branchItem(node: BranchNode, state: BranchState): vscode.TreeItem {
  const { branch, name, chatId } = node;
  const isActive = branch.isActive && state.isOpen;
  const item = new vscode.TreeItem(name);
  // VS Code remembers by id whether an item is open: one that has just become a parent shall begin open.
  item.id = `branch ${chatId} ${branch.id} ${state.hasChildren ? 'parent' : 'leaf'}`;
  item.contextValue = branch.isActive ? 'branch active' : 'branch';
  item.iconPath = branchIcon(state.status, isActive);
  const count =
    branch.messageCount === 1
      ? vscode.l10n.t('1 message')
      : vscode.l10n.t('{0} messages', branch.messageCount);
  item.description = isActive ? `${vscode.l10n.t('active')} · ${count}` : count;
  item.tooltip = branchTooltip(node, state);
  item.accessibilityInformation = { label: `${vscode.l10n.t('Branch {0}', name)}, ${item.description}` };
  item.collapsibleState = state.hasChildren
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.None;
  item.command = {
    command: 'offshoot.openBranch',
    title: vscode.l10n.t('Switch to Branch'),
    arguments: [node],
  };
  return item;
}

export function checkpointItem(node: CheckpointNode): vscode.TreeItem {
  const { checkpoint, chatId, name } = node;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `checkpoint ${chatId} ${checkpoint.id}`;
  item.contextValue = 'checkpoint';
  item.iconPath = new vscode.ThemeIcon('bookmark', new vscode.ThemeColor('charts.yellow'));
  item.description = timeAgo(checkpoint.createdAt);
  item.tooltip = vscode.l10n.t('Checkpoint “{0}”. Click to go on from here on a new branch.', name);
  item.accessibilityInformation = { label: vscode.l10n.t('Checkpoint {0}', name) };
  item.command = {
    command: 'offshoot.openCheckpoint',
    title: vscode.l10n.t('Restore Checkpoint'),
    arguments: [node],
  };
  return item;
}

function branchIcon(status: RunStatus | undefined, isActive: boolean): vscode.ThemeIcon {
  if (status === 'streaming') return new vscode.ThemeIcon('loading~spin');
  if (status === 'failed')
    return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  if (isActive) return new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.green'));
  if (status === 'interrupted') return new vscode.ThemeIcon('debug-pause');
  return new vscode.ThemeIcon('git-branch');
}

function branchTooltip({ branch, name }: BranchNode, { firstQuestion }: BranchState): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendMarkdown('**').appendText(name).appendMarkdown('**');
  if (branch.parentBranch !== undefined) {
    tooltip.appendText(` ${vscode.l10n.t('from {0}', branch.parentBranch)}`);
  }
  if (firstQuestion !== '') tooltip.appendMarkdown('\n\n').appendText(firstQuestion);
  tooltip.appendMarkdown('\n\n').appendText(new Date(branch.createdAt).toLocaleString());
  return tooltip;
}
