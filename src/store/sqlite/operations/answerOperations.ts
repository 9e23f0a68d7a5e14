import {
  AnswerCancelledError,
  AnswerNotFoundError,
  AnswerRunningError,
  AnswerTakenError,
} from '../../../engine/answers/answerErrors.ts';
import { DamagedDataError, MessageExistsError } from '../../../engine/errors.ts';
import type { StoreChange } from '../../../engine/graph.ts';
import type { AnswerData, ReadAnswer, UnfinishedStatus } from '../../../engine/store.ts';
import { readUIMessage } from '../../../engine/uiMessage.ts';
import { CANCEL_GRACE_MS, errorText, unfinishedStatus } from '../../common/answerInputs.ts';
import { requireBranch } from '../branches.ts';
import { nextKey, requireChatRef, type ChatRef } from '../chats.ts';
import {
  bodies,
  changed,
  quiet,
  type Database,
  type Reader,
  type SqlParameter,
  type SqlRow,
  type Transaction,
} from '../database.ts';
import { findMessage } from '../messages.ts';
import { integer, json, optionalInteger, optionalText, text } from '../rows.ts';
import { messageWrites } from './messageOperations.ts';

// Answers under ids of their own are drafts with an id. Each write but a cancel names the claim of its writer, so that of
// two writers only the one that came last can write; and it may be repeated.

interface StoredAnswer {
  readonly key: readonly SqlParameter[];
  readonly id: string;
  readonly branch: string;
  readonly userId: string;
  readonly owner: string | undefined;
  readonly claim: string;
  readonly revision: number;
  readonly afterId: string | null;
  readonly status: UnfinishedStatus;
  readonly error: string | undefined;
  readonly cancelAt: number | undefined;
  readonly updatedAt: number;
}

/** Drafts first: there are few of them, and a chat may have thousands of branches. */
const select = `SELECT d.branchKey, d.userId, d.answerId, b.name AS branch, d.owner, d.claim, d.revision, d.afterId,
    d.status, d.error, d.cancelAt, d.updatedAt
  FROM drafts d CROSS JOIN branches b ON b.key = d.branchKey
  WHERE d.answerId <> '' AND b.chatKey = ?`;
const inOrder = `${select} ORDER BY d.number`;
const byId = `${select} AND d.answerId = ?`;
const theOne = 'WHERE branchKey = ? AND userId = ? AND answerId = ?';
const dataOf = `SELECT data FROM drafts ${theOne}`;
const insert = `INSERT INTO drafts
  (branchKey, userId, answerId, number, owner, claim, afterId, status, updatedAt, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)`;
const reclaim = `UPDATE drafts SET claim = ?, owner = ?, status = 'running', error = NULL, cancelAt = NULL,
  revision = revision + 1, updatedAt = ? ${theOne}`;
const update = `UPDATE drafts SET data = coalesce(?, data), status = ?, error = ?, owner = ?, revision = revision + 1,
  updatedAt = ? ${theOne}`;
const cancel = `UPDATE drafts SET cancelAt = ?, revision = revision + 1 ${theOne}`;
const remove = `DELETE FROM drafts ${theOne}`;

export const answerWrites = bodies({
  claimAnswer(transaction, now, { chatId, userId, branch, answerId, afterId, claim, owner, data }) {
    const chat = requireChatRef(transaction, chatId, { userId });
    const known = findAnswer(transaction, chat, answerId);
    if (known?.claim === claim) return quiet(undefined);
    if (known) throw new AnswerRunningError(answerId);
    if (findMessage(transaction, chat.key, answerId)) throw new MessageExistsError(answerId);
    const { key } = requireBranch(transaction, chat, branch);
    const number = nextKey(transaction, 'drafts');
    transaction.run(insert, [key, chat.viewer, answerId, number, owner, claim, afterId, now, data]);
    return changed(undefined, answerChange(chat, { branch, id: answerId }, 'saved'));
  },

  reclaimAnswer(transaction, now, { chatId, userId, answerId, claim, replaces, owner }) {
    const chat = requireChatRef(transaction, chatId, { userId });
    const answer = findAnswer(transaction, chat, answerId);
    if (!answer && findMessage(transaction, chat.key, answerId)) throw new MessageExistsError(answerId);
    if (!answer) throw new AnswerNotFoundError(answerId);
    if (answer.claim === claim) return quiet(undefined);
    if (answer.claim !== replaces) throw new AnswerRunningError(answerId);
    transaction.run(reclaim, [claim, owner, now, ...answer.key]);
    return changed(undefined, answerChange(chat, answer, 'saved'));
  },

  saveAnswer(transaction, now, { chatId, userId, answerId, claim, data, outcome, error }) {
    const chat = requireChatRef(transaction, chatId, { userId });
    const answer = requireClaimed(transaction, chat, answerId, claim);
    const isCancelled = answer.cancelAt !== undefined;
    const status = statusAfter(answer, outcome);
    transaction.run(update, [
      data ?? null,
      status,
      status === 'failed' ? (error ?? null) : null,
      outcome === 'interrupted' ? null : (answer.owner ?? null),
      now,
      ...answer.key,
    ]);
    return changed(!isCancelled, answerChange(chat, answer, 'saved'));
  },

  finishAnswer(transaction, now, { chatId, userId, answerId, claim, data, naming }) {
    const chat = requireChatRef(transaction, chatId, { userId });
    const answer = requireClaimed(transaction, chat, answerId, claim);
    if (answer.cancelAt !== undefined) throw new AnswerCancelledError(answerId);
    const { result, changes } = messageWrites.saveMessages(transaction, now, {
      chatId,
      userId,
      branch: answer.branch,
      expectedHead: answer.afterId,
      onHeadConflict: 'fork',
      newBranchAt: undefined,
      activate: false,
      ...(naming === undefined ? {} : { naming }),
      messages: [
        {
          id: answerId,
          name: 'assistant',
          type: 'message',
          data,
          invocationId: undefined,
          replaces: undefined,
          effects: undefined,
        },
      ],
    });
    transaction.run(remove, answer.key);
    return { result: result.branch, changes: [...changes, answerChange(chat, answer, 'removed')] };
  },

  cancelAnswer(transaction, now, { chatId, userId, answerId }) {
    const chat = requireChatRef(transaction, chatId, { userId });
    const answer = findAnswer(transaction, chat, answerId);
    if (!answer || answer.status === 'failed') return quiet(false);
    if (answer.cancelAt !== undefined) return quiet(true);
    transaction.run(cancel, [now, ...answer.key]);
    return changed(true, answerChange(chat, answer, 'saved'));
  },

  discardAnswer(transaction, _now, { chatId, userId, answerId, claim }) {
    const chat = requireChatRef(transaction, chatId, { userId });
    const answer = findAnswer(transaction, chat, answerId);
    if (answer?.claim !== claim) return quiet(false);
    transaction.run(remove, answer.key);
    return changed(true, answerChange(chat, answer, 'removed'));
  },
});

/** A cancel counts, whatever else ends it. */
function statusAfter(answer: StoredAnswer, outcome: UnfinishedStatus | undefined): UnfinishedStatus {
  if (outcome === undefined || outcome === 'interrupted') return answer.status;
  return answer.cancelAt === undefined ? outcome : 'cancelled';
}

function answerChange(
  chat: ChatRef,
  { branch, id }: Pick<StoredAnswer, 'branch' | 'id'>,
  change: 'saved' | 'removed',
): StoreChange {
  return { kind: 'draft', chatId: chat.id, branch, change, answerId: id };
}

/** @throws AnswerNotFoundError, AnswerTakenError */
function requireClaimed(
  transaction: Transaction,
  chat: ChatRef,
  answerId: string,
  claim: string,
): StoredAnswer {
  const answer = findAnswer(transaction, chat, answerId);
  if (!answer) throw new AnswerNotFoundError(answerId);
  if (answer.claim !== claim) throw new AnswerTakenError(answerId);
  return answer;
}

function findAnswer(reader: Reader, chat: ChatRef, answerId: string): StoredAnswer | undefined {
  const row = reader.get(byId, [chat.key, answerId]);
  return row && asAnswer(row);
}

function asAnswer(row: SqlRow): StoredAnswer {
  const [id, userId] = [text(row, 'answerId'), text(row, 'userId')];
  return {
    key: [integer(row, 'branchKey'), userId, id],
    id,
    userId,
    branch: text(row, 'branch'),
    owner: optionalText(row, 'owner'),
    claim: text(row, 'claim'),
    revision: integer(row, 'revision'),
    afterId: optionalText(row, 'afterId') ?? null,
    status: unfinishedStatus(text(row, 'status')),
    error: optionalText(row, 'error'),
    cancelAt: optionalInteger(row, 'cancelAt'),
    updatedAt: integer(row, 'updatedAt'),
  };
}

/** The rows, and what tells whether the writers of answers still exist. */
export interface AnswerReader {
  readonly reader: Reader & Pick<Database, 'isElsewhere'>;
  /** The owner of the answers that this window writes. */
  readonly self: string;
  readonly now: number;
}

export function getAnswer(
  from: AnswerReader,
  chatId: string,
  answerId: string,
  options: ReadAnswer,
): AnswerData | undefined {
  const answer = findAnswer(from.reader, requireChatRef(from.reader, chatId), answerId);
  return answer && shown(from, chatId, answer, options);
}

export function listAnswers(from: AnswerReader, chatId: string): AnswerData[] {
  const { key } = requireChatRef(from.reader, chatId);
  return from.reader.all(inOrder, [key]).map((row) => shown(from, chatId, asAnswer(row), {}));
}

function shown(
  from: AnswerReader,
  chatId: string,
  answer: StoredAnswer,
  { content = true }: ReadAnswer,
): AnswerData {
  const { id, branch, userId, claim, revision, updatedAt } = answer;
  const row = content ? from.reader.get(dataOf, answer.key) : undefined;
  const message = row && readUIMessage(json(row, 'data'));
  if (row && !message) throw new DamagedDataError('a draft cannot be read');
  return {
    id,
    chatId,
    branch,
    userId,
    status: statusNow(from, answer),
    isCancelled: answer.cancelAt !== undefined,
    error: errorText(answer.error),
    message,
    version: `${claim}:${revision}`,
    claim,
    updatedAt,
  };
}

function statusNow(
  { reader, self, now }: AnswerReader,
  { status, owner, cancelAt }: StoredAnswer,
): UnfinishedStatus {
  if (status !== 'running') return status;
  const isAlive = owner !== undefined && (owner === self || reader.isElsewhere?.(owner) === true);
  if (!isAlive) return cancelAt === undefined ? 'interrupted' : 'cancelled';
  return cancelAt !== undefined && now - cancelAt > CANCEL_GRACE_MS ? 'cancelled' : 'running';
}
