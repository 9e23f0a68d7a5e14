import type { NewDraft } from '../engine/store.ts';
import type { UIMessage, UIMessagePart } from '../engine/uiMessage.ts';
import type { AnswerPartType } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { CompactionProgress } from './compaction/compactionOptions.ts';
import type { ChatModel } from './chatModel.ts';
import type { AnswerError } from './modelErrors.ts';
import type { ReasoningEffort } from './reasoning/efforts.ts';
import type { Retry } from './retry.ts';

/**
 * One answer on its way. It belongs to the branch it began on, whatever the user opens meanwhile; only its own rewind
 * takes it to another. An answer that uses tools may be several messages, one after the other.
 */
export interface Run {
  readonly chatId: string;
  /** The name of its branch when it came there. */
  readonly branch: string;
  /** The id the message that is being written will be saved under. */
  readonly messageId: string;
  readonly questionId: string;
  readonly model: ChatModel;
  /** The one it is written with; undefined: the model's own. */
  readonly temperature: number | undefined;
  /** How hard the model was asked to think; undefined: as it does by itself. */
  readonly effort: ReasoningEffort | undefined;
  /** When the message that is being written was begun, in milliseconds since 1970. */
  readonly startedAt: number;
  /** `streaming` until the answer has been saved. */
  readonly status: RunStatus;
  /** What went wrong, with what to do. */
  readonly error: AnswerError | undefined;
  /** Why there is no word yet: a request failed, and another follows. Undefined once words come. */
  readonly retry: Retry | undefined;
  /** What is far back in the conversation is being summarised, before the next request. */
  readonly compacting: CompactionProgress | undefined;
  /** It failed before its first word: nothing of it is stored, and the question can be answered in its place. */
  readonly isUnsaved: boolean;
  /** It has ended and could not be saved. */
  readonly notSaved: NotSaved | undefined;
  /** What the user should know of an answer that did not go wrong. */
  readonly notice: AnswerMetadata['notice'];
  /** What the message that is being written has taken so far, as far as it was counted. */
  readonly spent: Pick<AnswerMetadata, 'usage' | 'cost'>;
  /** The message that is being written, as far as it has come. */
  message(): UIMessage;
  /** Settles when the answer has been saved, or could not be; never rejects. */
  readonly done: Promise<void>;
}

/** An answer that has ended and is in no store. */
export interface NotSaved {
  /** All of it, as a draft is kept. */
  readonly draft: NewDraft;
  /** Saves it once more. @throws why it still can't be */
  save(): Promise<void>;
}

export type RunStatus = 'streaming' | AnswerMetadata['status'];

/** Which message of the run an event is about, and where. */
interface AboutMessage {
  readonly run: Run;
  readonly branch: string;
  readonly messageId: string;
  readonly partIndex: number;
}

export type RunEvent =
  | { readonly kind: 'started'; readonly run: Run }
  | (AboutMessage & {
      readonly kind: 'delta';
      readonly partType: AnswerPartType;
      readonly text: string;
      /** Length of the part before, in UTF-16 units. */
      readonly offset: number;
    })
  /** A part that does not grow by pieces is new or has changed: the call of a tool, the beginning of a step. */
  | (AboutMessage & { readonly kind: 'part'; readonly part: UIMessagePart })
  /** It writes another message now, perhaps on another branch. */
  | { readonly kind: 'moved'; readonly run: Run; readonly from: string }
  | { readonly kind: 'retrying'; readonly run: Run }
  /** Compacting has begun, come further, or ended. */
  | { readonly kind: 'compacting'; readonly run: Run }
  | { readonly kind: 'finished'; readonly run: Run };
