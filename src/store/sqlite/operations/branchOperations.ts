import { explorationBranches, explorationEventKinds } from '../../../engine/explorationTask.ts';
import { ActiveBranchError, BranchExistsError } from '../../../engine/errors.ts';
import type { BranchData, StoreChange } from '../../../engine/graph.ts';
import type { AddBranch, ListBranches } from '../../../engine/store.ts';
import type { ViewedBy } from '../../../engine/users.ts';
import * as branches from '../branches.ts';
import * as chats from '../chats.ts';
import { bodies, changed, type Reader, type Transaction, type Outcome } from '../database.ts';
import { insertEvent, selectEvents } from '../events.ts';
import { goTo, provisionalDetails } from '../provisionalBranches.ts';
import { isOnPath, requireMessage, type StoredMessage } from '../messages.ts';

export function listBranches(reader: Reader, chatId: string, options: ListBranches): BranchData[] {
  return branches
    .selectBranches(reader, chats.requireChatRef(reader, chatId, options), options.includeArchived ?? false)
    .map(({ branch }) => branch);
}

export function getBranch(
  reader: Reader,
  chatId: string,
  name: string,
  by: ViewedBy,
): BranchData | undefined {
  const found = branches.findBranchOf(reader, chatId, name, by);
  // The error depends on which of the two is missing.
  if (!found) chats.requireChatRef(reader, chatId);
  return found?.branch;
}

export function getActiveBranch(reader: Reader, chatId: string, by: ViewedBy): BranchData | undefined {
  return branches.findActiveBranch(reader, chats.requireChatRef(reader, chatId, by))?.branch;
}

export function findBranchWith(
  reader: Reader,
  chatId: string,
  messageId: string,
  by: ViewedBy,
): BranchData | undefined {
  const chat = chats.requireChatRef(reader, chatId, by);
  const message = requireMessage(reader, chat, messageId);
  const newestFirst = branches.selectBranches(reader, chat, true).reverse();
  const tasks = branchNamesOfTasks(reader, chat);
  // Visible branches come before archived ones, and conversations before branches made to explore tasks.
  const rank = ({ branch }: branches.StoredBranch): number => {
    if (branch.isActive) return 0;
    return branch.archivedAt === undefined ? (tasks.has(branch.name) ? 2 : 1) : 3;
  };
  return newestFirst
    .sort((a, b) => rank(a) - rank(b))
    .find(({ headKey }) => headKey !== undefined && isOnPath(reader, message, headKey))?.branch;
}

function branchNamesOfTasks(reader: Reader, chat: chats.ChatRef): ReadonlySet<string> {
  return explorationBranches(selectEvents(reader, chat, { kinds: explorationEventKinds }));
}

export const branchWrites = bodies({
  createBranch(transaction, now, request) {
    const { chatId, name, from, headMessageId, activate = false, isProvisional = false } = request;
    const chat = chats.requireChatRef(transaction, chatId, request);
    if (branches.findBranch(transaction, chat, name)) throw new BranchExistsError(name);
    const parent = from === undefined ? undefined : branches.requireBranch(transaction, chat, from);
    const head = findHead(transaction, chat, headMessageId);
    const made = branches.insertBranch(transaction, chat, { name, parent, headKey: head?.key }, now);
    return announce(transaction, now, chat, made, {
      activate,
      parent,
      event: 'branch-created',
      details: { from: from ?? null, why: 'asked-for', ...provisionalDetails(isProvisional) },
    });
  },

  addBranch(transaction, now, request) {
    const chat = chats.requireChatRef(transaction, request.chatId, request);
    const parent = branches.requireBranch(transaction, chat, request.from);
    const head = findHead(transaction, chat, request.messageId);
    const { naming, isProvisional = false } = request;
    const made = branches.insertBranch(transaction, chat, { naming, parent, headKey: head?.key }, now);
    return announce(transaction, now, chat, made, {
      activate: request.activate,
      parent,
      event: request.event,
      details: {
        from: request.from,
        fromHead: parent.branch.headMessageId,
        ...request.details,
        ...provisionalDetails(isProvisional),
      },
    });
  },

  activateBranch(transaction, now, { chatId, name, ...by }) {
    const chat = chats.requireChatRef(transaction, chatId, by);
    const branch = branches.requireBranch(transaction, chat, name);
    const before = branches.findActiveBranch(transaction, chat);
    const left = goTo(transaction, chat, branch, now, before);
    const details = { from: before?.branch.name ?? null };
    insertEvent(transaction, chat, { kind: 'switched', branch: name, details }, now);
    const { result, changes } = withChange(transaction, chat, name, 'switched');
    return { result, changes: [...changes, ...left] };
  },

  renameBranch(transaction, now, { chatId, name, newName, ...by }) {
    const chat = chats.requireChatRef(transaction, chatId, by);
    const branch = branches.requireBranch(transaction, chat, name);
    if (newName !== name && branches.findBranch(transaction, chat, newName)) {
      throw new BranchExistsError(newName);
    }
    branches.setBranchName(transaction, branch, newName);
    const event = { kind: 'branch-renamed', branch: newName, details: { from: name } } as const;
    insertEvent(transaction, chat, event, now);
    return withChange(transaction, chat, newName, 'renamed');
  },

  archiveBranch(transaction, now, { chatId, name, ...by }) {
    const chat = chats.requireChatRef(transaction, chatId, by);
    const branch = branches.requireBranch(transaction, chat, name);
    if (branch.branch.isActive) throw new ActiveBranchError(name);
    branches.leaveBranch(transaction, chat, branch);
    branches.setArchived(transaction, branch, now);
    insertEvent(transaction, chat, { kind: 'branch-archived', branch: name }, now);
    return withChange(transaction, chat, name, 'archived');
  },

  unarchiveBranch(transaction, now, { chatId, name, ...by }) {
    const chat = chats.requireChatRef(transaction, chatId, by);
    const branch = branches.requireBranch(transaction, chat, name);
    branches.setArchived(transaction, branch, null);
    insertEvent(transaction, chat, { kind: 'branch-unarchived', branch: name }, now);
    return withChange(transaction, chat, name, 'unarchived');
  },
});

export function branchChanges(chatId: string, branch: string, activated: boolean): StoreChange[] {
  const created: StoreChange = { kind: 'branch', chatId, branch, change: 'created' };
  return activated ? [created, { ...created, change: 'switched' }] : [created];
}

/** Null stands for an empty branch. @throws MessageNotFoundError */
function findHead(reader: Reader, chat: chats.ChatRef, id: string | null): StoredMessage | undefined {
  return id === null ? undefined : requireMessage(reader, chat, id);
}

/** Common to every branch made on request: activate it if requested, log it, announce it. */
function announce(
  transaction: Transaction,
  now: number,
  chat: chats.ChatRef,
  made: branches.StoredBranch,
  how: Pick<AddBranch, 'activate' | 'details'> & {
    readonly event: AddBranch['event'] | 'branch-created';
    readonly parent: branches.StoredBranch | undefined;
  },
): Outcome<BranchData> {
  const { name, headMessageId } = made.branch;
  const before = how.parent?.branch.isActive === true ? how.parent : undefined;
  const left = how.activate ? goTo(transaction, chat, made, now, before) : [];
  const event = { kind: how.event, branch: name, messageId: headMessageId, details: how.details };
  insertEvent(transaction, chat, event, now);
  chats.touchChat(transaction, chat.key, now);
  return {
    result: branches.requireBranch(transaction, chat, name).branch,
    changes: [...branchChanges(chat.id, name, how.activate), ...left],
  };
}

function withChange(
  reader: Reader,
  chat: chats.ChatRef,
  branch: string,
  change: Extract<StoreChange, { kind: 'branch' }>['change'],
): Outcome<BranchData> {
  const { branch: result } = branches.requireBranch(reader, chat, branch);
  return changed(result, { kind: 'branch', chatId: chat.id, branch, change });
}
