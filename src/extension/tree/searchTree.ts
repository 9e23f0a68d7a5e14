import * as vscode from 'vscode';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import { momentText, timeAgo, messagesText } from '../ui/formats.ts';
import { logFailure } from '../ui/failures.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';
import { CachedTreeDataProvider } from '../ui/cachedTreeDataProvider.ts';
import type { BranchLabeler } from '../branches/branchLabels.ts';
import { aboutTexts } from './aboutLines.ts';
import {
  readSnippet,
  type BranchResults,
  type ChatResults,
  type FoundMessage,
  type SearchAnswer,
} from './chatSearch.ts';
import { plainTooltip } from '../ui/tooltip.ts';
import { commandLink } from '../manifest/runCommand.ts';

/** In characters. */
const EXCERPT_LENGTH = 600;

export type SearchNode =
  | { readonly kind: 'chat'; readonly found: ChatResults }
  | { readonly kind: 'branch'; readonly found: BranchResults; readonly parent: ChatResults }
  | {
      readonly kind: 'message';
      readonly found: FoundMessage;
      readonly parent: SearchNode;
    }
  | { readonly kind: 'more' };

/** Chats, with their branches, with their messages; at the end a row for more. */
export class SearchTree implements vscode.TreeDataProvider<SearchNode>, vscode.Disposable {
  private readonly rows: CachedTreeDataProvider<SearchNode, vscode.TreeItem>;
  private answer: SearchAnswer | undefined;
  private labels: ReadonlyMap<string, BranchLabeler> = new Map();

  readonly onDidChangeTreeData: (listener: (changed: SearchNode[] | undefined) => void) => vscode.Disposable;

  constructor(log: vscode.LogOutputChannel) {
    this.rows = new CachedTreeDataProvider<SearchNode, vscode.TreeItem>({
      children: (node) => this.childrenOf(node),
      item: (node) => itemOf(node, this.labels),
      failed: (error) => logFailure(log, 'What was found could not be shown', error),
    });
    this.onDidChangeTreeData = this.rows.onDidChange;
  }

  /** @param labels by chat */
  show(answer: SearchAnswer | undefined, labels: ReadonlyMap<string, BranchLabeler> = new Map()): void {
    this.answer = answer;
    this.labels = labels;
    void this.rows.update();
  }

  getChildren(node?: SearchNode): Promise<SearchNode[]> {
    return this.rows.getChildren(node);
  }

  getTreeItem(node: SearchNode): Promise<vscode.TreeItem> | vscode.TreeItem {
    return this.rows.getTreeItem(node);
  }

  private childrenOf(node: SearchNode | undefined): SearchNode[] {
    if (!node) {
      const { chats = [], hasMore = false } = this.answer ?? {};
      return [
        ...chats.map((found): SearchNode => ({ kind: 'chat', found })),
        ...(hasMore ? [{ kind: 'more' } as const] : []),
      ];
    }
    switch (node.kind) {
      case 'chat':
        return node.found.branches.map((found) => ({ kind: 'branch', found, parent: node.found }));
      case 'branch':
        return node.found.messages.map((found) => ({ kind: 'message', found, parent: node }));
      case 'message':
      case 'more':
        return [];
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: SearchNode): vscode.TreeItem {
    if (node.kind !== 'message') return item;
    const read = readUIMessage(node.found.message.data);
    item.tooltip = plainTooltip(
      read ? messageExcerpt(read, EXCERPT_LENGTH) : '',
      momentText(node.found.message.createdAt),
    );
    return item;
  }

  dispose(): void {
    this.rows.dispose();
  }
}

function itemOf(node: SearchNode, labels: ReadonlyMap<string, BranchLabeler>): vscode.TreeItem {
  switch (node.kind) {
    case 'chat':
      return chatItem(node.found);
    case 'branch':
      return branchItem(node.found, labels.get(node.found.chatId));
    case 'message':
      return messageItem(node.found);
    case 'more': {
      const item = new vscode.TreeItem(vscode.l10n.t('Show More Results'));
      item.id = 'more';
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      item.command = commandLink('offshoot.moreSearchResults', vscode.l10n.t('Show More Results'));
      return item;
    }
  }
}

function chatItem({ chat, count }: ChatResults): vscode.TreeItem {
  const item = new vscode.TreeItem(
    chat.title ?? vscode.l10n.t('New chat'),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = `chat ${chat.id}`;
  item.contextValue = 'searchChat';
  item.iconPath = new vscode.ThemeIcon('comment-discussion');
  item.description = messagesText(count);
  return item;
}

function branchItem(
  { chatId, branch, messages }: BranchResults,
  labelOf: BranchLabeler | undefined,
): vscode.TreeItem {
  const item = new vscode.TreeItem(
    branch ? (labelOf?.(branch.name) ?? branch.name) : vscode.l10n.t('On no branch'),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = `branch ${chatId} ${branch?.id ?? ''}`;
  item.contextValue = 'searchBranch';
  const isArchived = branch?.archivedAt !== undefined;
  item.iconPath = new vscode.ThemeIcon(isArchived ? 'archive' : branch ? 'git-branch' : 'bookmark');
  item.description = [String(messages.length), ...(isArchived ? [vscode.l10n.t('archived')] : [])].join(
    ' · ',
  );
  if (branch) item.tooltip = plainTooltip(branch.name);
  else item.tooltip = vscode.l10n.t('Only a checkpoint leads to these messages.');
  return item;
}

function messageItem(found: FoundMessage): vscode.TreeItem {
  const { message, snippet } = found;
  const { text, hits } = readSnippet(snippet);
  const item = new vscode.TreeItem({ label: text, highlights: hits });
  item.id = `message ${message.chatId} ${message.id}`;
  item.contextValue = 'searchMessage';
  item.iconPath = new vscode.ThemeIcon(isUserTurn(message) ? 'account' : 'sparkle');
  item.description = [...aboutTexts(found), timeAgo(message.createdAt)].join(' · ');
  const who = isUserTurn(message) ? vscode.l10n.t('Question') : vscode.l10n.t('Answer');
  item.accessibilityInformation = {
    label: `${vscode.l10n.t('{0}: {1}', who, text)}, ${item.description}`,
  };
  item.command = commandLink('offshoot.openSearchResult', vscode.l10n.t('Open Message'), {
    chatId: message.chatId,
    messageId: message.id,
  });
  return item;
}
