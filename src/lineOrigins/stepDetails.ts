import { z } from 'zod';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { isUserTurn } from '../engine/pathSummary.ts';
import { readUIMessage, textOf } from '../engine/uiMessage.ts';
import { programs } from '../importExport/importPrograms.ts';
import { sourceOf } from '../importExport/importSource.ts';
import type { RecordedEdit } from './recordedFiles.ts';

/** Which message a step is, and when it was. */
export type StepPlace = Pick<RecordedEdit, 'chatId' | 'messageId' | 'at'>;

/** Who wrote which message of a chat in a shared store. */
export interface Authors {
  authorsOf(chatId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What is told of the step that wrote a line. */
export interface StepDetails {
  readonly chatId: string;
  readonly chatTitle: string | undefined;
  /** Who wrote the message; where that is not known, the user whose chat it is. */
  readonly userId: string;
  readonly messageId: string;
  /** The name of the program that its chat was imported from. */
  readonly importedFrom: string | undefined;
  /** A branch that leads to the message; undefined when only a checkpoint does. */
  readonly branch: string | undefined;
  /** The user's question that the step belongs to; undefined where it cannot be read. */
  readonly question: { readonly messageId: string; readonly text: string } | undefined;
  /** The number of the step in the answer, from 1. */
  readonly step: number;
  /** The name of the model; undefined where the message does not say it. */
  readonly model: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const writtenBy = z.object({ modelLabel: z.string() });

/** How many messages of a path are read at once: the question is near. */
const STRETCH = 30;

/** Undefined: the message or its chat is gone. */
export async function readStepDetails(
  store: Pick<ReadonlyStore, 'getChat' | 'getPath' | 'getMessage' | 'findBranchWith'>,
  userId: string,
  { chatId, messageId, at }: StepPlace,
  authors?: Authors,
): Promise<StepDetails | undefined> {
  const [chat, message] = await Promise.all([
    store.getChat(chatId, { userId }),
    store.getMessage(chatId, messageId),
  ]);
  if (!chat || !message) return undefined;
  const branch = await store.findBranchWith(chatId, messageId, { userId });
  const written = await authors?.authorsOf(chatId, [messageId]);
  const { question, step } = await questionOf(store, chatId, messageId);
  const metadata = readUIMessage(message.data)?.metadata;
  const source = sourceOf(chat.metadata);
  return {
    ...{ chatId, messageId, at, question, step },
    chatTitle: chat.title,
    userId: written?.get(messageId) ?? chat.userId,
    importedFrom: source && programs[source.program].name,
    branch: branch?.name,
    model: writtenBy.safeParse(metadata).data?.modelLabel,
  };
}

async function questionOf(
  store: Pick<ReadonlyStore, 'getPath'>,
  chatId: string,
  messageId: string,
): Promise<Pick<StepDetails, 'question' | 'step'>> {
  for (let limit = STRETCH; ; limit *= 4) {
    const path = await store.getPath(chatId, messageId, { limit });
    let step = 0;
    for (const { id, name, data } of path.toReversed()) {
      const read = name === 'user' || name === 'assistant' ? readUIMessage(data) : undefined;
      if (name === 'assistant') step += 1;
      if (name !== 'user' || !read || !isUserTurn(read)) continue;
      return { question: { messageId: id, text: textOf(read) }, step: Math.max(step, 1) };
    }
    if (path.length < limit) return { question: undefined, step: Math.max(step, 1) };
  }
}
