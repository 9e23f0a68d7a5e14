import { addedBy } from '../agent/attachments/addedParts.ts';
import { isEnvironmentPart } from '../models/messages/environment.ts';
import { answeringModel } from '../agent/run/questionSettings.ts';
import { MessageNotFoundError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import {
  isReminderPart,
  isTextPart,
  readUIMessage,
  textOf,
  type UIMessagePart,
} from '../engine/uiMessage.ts';
import { isUserTurn } from '../engine/pathSummary.ts';
import { activeBranch } from './activeBranch.ts';
import type { ConversationParts } from './conversationParts.ts';
import { keepIfHeld, byClick, move, type Move, type MoveParts } from './move.ts';

export interface StoredQuestion {
  readonly text: string;
  readonly parts: readonly UIMessagePart[];
}

/** @throws MessageNotFoundError */
export function rewind(parts: MoveParts, messageId: string): Promise<Move> {
  return move(parts, (engine) => engine.rewind(messageId, byClick));
}

/** To before a question, which is to be asked again or differently. @throws MessageNotFoundError */
export function rewindBefore(parts: MoveParts, questionId: string): Promise<Move> {
  return move(parts, (engine) => engine.rewindBefore(questionId, byClick));
}

/** The question that a branch was made before, while nothing was said there; undefined for every other branch. */
export async function questionBefore(
  store: Pick<ReadonlyStore, 'getMessage' | 'listEvents'>,
  { chatId, name }: Pick<BranchData, 'chatId' | 'name'>,
): Promise<MessageData | undefined> {
  const events = await store.listEvents(chatId, { kind: 'rewound' });
  const before = events.findLast(({ branch }) => branch === name)?.details['before'];
  const message = typeof before === 'string' ? await store.getMessage(chatId, before) : undefined;
  return message && isUserTurn(message) ? message : undefined;
}

/**
 * Asks a question differently, with its attachments: another version of it, on a new branch. An empty branch made by
 * a click is dropped in the same transaction.
 */
export async function editQuestion(
  parts: MoveParts & Pick<ConversationParts, 'models'>,
  messageId: string,
  text: string,
  added: readonly UIMessagePart[],
): Promise<Move> {
  const { store, userId, runs, models, current } = parts;
  const chatId = await current.chatId();
  const message = await store.getMessage(chatId, messageId);
  if (!message) throw new MessageNotFoundError(messageId);
  const model = await answeringModel(models, added);
  const active = await activeBranch(store, chatId, { userId });
  await keepIfHeld(parts, active);
  const attached = [...added, ...attachedTo(storedQuestion(message).parts)];
  const run = await runs.start({
    chatId,
    branch: active.name,
    question: text,
    attached,
    model,
    replaces: messageId,
  });
  await current.open(chatId);
  const to = await store.getBranch(chatId, run.branch, { userId });
  return { chatId, from: active.name, to: to ?? (await activeBranch(store, chatId, { userId })) };
}

export function storedQuestion({ data }: MessageData): StoredQuestion {
  const read = readUIMessage(data);
  return { text: read ? textOf(read) : '', parts: read?.parts ?? [] };
}

/** Neither the text of a question, nor additions of a prompt file or the project. */
function attachedTo(parts: readonly UIMessagePart[]): UIMessagePart[] {
  return askedWith(parts).filter((part) => addedBy(part) === undefined);
}

function isAutomatic(part: UIMessagePart): boolean {
  return addedBy(part) === 'instructions' || isEnvironmentPart(part);
}

/** What a question was asked with besides its text; the project's instructions and facts are added automatically. */
export function askedWith(parts: readonly UIMessagePart[]): UIMessagePart[] {
  return parts.filter((part) => !isAutomatic(part) && (!isTextPart(part) || isReminderPart(part)));
}
