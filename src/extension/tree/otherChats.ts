import * as vscode from 'vscode';
import { timeAgo } from '../ui/formats.ts';
import type { RelatedChats, RelatedChatsOfStore, TitledChat } from '../storage/relatedChats.ts';
import { commandLink } from '../manifest/runCommand.ts';
import type { OtherChatNode, ProjectNode } from './treeNodes.ts';

/** The rows below the chats of this window: those of other stores, each under the workspace they were made in. */
export class OtherChats {
  constructor(private readonly related: Pick<RelatedChats, 'all'>) {}

  projects(): ProjectNode[] {
    return this.related.all.map(({ store }) => ({ kind: 'project', store, chatId: '' }));
  }

  chatsOf({ store }: ProjectNode): OtherChatNode[] {
    return this.find(store)?.chats.map(({ id }) => ({ kind: 'otherChat', store, chatId: id })) ?? [];
  }

  parentOf({ store }: OtherChatNode): ProjectNode {
    return { kind: 'project', store, chatId: '' };
  }

  /** @throws Error for what is not offered any more; VS Code then requests the tree again. */
  itemOf(node: ProjectNode | OtherChatNode): vscode.TreeItem {
    const of = this.find(node.store);
    if (node.kind === 'project' && of) return projectItem(of);
    const chat = node.kind === 'otherChat' && of?.chats.find(({ id }) => id === node.chatId);
    if (!chat) throw new Error('This chat is gone.');
    return otherChatItem(node, chat);
  }

  private find(store: string): RelatedChatsOfStore | undefined {
    return this.related.all.find((each) => each.store === store);
  }
}

function projectItem({ store, name, kind, chats }: RelatedChatsOfStore): vscode.TreeItem {
  const item = new vscode.TreeItem(
    vscode.l10n.t('Chats from “{0}”', name),
    vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = `project ${store}`;
  item.contextValue = 'project';
  item.iconPath = new vscode.ThemeIcon(kind === 'likely' ? 'question' : 'folder');
  item.description = chats.length === 1 ? vscode.l10n.t('1 chat') : vscode.l10n.t('{0} chats', chats.length);
  item.tooltip = {
    same: vscode.l10n.t('Made in the same folder, under another name.'),
    part: vscode.l10n.t('Made where not all of the same folders were open.'),
    likely: vscode.l10n.t('Made in a copy of this project, or in a folder of the same name.'),
  }[kind];
  return item;
}

function otherChatItem(node: OtherChatNode, { id, title, updatedAt }: TitledChat): vscode.TreeItem {
  const item = new vscode.TreeItem(title ?? vscode.l10n.t('New chat'));
  item.id = `otherChat ${node.store} ${id}`;
  item.contextValue = 'otherChat';
  item.iconPath = new vscode.ThemeIcon('comment');
  item.description = timeAgo(updatedAt);
  item.command = commandLink('offshoot.openOtherChat', vscode.l10n.t('Open Chat'), node);
  return item;
}
