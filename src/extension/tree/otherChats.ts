import * as vscode from 'vscode';
import { timeAgo } from '../ui/formats.ts';
import type {
  JoinedProject,
  RelatedChats,
  RelatedChatsOfStore,
  TitledChat,
} from '../storage/relatedChats.ts';
import { commandLink } from '../manifest/runCommand.ts';
import type { ChatNode, OtherChatNode, ProjectNode } from './treeNodes.ts';

type Related = Pick<RelatedChats, 'all' | 'joined' | 'storeOf'>;

/** The rows of chats in other stores, each under the workspace they were made in, below the chats of this window's own. */
export class OtherChats {
  private readonly nodes = new Map<string, ProjectNode>();
  /** Chats of this window that are in joined stores, by store. */
  private joined = new Map<string, ChatNode[]>();

  constructor(private readonly related: Related) {}

  /** The rows at the top: these chats, but for those that stand under their folder. */
  async rooted(chats: readonly ChatNode[], isFiltered: boolean): Promise<(ChatNode | ProjectNode)[]> {
    const own: ChatNode[] = [];
    const joined = new Map<string, ChatNode[]>();
    for (const chat of chats) {
      const store = await this.related.storeOf(chat.chatId);
      if (store === undefined) own.push(chat);
      else joined.set(store, [...(joined.get(store) ?? []), chat]);
    }
    this.joined = joined;
    const others = isFiltered ? [] : this.related.all.map(({ store }) => this.project(store));
    return [...own, ...[...joined.keys()].map((store) => this.project(store)), ...others];
  }

  chatsOf({ store }: ProjectNode): (ChatNode | OtherChatNode)[] {
    const joined = this.joined.get(store);
    if (joined) return joined;
    return this.find(store)?.chats.map(({ id }) => ({ kind: 'otherChat', store, chatId: id })) ?? [];
  }

  /** Undefined for a chat of this window's own. */
  parentOf(node: ChatNode | OtherChatNode): ProjectNode | undefined {
    if (node.kind === 'otherChat') return this.project(node.store);
    for (const [store, chats] of this.joined) {
      if (chats.some(({ chatId }) => chatId === node.chatId)) return this.project(store);
    }
    return undefined;
  }

  /** @throws Error for what is not offered any more; VS Code then requests the tree again. */
  itemOf(node: ProjectNode | OtherChatNode): vscode.TreeItem {
    const joined = this.related.joined.find(({ store }) => store === node.store);
    if (node.kind === 'project' && joined) return joinedItem(joined);
    const of = this.find(node.store);
    if (node.kind === 'project' && of) return projectItem(of);
    const chat = node.kind === 'otherChat' && of?.chats.find(({ id }) => id === node.chatId);
    if (!chat) throw new Error('This chat is gone.');
    return otherChatItem(node, chat);
  }

  private find(store: string): RelatedChatsOfStore | undefined {
    return this.related.all.find((each) => each.store === store);
  }

  private project(store: string): ProjectNode {
    const node = this.nodes.get(store) ?? { kind: 'project', store, chatId: '' };
    this.nodes.set(store, node);
    return node;
  }
}

function joinedItem({ store, name }: JoinedProject): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = `project ${store}`;
  item.contextValue = 'project joined';
  item.iconPath = new vscode.ThemeIcon('folder');
  item.tooltip = vscode.l10n.t('Chats that were made with this folder alone. They stay with it.');
  return item;
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
