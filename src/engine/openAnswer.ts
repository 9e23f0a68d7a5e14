import { z } from 'zod';
import type { ConversationView } from './conversationPath.ts';
import type { Draft, NewDraft } from './store.ts';
import type { ContextEngineOptions } from './contextEngineTypes.ts';
import { isTextPart, type UIMessage } from './uiMessage.ts';

// An answer that is filled step by step is kept as a draft of its branch until it is complete: a stored message never
// changes. The draft is marked, because other programs keep drafts as well.

/** An answer that is reserved, or filled in part. */
export interface OpenAnswer {
  readonly message: UIMessage;
  /** The head of its branch when it was reserved. */
  readonly after: string;
}

/** What the draft of a branch is to a conversation there. */
export interface AnswerAt {
  /** Stored by the next save of other messages, before those, unless nothing was said in it. */
  readonly open: UIMessage | undefined;
  /** It is the draft of an answer that is stored, or in which nothing was said before another message followed. */
  readonly isOver: boolean;
}

/** The metadata of the draft; that of the answer is inside. */
const marked = z.object({
  openAnswer: z.object({ after: z.string(), metadata: z.unknown().optional() }),
});

export function asDraft(
  { message, after }: OpenAnswer,
  place: Pick<NewDraft, 'chatId' | 'branch' | 'userId'>,
): NewDraft {
  const { metadata, ...rest } = message;
  const openAnswer = { after, ...(metadata === undefined ? {} : { metadata }) };
  return { ...place, message: { ...rest, metadata: { openAnswer } } };
}

/** Undefined for a draft of another kind. */
export function openAnswerIn({ message }: Pick<Draft, 'message'>): OpenAnswer | undefined {
  const read = marked.safeParse(message.metadata);
  if (!read.success) return undefined;
  const { after, metadata } = read.data.openAnswer;
  const { metadata: _mark, ...rest } = message;
  return { message: { ...rest, ...(metadata === undefined ? {} : { metadata }) }, after };
}

/** Whether nothing has been said in an answer yet. */
export function isBlank({ parts }: Pick<UIMessage, 'parts'>): boolean {
  return parts.every((part) => part.type === 'step-start' || (isTextPart(part) && part.text.trim() === ''));
}

/** Reads the open answers of one chat. */
export class OpenAnswers {
  constructor(private readonly options: Pick<ContextEngineOptions, 'store' | 'chatId' | 'userId'>) {}

  /** The user's drafts in the chat. */
  drafts(): Promise<Draft[]> {
    const { store, chatId, userId } = this.options;
    return store.listDrafts(chatId, { userId });
  }

  /** The answer that is open at the end of this path. */
  async at(view: ConversationView, draft: Draft | undefined): Promise<AnswerAt> {
    const kept = draft && openAnswerIn(draft);
    if (!kept) return { open: undefined, isOver: false };
    const { message, after } = kept;
    const isLast = view.endsWith(after);
    // It follows messages of another engine, which this one has not looked at.
    if (!isLast && !view.holds(after)) return { open: undefined, isOver: false };
    const isOver = (!isLast && isBlank(message)) || (await this.isStored(message.id));
    return { open: isOver ? undefined : message, isOver };
  }

  /** Removes the draft of an answer that is stored, or that was closed with nothing said in it. */
  async close(branch: string): Promise<void> {
    const { store, chatId, userId } = this.options;
    // The save it comes after is done, and what remains of a draft here is ignored, see `at`.
    await store.deleteDraft(chatId, branch, { userId }).catch(() => undefined);
  }

  async isStored(messageId: string): Promise<boolean> {
    const { store, chatId } = this.options;
    return (await store.getParentIds(chatId, [messageId])).has(messageId);
  }
}
