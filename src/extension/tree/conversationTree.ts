import * as vscode from 'vscode';
import { answerMetadataOf } from '../../agent/answerMetadata.ts';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import { readUIMessage, textOf } from '../../engine/uiMessage.ts';
import { listedChats } from '../chatMarks.ts';
import { logFailure } from '../failures.ts';
import { oneLine } from '../oneLine.ts';
import type { Services } from '../services.ts';
import { OutlineReader } from './readOutline.ts';
import { branchItem, chatItem, checkpointItem, tooltip, type BranchState } from './treeItems.ts';
import {
  branchesBelow,
  checkpointsOn,
  explorationOf,
  NodeCache,
  parentOf,
  type BranchNode,
  type ChatOutline,
  type Exploration,
  type TreeNode,
} from './treeNodes.ts';

/** How long changes are gathered before the tree is drawn anew, in milliseconds: one action makes several. */
const GATHER_MS = 50;

/** How much of a message a tooltip shows, in characters. */
const EXCERPT_LENGTH = 200;

/** How much of a report. */
const REPORT_LENGTH = 1_000;

export type TreeServices = Pick<Services, 'store' | 'runs' | 'current' | 'log'>;

/** Chats, their branches where they fork, and checkpoints as bookmarks on them; always what the store says. */
export class ConversationTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  private readonly nodes = new NodeCache();
  private readonly reader: OutlineReader;
  private outlines = new Map<string, Promise<ChatOutline | undefined>>();
  /** The chats in the order they are shown in. */
  private shown: string[] = [];
  private stale = new Set<string>();
  private isAllStale = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly services: TreeServices) {
    this.reader = new OutlineReader(services.store);
  }

  /** Draws everything anew, soon. */
  refresh(): void {
    this.isAllStale = true;
    this.schedule();
  }

  /** Draws a chat anew, soon. One that was just used is first: if it was not, all are drawn in their new order. */
  refreshChat(chatId: string): void {
    if (this.shown[0] !== chatId) this.isAllStale = true;
    this.stale.add(chatId);
    this.schedule();
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    try {
      if (!node) return await this.readChats();
      if (node.kind === 'checkpoint') return [];
      const outline = await this.outlineOf(node.chatId);
      return outline ? this.below(outline, node.kind === 'branch' ? node.id : undefined) : [];
    } catch (error) {
      logFailure(this.services.log, 'The tree could not be read', error);
      return [];
    }
  }

  async getParent(node: TreeNode): Promise<TreeNode | undefined> {
    if (node.kind === 'chat') return undefined;
    const outline = await this.outlineOf(node.chatId);
    if (!outline) return undefined;
    const parent =
      node.kind === 'branch'
        ? outline.branches.filter(({ id }) => id === node.id).map((branch) => parentOf(outline, branch))[0]
        : outline.branches.find(({ id }) => this.isOn(outline, node.id, id));
    return parent ? this.nodes.branch(parent) : this.nodes.chat(node.chatId);
  }

  /** @throws Error for what is gone by now; VS Code then asks for the tree again. */
  async getTreeItem(node: TreeNode): Promise<vscode.TreeItem> {
    const outline = await this.outlineOf(node.chatId);
    if (!outline) throw new Error('This chat is gone.');
    switch (node.kind) {
      case 'chat': {
        const isStreaming = this.services.runs.list(node.chatId).length > 0;
        return chatItem(node, outline.chat, { isOpen: await this.isOpen(node.chatId), isStreaming });
      }
      case 'branch': {
        const branch = outline.branches.find(({ id }) => id === node.id);
        if (!branch) throw new Error('This branch is gone.');
        return branchItem(node, branch, await this.stateOf(outline, branch));
      }
      case 'checkpoint': {
        const placed = outline.checkpoints.find(({ checkpoint }) => checkpoint.id === node.id);
        if (!placed) throw new Error('This checkpoint is gone.');
        return checkpointItem(node, placed.checkpoint);
      }
    }
  }

  /** Tooltips quote messages, so they are made when the pointer rests on an item. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    const outline = await this.outlineOf(node.chatId);
    if (!outline) return item;
    switch (node.kind) {
      case 'chat':
        item.tooltip = tooltip(
          outline.chat.title ?? vscode.l10n.t('New chat'),
          new Date(outline.chat.createdAt).toLocaleString(),
        );
        return item;
      case 'branch': {
        const branch = outline.branches.find(({ id }) => id === node.id);
        if (branch) item.tooltip = await this.branchTooltip(branch, explorationOf(outline, branch));
        return item;
      }
      case 'checkpoint': {
        const placed = outline.checkpoints.find(({ checkpoint }) => checkpoint.id === node.id);
        const message =
          placed && (await this.services.store.getMessage(node.chatId, placed.checkpoint.messageId));
        item.tooltip = tooltip(
          node.name,
          excerpt(message),
          vscode.l10n.t('Click to go on from here on a new branch.'),
        );
        return item;
      }
    }
  }

  /** The branch one is on, or undefined before the first question. */
  async activeBranch(): Promise<BranchNode | undefined> {
    const outline = await this.outlineOf(await this.services.current.chatId());
    const active = outline?.branches.find(({ isActive }) => isActive);
    return active && this.nodes.branch(active);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const stale = [...this.stale].map((chatId) => this.nodes.chat(chatId));
      const isAllStale = this.isAllStale;
      this.isAllStale = false;
      this.stale = new Set();
      if (isAllStale) this.outlines = new Map();
      else for (const { chatId } of stale) this.outlines.delete(chatId);
      this.changed.fire(isAllStale ? undefined : stale);
    }, GATHER_MS);
  }

  private async readChats(): Promise<TreeNode[]> {
    const chats = await listedChats(this.services.store);
    const ids = chats.map(({ id }) => id);
    for (const gone of this.shown.filter((id) => !ids.includes(id))) this.nodes.forget(gone);
    this.shown = ids;
    return ids.map((id) => this.nodes.chat(id));
  }

  private below(outline: ChatOutline, branchId: string | undefined): TreeNode[] {
    const checkpoints = branchId === undefined ? [] : checkpointsOn(outline, branchId);
    return [
      ...checkpoints.map((checkpoint) => this.nodes.checkpoint(checkpoint)),
      ...branchesBelow(outline, branchId).map((branch) => this.nodes.branch(branch)),
    ];
  }

  private isOn(outline: ChatOutline, checkpointId: string, branchId: string): boolean {
    return checkpointsOn(outline, branchId).some(({ id }) => id === checkpointId);
  }

  private outlineOf(chatId: string): Promise<ChatOutline | undefined> {
    const known = this.outlines.get(chatId);
    if (known) return known;
    const outline = this.reader.read(chatId);
    this.outlines.set(chatId, outline);
    // What could not be read is asked for again.
    outline.catch(() => this.outlines.delete(chatId));
    return outline;
  }

  private async isOpen(chatId: string): Promise<boolean> {
    return chatId === (await this.services.current.chatId());
  }

  /** With how its last answer is or was getting on. */
  private async stateOf(outline: ChatOutline, branch: BranchData): Promise<BranchState> {
    const { runs, store } = this.services;
    const { chatId, name, headMessageId } = branch;
    const head = headMessageId === null ? undefined : await store.getMessage(chatId, headMessageId);
    const read = head && readUIMessage(head.data);
    return {
      status: runs.get(chatId, name)?.status ?? (read && answerMetadataOf(read)?.status),
      hasChildren: this.below(outline, branch.id).length > 0,
      explored: explorationOf(outline, branch)?.goal,
      isOpen: await this.isOpen(chatId),
      lastSaidAt: head?.createdAt ?? branch.createdAt,
    };
  }

  private async branchTooltip(
    branch: BranchData,
    exploration: Exploration | undefined,
  ): Promise<vscode.MarkdownString> {
    const { store } = this.services;
    const { chatId, forkMessageId: fork, headMessageId: head, parentBranch } = branch;
    const own = fork === null || head === null ? undefined : await store.getPathAfter(chatId, fork, head);
    const question = own?.find(({ name }) => name === 'user');
    const last = head === null ? undefined : await store.getMessage(chatId, head);
    if (exploration) {
      const reported = await store.getMessage(chatId, exploration.reportId);
      const summary = reported && branchSummaryOf(readUIMessage(reported.data) ?? {});
      return tooltip(
        exploration.goal,
        vscode.l10n.t('explored on {0}', branch.name),
        summary ? oneLine(summary.report, REPORT_LENGTH) : '',
      );
    }
    return tooltip(
      branch.name,
      parentBranch === undefined ? '' : vscode.l10n.t('from {0}', parentBranch),
      excerpt(question),
      last?.id === question?.id ? '' : excerpt(last),
      new Date(branch.createdAt).toLocaleString(),
    );
  }
}

/** The first words of a message. */
function excerpt(message: MessageData | undefined): string {
  const read = message && readUIMessage(message.data);
  return read ? oneLine(textOf(read), EXCERPT_LENGTH) : '';
}
