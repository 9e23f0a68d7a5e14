import * as vscode from 'vscode';
import type { BranchData } from '../../engine/graph.ts';
import { listedChats } from '../commands/listedChats.ts';
import { logFailure } from '../ui/failures.ts';
import { storedExcerpt } from '../commands/messageExcerpt.ts';
import { momentText } from '../ui/formats.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import { CachedTreeDataProvider } from '../ui/cachedTreeDataProvider.ts';
import { mainLine, type BranchLabels } from '../branches/branchLabels.ts';
import { BranchTitles } from '../branches/branchTitles.ts';
import type { ChatOutline } from '../branches/outline.ts';
import { filterChat, filterTerms, type FilteredChat } from './treeFilter.ts';
import {
  branchItem,
  chatItem,
  checkpointItem,
  moreItem,
  tasksItem,
  branchLines,
  branchTooltip,
  EXCERPT_LENGTH,
  readBranchState,
  type SoleBranch,
} from './treeItems.ts';
import { tooltip } from '../ui/tooltip.ts';
import { wantedKinds, type BranchKind } from './branchKinds.ts';
import { RowLabels } from './distinctLabels.ts';
import { OtherChats } from './otherChats.ts';
import {
  NodeCache,
  type BranchNode,
  type ChatNode,
  type ConversationNode,
  type MoreNode,
  type TasksNode,
  type TreeNode,
} from './treeNodes.ts';
import type { ChatsOfUser } from '../commands/pickChat.ts';

/** Of branches below one: at first, and added each time. */
const PAGE = 50;

/** How long changes are batched, in milliseconds: one action causes several. */
const GATHER_MS = 50;

/** Chats, their branches where they fork, and checkpoints as bookmarks on them; always the content of the store. */
export class ConversationTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly rows = new CachedTreeDataProvider<TreeNode, vscode.TreeItem>({
    children: (node) => this.childrenOf(node),
    item: (node) => this.itemOf(node),
    keeps: () => this.deps.shared?.isLost === true,
    failed: (error) => logFailure(this.deps.log, 'The tree could not be read', error),
  });
  private readonly refreshing = new Debouncer(GATHER_MS, () => this.readStale());
  private readonly nodes = new NodeCache();
  private readonly titles: BranchTitles;
  private readonly outlines = new PromiseCache<ChatOutline | undefined>();
  private shown: string[] = [];
  private stale = new Set<string>();
  private isAllStale = false;
  private words: readonly string[] = [];
  private kinds: readonly BranchKind[] = [];
  private readonly rowLabels: RowLabels;
  private readonly others: OtherChats;
  private readonly filtered = new PromiseCache<FilteredChat | undefined>();
  /** How many branches are shown below one, or below a chat, if it is more than a page. */
  private readonly extents = new Map<string, number>();

  readonly onDidChangeTreeData = this.rows.onDidChange;

  constructor(
    private readonly deps: ChatsOfUser &
      Parameters<typeof readBranchState>[0] & {
        readonly labels: BranchLabels;
        readonly log: vscode.LogOutputChannel;
        readonly related: ConstructorParameters<typeof OtherChats>[0];
        readonly chatFirst: () => Promise<void>;
      },
  ) {
    this.titles = new BranchTitles(deps.store, mainLine());
    this.rowLabels = new RowLabels(deps.labels);
    this.others = new OtherChats(deps.related);
  }

  refresh(): void {
    this.isAllStale = true;
    this.refreshing.soon();
  }

  /** Also redraws the order of the chats. */
  refreshChat(chatId: string): void {
    this.stale.add(chatId);
    this.refreshing.soon();
  }

  /** A hidden tree is not read. */
  set isVisible(isVisible: boolean) {
    this.rows.isVisible = isVisible;
  }

  get isFiltered(): boolean {
    return this.words.length > 0 || this.kinds.length > 0;
  }

  /**
   * Shows only items with all these words in their name or title and of one of these kinds, and the path to them; ''
   * and no kind show everything again.
   * @returns how many were found
   */
  async filter(text: string, kinds: readonly BranchKind[] = []): Promise<number> {
    const words = filterTerms(text);
    // Archived branches are read only if they are searched.
    if (kinds.includes('archived') !== this.kinds.includes('archived')) this.outlines.clear();
    this.words = words;
    this.kinds = kinds;
    this.filtered.clear();
    this.rows.forget();
    if (!this.isFiltered) return 0;
    let found = 0;
    for (const { id } of await listedChats(this.deps)) {
      // A newer filter supersedes this one.
      if (words !== this.words) return found;
      found += (await this.filteredChat(id))?.found ?? 0;
    }
    return found;
  }

  showMore({ chatId, parentId }: MoreNode): void {
    const key = parentId ?? chatId;
    this.extents.set(key, (this.extents.get(key) ?? PAGE) + PAGE);
    this.refreshChat(chatId);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node === undefined) await this.deps.chatFirst();
    return this.rows.getChildren(node);
  }

  /** @throws Error for a node that no longer exists; VS Code then requests the tree again. */
  getTreeItem(node: TreeNode): Promise<vscode.TreeItem> | vscode.TreeItem {
    return this.rows.getTreeItem(node);
  }

  async getParent(node: TreeNode): Promise<TreeNode | undefined> {
    if (node.kind === 'project') return undefined;
    if (node.kind === 'chat' || node.kind === 'otherChat') return this.others.parentOf(node);
    const outline = await this.outlineOf(node.chatId);
    if (!outline) return undefined;
    const parentId = this.parentIdOf(outline, node);
    const branch = node.kind === 'branch' ? outline.find(node.id)?.branch : undefined;
    if (branch && outline.isTask(branch)) return this.nodes.tasks(node.chatId, parentId);
    const parent = outline.find(parentId ?? '')?.branch;
    return parent ? this.branchNode(outline, parent) : this.nodes.chat(node.chatId);
  }

  /** Tooltips quote messages, so they are made on hover. */
  async resolveTreeItem(item: vscode.TreeItem, node: TreeNode): Promise<vscode.TreeItem> {
    if (node.kind === 'project' || node.kind === 'otherChat') return item;
    const outline = await this.outlineOf(node.chatId);
    if (!outline) return item;
    switch (node.kind) {
      case 'chat':
        item.tooltip = tooltip(
          outline.chat.title ?? vscode.l10n.t('New chat'),
          ...((await this.deps.shared?.describe(outline.chat))?.lines ?? []),
          ...(outline.sole ? await branchLines(this.deps.store, outline.sole) : []),
          momentText(outline.chat.createdAt),
        );
        return item;
      case 'branch': {
        const branch = outline.find(node.id)?.branch;
        if (branch) {
          const exploration = outline.explorationOf(branch);
          const { labels, shared, store } = this.deps;
          const labelOf = await labels.of(node.chatId);
          const { name, parentBranch } = branch;
          item.tooltip = await branchTooltip(store, branch, exploration, {
            label: labelOf(name),
            parentLabel: parentBranch === undefined ? undefined : labelOf(parentBranch),
            here: (await shared?.describeBranch(branch))?.lines,
          });
        }
        return item;
      }
      case 'checkpoint': {
        const checkpoint = outline.checkpoints.find(({ id }) => id === node.id);
        const message = checkpoint && (await this.deps.store.getMessage(node.chatId, checkpoint.messageId));
        item.tooltip = tooltip(
          node.name,
          storedExcerpt(message, EXCERPT_LENGTH),
          vscode.l10n.t('Click to continue from here on a new branch.'),
        );
        return item;
      }
      case 'tasks':
        item.tooltip = vscode.l10n.t('What the agent had looked into on branches of their own');
        return item;
      case 'more':
        return item;
    }
  }

  /** Undefined before the first question. */
  async activeBranch(): Promise<BranchNode | ChatNode | undefined> {
    const outline = await this.outlineOf(await this.deps.current.chatId());
    if (!outline?.active) return undefined;
    const node = this.branchNode(outline, outline.active);
    if (!this.isFiltered) return node;
    // A row hidden by the filter cannot be revealed.
    const filtered = await this.filteredChat(node.chatId);
    return filtered && (node.kind === 'chat' || filtered.shown.has(node.id)) ? node : undefined;
  }

  dispose(): void {
    this.refreshing.dispose();
    this.rows.dispose();
  }

  private async readStale(): Promise<void> {
    // What was read stays until the store can be reached again.
    if (this.deps.shared?.isLost === true) return;
    const { stale, isAllStale } = this;
    this.isAllStale = false;
    this.stale = new Set();
    if (isAllStale) this.outlines.clear();
    else for (const chatId of stale) this.outlines.forget(chatId);
    this.filtered.clear();
    // A chat may stand under its folder.
    const isStale = (node: TreeNode): boolean => node.kind === 'project' || stale.has(node.chatId);
    await this.rows.update((node) => isAllStale || !node || isStale(node));
  }

  private async childrenOf(node: TreeNode | undefined): Promise<TreeNode[]> {
    if (!node) return await this.readChats();
    if (node.kind === 'checkpoint' || node.kind === 'more' || node.kind === 'otherChat') return [];
    if (node.kind === 'project') return this.others.chatsOf(node);
    const outline = await this.outlineOf(node.chatId);
    if (!outline) return [];
    if (node.kind === 'tasks') {
      const rows = await this.branchRows(await this.shownTasks(outline, node.parentId));
      return rows.map(([row]) => row);
    }
    const branchId = node.kind === 'branch' ? node.id : outline.sole?.id;
    return this.below(outline, branchId, await this.filterOf(node.chatId));
  }

  private async itemOf(node: TreeNode): Promise<vscode.TreeItem> {
    if (node.kind === 'project' || node.kind === 'otherChat') return this.others.itemOf(node);
    const outline = await this.outlineOf(node.chatId);
    if (!outline) throw new Error('This chat is gone.');
    switch (node.kind) {
      case 'chat': {
        const isStreaming = this.deps.runs.list(node.chatId).length > 0;
        const isOpen = await this.isOpen(node.chatId);
        const sharing = await this.deps.shared?.describe(outline.chat);
        const sole = outline.sole && (await this.soleBranch(outline, outline.sole));
        const shown = { isOpen, isStreaming, isFiltered: this.isFiltered, ...(sharing ? { sharing } : {}) };
        return chatItem(node, outline.chat, { ...shown, sole });
      }
      case 'branch': {
        const branch = outline.find(node.id)?.branch;
        if (!branch) throw new Error('This branch is gone.');
        const label = await this.rowLabels.of(node, branch);
        const shown = { isFiltered: this.isFiltered, isOpen: await this.isOpen(node.chatId) };
        const state = await readBranchState(this.deps, this.titles, outline, branch);
        return branchItem(node, branch, { ...label, ...shown, ...state });
      }
      case 'checkpoint': {
        const checkpoint = outline.checkpoints.find(({ id }) => id === node.id);
        if (!checkpoint) throw new Error('This checkpoint is gone.');
        return checkpointItem(node, checkpoint);
      }
      case 'tasks':
        return this.tasksItem(outline, node);
      case 'more':
        return moreItem(node);
    }
  }

  /** The row of a branch: the only one of a chat has none but the chat's. */
  private branchNode(outline: ChatOutline, branch: BranchData): BranchNode | ChatNode {
    return branch.id === outline.sole?.id ? this.nodes.chat(outline.chat.id) : this.nodes.branch(branch);
  }

  private async soleBranch(outline: ChatOutline, branch: BranchData): Promise<SoleBranch> {
    const state = await readBranchState(this.deps, this.titles, outline, branch);
    return { branch, name: outline.givenNameOf(branch), ...state };
  }

  private async readChats(): Promise<TreeNode[]> {
    const chats = await listedChats(this.deps);
    const ids = chats.map(({ id }) => id);
    for (const gone of this.shown.filter((id) => !ids.includes(id))) this.nodes.forget(gone);
    this.shown = ids;
    const shown: ChatNode[] = [];
    for (const id of ids) {
      if (!this.isFiltered || (await this.filteredChat(id))) shown.push(this.nodes.chat(id));
    }
    return this.others.rooted(shown, this.isFiltered);
  }

  /** Checkpoints, and branches: not all if there are very many, but always the one that leads to the active branch. */
  private async below(
    outline: ChatOutline,
    branchId: string | undefined,
    filter: FilteredChat | undefined,
  ): Promise<TreeNode[]> {
    const { chat, active } = outline;
    const isShown = ({ id }: { readonly id: string }): boolean => !filter || filter.shown.has(id);
    const checkpoints = branchId === undefined ? [] : outline.checkpointsOn(branchId).filter(isShown);
    const below = outline.branchesBelow(branchId).filter(isShown);
    const branches = below.filter((branch) => !outline.isTask(branch));
    const extent = this.extents.get(branchId ?? chat.id) ?? PAGE;
    const way = new Set(active ? outline.wayTo(active.id) : []);
    const first = branches.filter(({ id }, index) => index < extent || way.has(id));
    const hidden = branches.length - first.length;
    const rows = await this.branchRows(first);
    return [
      ...checkpoints.map((checkpoint) => this.nodes.checkpoint(checkpoint)),
      ...rows.map(([node]) => node),
      ...(below.length > branches.length ? [this.nodes.tasks(chat.id, branchId)] : []),
      ...(hidden > 0 ? [this.nodes.more(chat.id, branchId, hidden)] : []),
    ];
  }

  private async branchRows(branches: readonly BranchData[]): Promise<(readonly [BranchNode, BranchData])[]> {
    const rows = branches.map((branch) => [this.nodes.branch(branch), branch] as const);
    const chatId = branches[0]?.chatId;
    if (chatId !== undefined) await this.rowLabels.tellApart(chatId, rows);
    return rows;
  }

  private async shownTasks(outline: ChatOutline, parentId: string | undefined): Promise<BranchData[]> {
    const filter = await this.filterOf(outline.chat.id);
    return outline
      .branchesBelow(parentId)
      .filter((branch) => outline.isTask(branch) && (!filter || filter.shown.has(branch.id)));
  }

  private async tasksItem(outline: ChatOutline, node: TasksNode): Promise<vscode.TreeItem> {
    const tasks = await this.shownTasks(outline, node.parentId);
    const isRunning = (branch?: BranchData) => branch && this.deps.runs.get(node.chatId, branch.name);
    const running = tasks.filter(isRunning).length;
    // VS Code asks only once whether it is expanded, which may be before the first of them runs.
    const isBegun = isRunning(outline.find(node.parentId ?? '')?.branch) !== undefined;
    const isWanted = this.isFiltered || isBegun || tasks.some(({ isActive }) => isActive);
    return tasksItem(node, { count: tasks.length, running, isWanted });
  }

  private parentIdOf(
    outline: ChatOutline,
    node: Exclude<ConversationNode, { kind: 'chat' }>,
  ): string | undefined {
    if (node.kind === 'more' || node.kind === 'tasks') return node.parentId;
    if (node.kind === 'branch') return outline.find(node.id)?.parentId;
    const checkpoint = outline.checkpoints.find(({ id }) => id === node.id);
    return checkpoint && outline.placeOf(checkpoint);
  }

  /** Undefined while everything is shown. */
  private async filterOf(chatId: string): Promise<FilteredChat | undefined> {
    if (!this.isFiltered) return undefined;
    return (await this.filteredChat(chatId)) ?? { shown: new Set(), found: 0 };
  }

  private filteredChat(chatId: string): Promise<FilteredChat | undefined> {
    const { words, kinds } = this;
    return this.filtered.get(chatId, async () => {
      const outline = await this.outlineOf(chatId);
      if (!outline) return undefined;
      const wanted = kinds.length > 0 ? await wantedKinds(outline, kinds, this.deps) : undefined;
      return filterChat(outline, this.titles, words, wanted);
    });
  }

  private outlineOf(chatId: string): Promise<ChatOutline | undefined> {
    const { outlines } = this.deps.labels;
    return this.outlines.get(chatId, () =>
      this.kinds.includes('archived') ? outlines.of(chatId) : outlines.visible(chatId),
    );
  }

  private async isOpen(chatId: string): Promise<boolean> {
    return chatId === (await this.deps.current.chatId());
  }
}
