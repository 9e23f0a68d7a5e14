import * as vscode from 'vscode';
import type { RunStatus, Runs } from '../../agent/run/runs.ts';
import type { BranchData, ChatData, CheckpointData, MessageData } from '../../engine/graph.ts';
import { folderOf, isPinned } from '../../engine/chatFlags.ts';
import { messagesText, timeAgo, momentText } from '../ui/formats.ts';
import { activityOf, type RunActivity } from '../commands/runActivity.ts';
import type { RowLabel } from './distinctLabels.ts';
import type { BranchNode, ChatNode, CheckpointNode, MoreNode, TasksNode } from './treeNodes.ts';
import type { DescribedChat, SharedChats } from '../storage/sharedChats.ts';
import { commandLink } from '../manifest/runCommand.ts';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { Exploration, ChatOutline } from '../branches/outline.ts';
import { storedExcerpt } from '../commands/messageExcerpt.ts';
import { oneLine } from '../ui/shownName.ts';
import { tooltip } from '../ui/tooltip.ts';
import { answerMetadataOf } from '../../agent/run/answerMetadata.ts';
import { stepsIn } from '../../agent/explore/taskProgress.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import type { DescribedFiles } from '../files/ownFilesProgress.ts';
import type { BranchTitles } from '../branches/branchTitles.ts';

export interface BranchState extends RowLabel, ReadBranch {
  readonly isFiltered: boolean;
  readonly isOpen: boolean;
}

/** What is stored of a branch, and what happens on it. */
export interface ReadBranch {
  /** `asking`: a tool waits for the user's approval. */
  readonly status: RunStatus | RunActivity | undefined;
  /** Its topic: the beginning of its first different message; '' if there is none. */
  readonly title: string;
  readonly hasChildren: boolean;
  /** Whether the agent explored here, and the branch has no other purpose. */
  readonly isExplored: boolean;
  /** Requests so far, while a task is explored here. */
  readonly steps: number | undefined;
  /** In milliseconds since 1970. */
  readonly lastMessageAt: number;
  /** Undefined: it works in the workspace. */
  readonly ownFiles: DescribedFiles | undefined;
  /** What its answers cost; left out where the row doesn't say it. */
  readonly price?: string | undefined;
  /** Texts about the users who are on it now. */
  readonly here: readonly string[];
}

export interface ChatState {
  readonly isFiltered: boolean;
  readonly isOpen: boolean;
  readonly isStreaming: boolean;
  /** Left out if the conversations are on this machine. */
  readonly sharing?: DescribedChat;
  /** Its only branch, which has no row of its own. */
  readonly sole?: SoleBranch | undefined;
}

export interface SoleBranch extends ReadBranch {
  readonly branch: BranchData;
  /** Left out unless a user gave one. */
  readonly name?: string | undefined;
}

export function chatItem(
  node: ChatNode,
  chat: ChatData,
  { isOpen, isStreaming, isFiltered, sharing, sole }: ChatState,
): vscode.TreeItem {
  const title = chat.title ?? vscode.l10n.t('New chat');
  const pinned = isPinned(chat);
  const item = new vscode.TreeItem(title);
  // VS Code remembers by id whether an item is expanded: one that has just become a parent should start expanded.
  item.id = `chat ${chat.id}${sole ? ` single ${sole.hasChildren ? 'parent' : 'leaf'}` : ''}`;
  if (isFiltered) item.id += ' filtered';
  const isOthers = sharing?.isOwn === false;
  if (sole) {
    item.contextValue = isOthers ? 'chat others single' : pinned ? 'chat pinned single' : 'chat single';
    item.contextValue += filesKind(sole.ownFiles);
  } else item.contextValue = isOthers ? 'chat others' : pinned ? 'chat pinned' : 'chat';
  item.iconPath =
    (sole && statusIcon(sole.status)) ??
    (isStreaming ? new vscode.ThemeIcon('loading~spin') : chatIcon(chat, sharing, isOpen));
  const folder = folderOf(chat);
  const parts = [
    ...(sole?.here ?? []),
    ...(sharing?.texts ?? []),
    ...(folder === undefined ? [] : [folder]),
    ...(sole?.ownFiles ? [sole.ownFiles.text] : []),
    ...(sole?.name === undefined ? [] : [sole.name]),
    ...(sole && isOpen ? [vscode.l10n.t('active')] : []),
    ...(sole ? [messagesText(sole.branch.messageCount)] : []),
    timeAgo(sole?.lastMessageAt ?? chat.updatedAt),
  ];
  item.description = parts.join(' · ');
  if (sole)
    item.accessibilityInformation = { label: [title, ...statusText(sole.status), ...parts].join(', ') };
  item.collapsibleState =
    sole?.hasChildren === false
      ? vscode.TreeItemCollapsibleState.None
      : isOpen || isFiltered
        ? vscode.TreeItemCollapsibleState.Expanded
        : vscode.TreeItemCollapsibleState.Collapsed;
  // The open chat shows its branches; a click on it would do nothing.
  if (!isOpen || sole) item.command = commandLink('offshoot.openChat', vscode.l10n.t('Open Chat'), node);
  return item;
}

function chatIcon(chat: ChatData, sharing: DescribedChat | undefined, isOpen: boolean): vscode.ThemeIcon {
  if (sharing?.isOwn === false) return new vscode.ThemeIcon('organization');
  if (isPinned(chat)) return new vscode.ThemeIcon('pinned');
  return new vscode.ThemeIcon(isOpen ? 'comment-discussion' : 'comment');
}

/** What follows the kind of a row of a branch. */
function filesKind(files: DescribedFiles | undefined): '' | ' files' | ' discarded' {
  if (!files || files.isElsewhere) return '';
  return files.isOpen ? ' files' : ' discarded';
}

export function branchItem(node: BranchNode, branch: BranchData, state: BranchState): vscode.TreeItem {
  const { chatId } = node;
  const isActive = branch.isActive && state.isOpen;
  const { label } = state;
  const item = new vscode.TreeItem(state.shownLabel);
  // VS Code remembers by id whether an item is expanded: one that has just become a parent should start expanded.
  item.id = `branch ${chatId} ${branch.id} ${state.hasChildren ? 'parent' : 'leaf'}${state.isFiltered ? ' filtered' : ''}`;
  const isArchived = branch.archivedAt !== undefined;
  item.contextValue = branch.isActive ? 'branch active' : isArchived ? 'branch archived' : 'branch';
  item.contextValue += filesKind(state.ownFiles);
  item.iconPath = isArchived && !isActive ? new vscode.ThemeIcon('archive') : branchIcon(state, isActive);
  const parts = [
    // First: it disappears soon, and a narrow side bar cuts off the last ones.
    ...state.here,
    ...(state.ownFiles ? [state.ownFiles.text, ...checkText(state.ownFiles), ...priceText(state)] : []),
    ...about(state),
    ...(isActive ? [vscode.l10n.t('active')] : []),
    ...(isArchived ? [vscode.l10n.t('archived')] : []),
    messagesText(branch.messageCount),
    timeAgo(state.lastMessageAt),
  ];
  item.description = parts.join(' · ');
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Branch {0}', label), ...statusText(state.status), ...parts].join(', '),
  };
  item.collapsibleState = state.hasChildren
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.None;
  item.command = commandLink('offshoot.openBranch', vscode.l10n.t('Switch to Branch'), node);
  return item;
}

function checkText({ check }: DescribedFiles): string[] {
  switch (check) {
    case 'running':
      return [vscode.l10n.t('checking…')];
    case 'passed':
      return [vscode.l10n.t('check passed')];
    case 'failed':
      return [vscode.l10n.t('check failed')];
    case undefined:
      return [];
  }
}

function priceText({ price }: BranchState): string[] {
  return price === undefined || price === '' ? [] : [price];
}

/** What the agent did there, or the title of a branch that a user named. */
function about({ title, label, isExplored, steps }: BranchState): string[] {
  if (steps !== undefined) {
    return [steps === 1 ? vscode.l10n.t('exploring… 1 step') : vscode.l10n.t('exploring… {0} steps', steps)];
  }
  if (isExplored) return [vscode.l10n.t('explored')];
  return title === '' || title === label ? [] : [title];
}

export function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More Branches'));
  item.id = `more ${node.chatId} ${node.parentId ?? ''}`;
  item.description = vscode.l10n.t('{0} are not shown', node.hidden);
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = commandLink('offshoot.showMoreBranches', vscode.l10n.t('Show More Branches'), node);
  return item;
}

export interface TasksState {
  readonly count: number;
  readonly running: number;
  /** Whether one of them is the active branch or about to run, or the tree is filtered. */
  readonly isWanted: boolean;
}

/** Expanded at first while a task is being explored. */
export function tasksItem(node: TasksNode, { count, running, isWanted }: TasksState): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Explorations'));
  item.id = `tasks ${node.chatId} ${node.parentId ?? ''}`;
  item.contextValue = 'tasks';
  item.iconPath = new vscode.ThemeIcon(running > 0 ? 'loading~spin' : 'telescope');
  item.description = running > 0 ? vscode.l10n.t('{0} of {1} running', running, count) : String(count);
  item.collapsibleState =
    running > 0 || isWanted
      ? vscode.TreeItemCollapsibleState.Expanded
      : vscode.TreeItemCollapsibleState.Collapsed;
  return item;
}

export function checkpointItem(node: CheckpointNode, checkpoint: CheckpointData): vscode.TreeItem {
  const { chatId, name } = node;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `checkpoint ${chatId} ${checkpoint.id}`;
  item.contextValue = 'checkpoint';
  item.iconPath = new vscode.ThemeIcon('bookmark', new vscode.ThemeColor('charts.yellow'));
  item.description = timeAgo(checkpoint.createdAt);
  item.accessibilityInformation = { label: vscode.l10n.t('Checkpoint {0}', name) };
  item.command = commandLink('offshoot.previewCheckpoint', vscode.l10n.t('Preview Checkpoint'), node);
  return item;
}

function branchIcon({ status, isExplored, ownFiles }: BranchState, isActive: boolean): vscode.ThemeIcon {
  const urgent = statusIcon(status);
  if (urgent) return urgent;
  if (isActive) return new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.green'));
  const checked = checkIcon(ownFiles?.check);
  if (checked) return checked;
  if (status === 'interrupted') return new vscode.ThemeIcon('debug-pause');
  return new vscode.ThemeIcon(isExplored ? 'telescope' : 'git-branch');
}

function checkIcon(check: DescribedFiles['check']): vscode.ThemeIcon | undefined {
  switch (check) {
    case 'running':
      return new vscode.ThemeIcon('loading~spin');
    case 'passed':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('testing.iconFailed'));
    case undefined:
      return undefined;
  }
}

/** What shows on the active branch as well. */
function statusIcon(status: BranchState['status']): vscode.ThemeIcon | undefined {
  switch (status) {
    case 'streaming':
      return new vscode.ThemeIcon('loading~spin');
    case 'asking':
      return new vscode.ThemeIcon('bell-dot', new vscode.ThemeColor('list.warningForeground'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'interrupted':
    case 'complete':
    case undefined:
      return undefined;
  }
}

/** For those who cannot see the icon. */
function statusText(status: BranchState['status']): string[] {
  switch (status) {
    case 'streaming':
      return [vscode.l10n.t('answering')];
    case 'asking':
      return [vscode.l10n.t('waiting for your approval')];
    case 'failed':
      return [vscode.l10n.t('failed')];
    case 'interrupted':
      return [vscode.l10n.t('interrupted')];
    case 'complete':
    case undefined:
      return [];
  }
}

/** In characters. */
export const EXCERPT_LENGTH = 200;

/** In characters. */
const REPORT_LENGTH = 1_000;

/** @param texts the labels of the branch and of the one that it comes from, and who else is on it now */
export async function branchTooltip(
  store: Pick<ReadonlyStore, 'getMessage' | 'getPath' | 'getPathAfter'>,
  branch: BranchData,
  exploration: Exploration | undefined,
  { label, parentLabel, here = [] }: TooltipTexts,
): Promise<vscode.MarkdownString> {
  if (exploration) {
    const reported = await store.getMessage(branch.chatId, exploration.reportId);
    const summary = reported && branchSummaryOf(readUIMessage(reported.data) ?? {});
    return tooltip(
      exploration.goal,
      vscode.l10n.t('explored'),
      summary ? oneLine(summary.report, REPORT_LENGTH) : '',
      (await costOfBranch(store, branch)).costLine,
    );
  }
  return tooltip(
    label,
    ...here,
    parentLabel === undefined ? '' : vscode.l10n.t('from {0}', parentLabel),
    ...(await branchLines(store, branch)),
    momentText(branch.createdAt),
  );
}

interface TooltipTexts {
  readonly label: string;
  /** Undefined for the branch that a chat begins with. */
  readonly parentLabel: string | undefined;
  readonly here?: readonly string[] | undefined;
}

/** The question it begins with, unless that is the chat's, its last message, and what its answers cost. */
export async function branchLines(
  store: Pick<ReadonlyStore, 'getMessage' | 'getPath' | 'getPathAfter'>,
  branch: BranchData,
): Promise<string[]> {
  const { chatId, forkMessageId: fork, headMessageId: head } = branch;
  const { own, costLine } = await costOfBranch(store, branch);
  const question = fork === null ? undefined : own.find(isUserTurn);
  // A branch without a message of its own ends where it leaves another.
  const last = own.at(-1) ?? (head === null ? undefined : await store.getMessage(chatId, head));
  return [
    storedExcerpt(question, EXCERPT_LENGTH),
    last?.id === question?.id ? '' : storedExcerpt(last, EXCERPT_LENGTH),
    costLine,
  ];
}

async function costOfBranch(
  store: Pick<ReadonlyStore, 'getPath' | 'getPathAfter'>,
  branch: BranchData,
): Promise<{ readonly own: readonly MessageData[]; readonly price: string; readonly costLine: string }> {
  const { costOf, ownMessages, priceOf } = await import('../branches/branchCost.ts');
  const own = await ownMessages(store, branch);
  const cost = costOf(own);
  return {
    own,
    price: priceOf(own),
    costLine: cost === '' ? '' : vscode.l10n.t('Cost of this branch: {0}', cost),
  };
}

export async function readBranchState(
  {
    runs,
    store,
    approvals,
    shared,
    ownFiles,
  }: {
    readonly approvals: Approvals;
    readonly runs: Runs;
    readonly store: ReadonlyStore;
    /** Left out if the conversations are on this machine. */
    readonly shared: SharedChats | undefined;
    readonly ownFiles: Pick<OwnFiles, 'knownOf'>;
  },
  titles: BranchTitles,
  outline: ChatOutline,
  branch: BranchData,
): Promise<ReadBranch> {
  const { chatId, name, headMessageId } = branch;
  const head = headMessageId === null ? undefined : await store.getMessage(chatId, headMessageId);
  const read = head && readUIMessage(head.data);
  const run = runs.get(chatId, name) ?? runs.failed(chatId, name);
  const activity = run?.status === 'streaming' ? activityOf(run, approvals) : run?.status;
  const outlined = outline.find(branch.id);
  // Once a user asked something there, it is a branch like any other.
  const described = await (await ownFiles.knownOf(chatId))?.describe(branch);
  const isTask = outline.isTask(branch) && (outlined?.questions ?? 0) <= 1;
  return {
    status: activity ?? (read && answerMetadataOf(read)?.status),
    title: outlined ? await titles.titleOf(outlined, head) : '',
    hasChildren: outline.branchesBelow(branch.id).length > 0 || outline.checkpointsOn(branch.id).length > 0,
    isExplored: isTask || outline.explorationOf(branch) !== undefined,
    steps: isTask && run?.status === 'streaming' ? Math.max(1, stepsIn(run.message())) : undefined,
    lastMessageAt: head?.createdAt ?? branch.createdAt,
    ownFiles: described,
    ...(described ? { price: (await costOfBranch(store, branch)).price } : {}),
    here: (await shared?.describeBranch(branch))?.texts ?? [],
  };
}
