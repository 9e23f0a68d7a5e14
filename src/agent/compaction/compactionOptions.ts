import type { ChatModel } from '../../models/chatModel.ts';

export interface CompactionSettings {
  readonly enabled: boolean;
  /** The share of the context window above which a request is too long. */
  readonly threshold: number;
}

export interface CompactionOptions {
  /** Read before each request. */
  readonly settings: () => CompactionSettings;
  /** The small model of the same provider, for the summary; the same model if there is none. */
  readonly smallFor: (model: ChatModel) => Promise<ChatModel>;
}

/** A compaction that the user asks for, not an automatic one. */
export interface CompactionRequest {
  /** What the user wants kept, in their words. */
  readonly wanted?: string;
  /** Continue the answer, or answer the question, once there is room. */
  readonly thenAnswers: boolean;
}

export interface CompactionProgress {
  /** The portion of the summarized text that is being read, from 1. */
  readonly portion: number;
  readonly portions: number;
}
