import type { NewDraft } from '../../engine/store.ts';
import type { UIMessage, UIMessagePart } from '../../engine/uiMessage.ts';
import type { AnswerPartType } from './answerDraft.ts';
import type { AnswerMetadata } from './answerMetadata.ts';
import type { CompactionProgress } from '../compaction/compactionOptions.ts';
import type { ChatModel, ReasoningEffort } from '../../models/chatModel.ts';
import type { Retry } from '../../models/requests/retry.ts';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

/**
 * One answer in progress. It stays on the branch it began on, no matter what the user opens; only its own rewind moves
 * it to another. An answer that uses tools may be several messages in sequence.
 */
export interface Run {
  readonly chatId: string;
  /** The name of its branch when it moved there. */
  readonly branch: string;
  /** The id under which the message that is being written will be saved. */
  readonly messageId: string;
  readonly questionId: string;
  readonly model: ChatModel;
  /** The temperature in use; undefined: the model's default. */
  readonly temperature: number | undefined;
  /** Undefined: the model's default. */
  readonly effort: ReasoningEffort | undefined;
  /** The id of the files that only its branch has; undefined: it works in the workspace. */
  readonly ownFiles: string | undefined;
  /** When the message that is being written was started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** `streaming` until the answer has been saved. */
  readonly status: RunStatus;
  readonly error: AnswerMetadata['error'];
  /** Why there is no word yet: a request failed and will be retried. Undefined once words arrive. */
  readonly retry: Retry | undefined;
  /** Set while older messages are being summarized, before the next request. */
  readonly compacting: CompactionProgress | undefined;
  /** It failed before its first word: none of it is stored, and the question can be answered in its place. */
  readonly isUnsaved: boolean;
  readonly notSaved: NotSaved | undefined;
  /** A notice for the user about an answer that did not fail. */
  readonly notice: AnswerMetadata['notice'];
  /** The counted usage of the message that is being written, so far. */
  readonly spent: Pick<AnswerMetadata, 'usage' | 'cost'>;
  message(): UIMessage;
  /** Settles when the answer has been saved, or saving failed; never rejects. */
  readonly done: Promise<void>;
}

/** An ended answer that is in no store. */
export interface NotSaved {
  readonly draft: NewDraft;
  /** Tries again to save it. @throws why it still can't be */
  save(): Promise<void>;
}

export type RunStatus = 'streaming' | AnswerMetadata['status'];

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
  /** A part that does not grow by pieces is new or has changed: a tool call, the start of a step. */
  | (AboutMessage & { readonly kind: 'part'; readonly part: UIMessagePart })
  /** It now writes another message, perhaps on another branch. */
  | { readonly kind: 'moved'; readonly run: Run; readonly from: string }
  | { readonly kind: 'retrying'; readonly run: Run }
  /** Compaction has started, advanced or ended. */
  | { readonly kind: 'compacting'; readonly run: Run }
  | { readonly kind: 'finished'; readonly run: Run };

export class BranchBusyError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'branch-busy',
      defineMessage(
        'An answer is still being written on that branch. Stop it first, or use “By the Way” to ask on a separate branch.',
      ),
    );
  }
}

export class NothingToAnswerError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'nothing-to-answer',
      defineMessage('Branch “{0}” does not end with a question. Type one first.', branch),
    );
  }
}
