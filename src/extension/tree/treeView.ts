import * as vscode from 'vscode';
import { answerMetadataOf } from '../../agent/answerMetadata.ts';
import type { RunStatus } from '../../agent/runs.ts';
import type { BranchData } from '../../engine/graph.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import { oneLine } from '../oneLine.ts';
import { USER_ID } from '../currentChat.ts';
import { logFailure } from '../failures.ts';
import type { Services } from '../services.ts';
import { readOutline } from './readOutline.ts';
import { branchItem, chatItem, checkpointItem } from './treeItems.ts';
import {
  branchesBelow,
  checkpointsOn,
  type BranchNode,
  type ChatNode,
  type ChatOutline,
  type TreeNode,
} from './treeNodes.ts';

const TREE_VIEW = 'offshoot.tree';

/** How long changes are gathered before the tree is drawn anew, in milliseconds: one action makes several. */
const GATHER_MS = 50;

/** Chats, their branches where they fork, and checkpoints as bookmarks on them; drawn from the store each time. */
class ConversationTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private outlines = new Map<string, Promise<ChatOutline>>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeTreeData = this.changed.event;
  /** The branch that was shown last: it is revealed when another becomes active, not each time something is said. */
  private revealed = '';

  constructor(private readonly services: Services) {}

  scheduleRefresh(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.outlines = new Map();
      this.changed.fire(undefined);
    }, GATHER_MS);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    try {
      return await this.childrenOf(node);
    } catch (error) {
      logFailure(this.services.log, 'The tree could not be read', error);
      return [];
    }
  }

  async getParent(node: TreeNode): Promise<TreeNode | undefined> {
    if (node.kind === 'chat') return undefined;
    const outline = await this.outlineOf(node.chatId);
    const parentName =
      node.kind === 'branch'
        ? node.branch.parentBranch
        : outline.checkpoints.find(({ checkpoint }) => checkpoint.name === node.name)?.branch;
    const parent = outline.branches.find(({ name }) => name === parentName);
    if (parent) return { kind: 'branch', chatId: node.chatId, name: parent.name, branch: parent };
    return (await this.chats()).find(({ chatId }) => chatId === node.chatId);
  }

  /** The branch one is on, or undefined before the first question. */
  async activeBranch(): Promise<BranchNode | undefined> {
    const { store, current } = this.services;
    const chatId = await current.chatId();
    if (!(await store.getChat(chatId))) return undefined;
    const branch = (await this.outlineOf(chatId)).branches.find(({ isActive }) => isActive);
    return branch && { kind: 'branch', chatId, name: branch.name, branch };
  }

  async getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'chat':
        return chatItem(node);
      case 'checkpoint':
        return checkpointItem(node);
      case 'branch':
        return branchItem(node, {
          status: await this.statusOf(node.branch),
          hasChildren: (await this.childrenOf(node)).length > 0,
          firstQuestion: await this.firstQuestionOf(node.branch),
          isOpen: node.chatId === (await this.services.current.chatId()),
        });
    }
  }

  /** Brings the active branch into view and selects it, once it is another one. */
  async reveal(view: vscode.TreeView<TreeNode>): Promise<void> {
    const node = view.visible ? await this.activeBranch() : undefined;
    if (!node || node.branch.id === this.revealed) return;
    this.revealed = node.branch.id;
    await view.reveal(node, { select: true, focus: false, expand: true });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
  }

  private async childrenOf(node: TreeNode | undefined): Promise<TreeNode[]> {
    if (!node) return this.chats();
    if (node.kind === 'checkpoint') return [];
    const outline = await this.outlineOf(node.chatId);
    const parent: BranchNode | undefined = node.kind === 'branch' ? node : undefined;
    const branches = branchesBelow(outline, parent, node.chatId);
    return parent ? [...checkpointsOn(outline, parent), ...branches] : branches;
  }

  private async chats(): Promise<ChatNode[]> {
    const { store, current } = this.services;
    const open = await current.chatId();
    const chats = await store.listChats({ userId: USER_ID });
    return chats.map((chat) => ({ kind: 'chat', chatId: chat.id, chat, isOpen: chat.id === open }));
  }

  private outlineOf(chatId: string): Promise<ChatOutline> {
    const known = this.outlines.get(chatId);
    if (known) return known;
    const outline = readOutline(this.services.store, chatId);
    this.outlines.set(chatId, outline);
    return outline;
  }

  /** How the branch's last answer is or was getting on. */
  private async statusOf({ chatId, name, headMessageId }: BranchData): Promise<RunStatus | undefined> {
    const { runs, store } = this.services;
    const run = runs.get(chatId, name);
    if (run) return run.status;
    const head = headMessageId === null ? undefined : await store.getMessage(chatId, headMessageId);
    const read = head && readUIMessage(head.data);
    return read && answerMetadataOf(read)?.status;
  }

  private async firstQuestionOf({ chatId, forkMessageId, headMessageId }: BranchData): Promise<string> {
    const { store } = this.services;
    if (headMessageId === null || headMessageId === forkMessageId) return '';
    const own =
      forkMessageId === null ? undefined : await store.getPathAfter(chatId, forkMessageId, headMessageId);
    const question = own?.find(({ name }) => name === 'user');
    const read = question && readUIMessage(question.data);
    return read ? oneLine(textOf(read), 200) : '';
  }
}

export function registerTree(services: Services): vscode.Disposable {
  const tree = new ConversationTree(services);
  const view = vscode.window.createTreeView(TREE_VIEW, { treeDataProvider: tree, showCollapseAll: true });
  const refresh = (): void => tree.scheduleRefresh();
  const reveal = (): void => {
    tree
      .reveal(view)
      .catch((error: unknown) => logFailure(services.log, 'The active branch could not be shown', error));
  };
  return vscode.Disposable.from(
    tree,
    view,
    view.onDidChangeVisibility(reveal),
    tree.onDidChangeTreeData(reveal),
    services.store.onDidChange(refresh),
    services.current.onDidChange(refresh),
    services.onDidRefresh(refresh),
    services.runs.onDidChange((event) => {
      if (event.kind !== 'delta') refresh();
    }),
  );
}
