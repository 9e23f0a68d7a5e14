import type { ModelRegistry } from '../agent/modelRegistry.ts';
import type { Runs } from '../agent/runs.ts';
import type { ContextStore } from '../engine/store.ts';
import type { MessageQueue } from './messageQueue.ts';

/** Which chat is open. Whether it exists is for the store to say: a new one is made by its first question. */
export interface OpenChat {
  chatId(): Promise<string>;
  open(chatId: string): Promise<void>;
  /** Closes a chat wherever it is open; there, whichever was used last is open then. */
  leave(chatId: string): Promise<void>;
}

/** What the use cases work with; each takes as much of it as it needs. */
export interface ConversationParts {
  readonly store: ContextStore;
  /** Whose chats they are. */
  readonly userId: string;
  readonly runs: Pick<Runs, 'get' | 'list' | 'saveAgain' | 'start' | 'stop'>;
  /** The questions that wait for an answer. */
  readonly queue: MessageQueue;
  readonly models: Pick<ModelRegistry, 'current' | 'find' | 'smallFor'>;
  readonly current: OpenChat;
  /** What a chat is called after its first question. */
  readonly titleFrom: (question: string) => string;
}
