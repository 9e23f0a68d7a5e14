import type { ChatModel } from '../chatModel.ts';

/** When conversations are compacted by themselves. */
export interface CompactionSettings {
  readonly enabled: boolean;
  /** The share of the context window from which on a request is too long. */
  readonly threshold: number;
}

/** What compacting takes beside a run. */
export interface CompactionOptions {
  /** Asked for before each request. */
  readonly settings: () => CompactionSettings;
  /** The small model of the same provider, for the summary; the same model where there is none. */
  readonly smallFor: (model: ChatModel) => Promise<ChatModel>;
}

/** What a user asks for, rather than what happens by itself. */
export interface CompactionRequest {
  /** What they want kept, in their words. */
  readonly wanted?: string;
  /** The answer is continued, or the question answered, once there is room. */
  readonly thenAnswers: boolean;
}

/** How far compacting has come. */
export interface CompactionProgress {
  /** Which portion of what is summarised is read, from 1 on. */
  readonly portion: number;
  readonly portions: number;
}
