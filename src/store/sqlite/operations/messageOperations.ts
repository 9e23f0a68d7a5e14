import { HeadConflictError } from '../../../engine/errors.ts';
import type { MessageData, StoreChange } from '../../../engine/graph.ts';
import type { SaveMessages, MessageFiles, NewMessage } from '../../../engine/store.ts';
import * as branches from '../branches.ts';
import * as chats from '../chats.ts';
import { bodies, quiet, type Reader, type Transaction } from '../database.ts';
import { insertEvent } from '../events.ts';
import * as messages from '../messages.ts';
import { readEffects } from '../messages.ts';
import type { StoredMessage } from '../messages.ts';
import { goTo } from '../provisionalBranches.ts';
import { selectPath } from '../path.ts';
import { writeShared } from '../shared.ts';
import { branchChanges } from './branchOperations.ts';
import { text, optionalInteger } from '../rows.ts';
import type { ArtifactVersion } from '../../../engine/effects.ts';

export function getMessage(reader: Reader, chatId: string, messageId: string): MessageData | undefined {
  const chat = chats.findChat(reader, chatId);
  const found = chat && messages.findMessage(reader, chat.key, messageId);
  return found && { ...found.message, chatId };
}

export function getParentIds(
  reader: Reader,
  chatId: string,
  messageIds: readonly string[],
): ReadonlyMap<string, string | null> {
  const chat = chats.findChat(reader, chatId);
  return chat ? messages.selectParentIds(reader, chat, messageIds) : new Map();
}

export function isMessageElsewhere(reader: Reader, chatId: string, messageId: string): boolean {
  const sql =
    'SELECT 1 FROM messages m JOIN chats c ON c.key = m.chatKey WHERE m.id = ? AND c.id <> ? AND c.trashedAt IS NULL LIMIT 1';
  return reader.get(sql, [messageId, chatId]) !== undefined;
}

export function getPath(
  reader: Reader,
  chatId: string,
  messageId: string,
  options: { limit?: number },
): MessageData[] {
  const chat = chats.requireChatRef(reader, chatId);
  const head = messages.requireMessage(reader, chat, messageId);
  const above = options.limit === undefined ? 0 : Math.max(0, head.message.depth - options.limit);
  return selectPath(reader, chat, head, above).messages;
}

export function getPathAfter(
  reader: Reader,
  chatId: string,
  ancestorId: string,
  messageId: string,
): MessageData[] | undefined {
  const chat = chats.requireChatRef(reader, chatId);
  const ancestor = messages.requireMessage(reader, chat, ancestorId);
  const head = messages.requireMessage(reader, chat, messageId);
  if (head.key === ancestor.key) return [];
  if (head.message.depth <= ancestor.message.depth) return undefined;
  const { aboveKey, messages: below } = selectPath(reader, chat, head, ancestor.message.depth);
  return aboveKey === ancestor.key ? below : undefined;
}

export function findCommonAncestor(
  reader: Reader,
  chatId: string,
  oneId: string,
  otherId: string,
): MessageData | undefined {
  const chat = chats.requireChatRef(reader, chatId);
  const [one, other] = [oneId, otherId].map((id) => messages.requireMessage(reader, chat, id));
  return one && other && messages.findMeeting(reader, chat, one, other)?.message;
}

export function findInvocation(
  reader: Reader,
  chatId: string,
  invocationId: string,
  headId?: string,
): MessageData | undefined {
  const chat = chats.requireChatRef(reader, chatId);
  const head = headId === undefined ? undefined : messages.findMessage(reader, chat.key, headId);
  const found =
    (head && messages.findInvocationOnPath(reader, chat, invocationId, head)) ??
    messages.findInvocationStart(reader, chat, invocationId);
  return found?.message;
}

export const messageWrites = bodies({
  saveMessages(transaction, now, request) {
    const chat = chats.requireChatRef(transaction, request.chatId, request);
    const artifacts = request.shared ? writeShared(transaction, request.shared) : [];
    chats.touchChat(transaction, chat.key, now);
    if (request.messages.length === 0) {
      const { branch } = branches.requireBranch(transaction, chat, request.branch);
      return quiet({ branch, messages: [], artifacts });
    }
    const target = branchToSaveOn(transaction, chat, request, now);
    const head = target.branch.branch.headMessageId;
    const parent = head === null ? undefined : messages.requireMessage(transaction, chat, head);
    const settled = withSettledVersions(transaction, parent, request.messages);
    const saved = messages.insertMessages(transaction, chat, parent, settled, now);
    const last = saved.at(-1);
    if (last) branches.moveHead(transaction, target.branch, last.key);
    const { name } = target.branch.branch;
    const messageIds = saved.map(({ message }) => message.id);
    insertEvent(
      transaction,
      chat,
      { kind: 'messages-saved', branch: name, messageId: messageIds.at(-1), details: { messageIds } },
      now,
    );
    if (request.event) {
      insertEvent(transaction, chat, { ...request.event, branch: name, messageId: messageIds[0] }, now);
    }
    const { branch } = branches.requireBranch(transaction, chat, name);
    return {
      result: { branch, messages: saved.map(({ message }) => message), artifacts },
      changes: [...target.changes, { kind: 'messages', chatId: chat.id, branch: name, messageIds }],
    };
  },
});

/** The branch for new messages: the requested one, or a new one after an edit or when the head has moved. */
function branchToSaveOn(
  transaction: Transaction,
  chat: chats.ChatRef,
  request: SaveMessages,
  now: number,
): { branch: branches.StoredBranch; changes: StoreChange[] } {
  const current = branches.requireBranch(transaction, chat, request.branch);
  const actualHead = current.branch.headMessageId;
  const hasMoved = actualHead !== request.expectedHead;
  const forkAt = request.newBranchAt ?? (hasMoved ? { messageId: request.expectedHead } : undefined);
  if (!forkAt) return { branch: current, changes: [] };
  if (!request.newBranchAt && request.onHeadConflict === 'error') {
    throw new HeadConflictError(request.branch, request.expectedHead, actualHead);
  }
  const start =
    forkAt.messageId === null ? undefined : messages.requireMessage(transaction, chat, forkAt.messageId);
  const { naming } = request;
  const made = branches.insertBranch(
    transaction,
    chat,
    { naming, parent: current, headKey: start?.key },
    now,
  );
  const { name } = made.branch;
  const left = request.activate ? goTo(transaction, chat, made, now) : [];
  const why = request.newBranchAt ? (request.newBranchAt.why ?? 'edit') : 'head-conflict';
  insertEvent(
    transaction,
    chat,
    {
      kind: 'branch-created',
      branch: name,
      messageId: forkAt.messageId,
      details: { from: request.branch, why },
    },
    now,
  );
  return { branch: made, changes: [...branchChanges(chat.id, name, request.activate), ...left] };
}

const withFiles = `SELECT id, effects FROM messages WHERE chatKey = ? AND effects LIKE '%"files":%' ORDER BY key`;

export function listFileChanges(reader: Reader, chatId: string): MessageFiles[] {
  const chat = chats.requireChatRef(reader, chatId);
  return reader.all(withFiles, [chat.key]).flatMap((row) => {
    const files = readEffects(row)?.files ?? [];
    return files.length === 0 ? [] : [{ messageId: text(row, 'id'), files }];
  });
}

/** How many messages are read at once: the version is usually near the head. */
const STRETCH = 500;

/** The messages in a stretch of a path that changed artifacts, nearest to the head first, and its end. */
const stretch = `WITH RECURSIVE up(key, parentKey, depth) AS (
    SELECT key, parentKey, depth FROM messages WHERE key = ?1
    UNION ALL
    SELECT m.key, m.parentKey, m.depth FROM up u JOIN messages m ON m.key = u.parentKey
      WHERE m.depth = u.depth - 1 AND m.depth > ?2
  )`;
const effectsOf = `${stretch} SELECT m.effects FROM up u CROSS JOIN messages m ON m.key = u.key
  WHERE m.effects LIKE '%"artifacts"%' ORDER BY u.depth DESC`;
const endOf = `${stretch} SELECT parentKey FROM up ORDER BY depth LIMIT 1`;

/** Along the path to `parent`: earlier numbers may come from another path, as of an edit or a faster engine. */
function withSettledVersions(
  reader: Reader,
  parent: StoredMessage | undefined,
  messages: readonly NewMessage[],
): readonly NewMessage[] {
  const names = new Set(messages.flatMap(({ effects }) => effects?.artifacts ?? []).map(({ name }) => name));
  if (names.size === 0) return messages;
  const last = lastVersions(reader, parent, names);
  const settled = (artifact: ArtifactVersion): ArtifactVersion => {
    const version = (last.get(artifact.name) ?? -1) + 1;
    last.set(artifact.name, version);
    return { ...artifact, version };
  };
  return messages.map((message) => {
    const artifacts = message.effects?.artifacts;
    return artifacts
      ? { ...message, effects: { ...message.effects, artifacts: artifacts.map(settled) } }
      : message;
  });
}

function lastVersions(
  reader: Reader,
  end: StoredMessage | undefined,
  names: ReadonlySet<string>,
): Map<string, number> {
  const found = new Map<string, number>();
  const wanted = new Set(names);
  let key = end?.key;
  for (let depth = end?.message.depth ?? 0; key !== undefined && wanted.size > 0; depth -= STRETCH) {
    const bounds = [key, Math.max(0, depth - STRETCH)];
    for (const row of reader.all(effectsOf, bounds)) {
      for (const { name, version } of readEffects(row)?.artifacts?.toReversed() ?? []) {
        if (wanted.delete(name)) found.set(name, version);
      }
    }
    const top = reader.get(endOf, bounds);
    key = top && optionalInteger(top, 'parentKey');
  }
  return found;
}
