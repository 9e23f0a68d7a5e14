import type { ModelRegistry } from '../models/modelRegistry.ts';
import type { Budget } from '../agent/budget/budget.ts';
import type { Runs } from '../agent/run/runs.ts';
import type { ContextStore } from '../engine/store.ts';
import type { MessageQueue } from './messageQueue.ts';

/** It may not exist in the store yet: a new one is made by its first question. */
export interface OpenChat {
  chatId(): Promise<string>;
  open(chatId: string): Promise<void>;
  /** Closes a chat in all views; each of them then opens the most recently used one. */
  leave(chatId: string): Promise<void>;
}

export interface ConversationParts {
  readonly store: ContextStore;
  /** The owner of the chats. */
  readonly userId: string;
  readonly runs: Pick<Runs, 'failed' | 'get' | 'list' | 'saveAgain' | 'start' | 'stop'>;
  readonly queue: MessageQueue;
  readonly models: Pick<ModelRegistry, 'current' | 'find' | 'smallFor'>;
  readonly current: OpenChat;
  /** Undefined where what is spent has no caps. */
  readonly budget: (() => Promise<Pick<Budget, 'for'>>) | undefined;
  /** The initial title of a chat, from its first question. */
  readonly titleFrom: (question: string) => string;
  /** The name of the folder that a new chat is begun in, where several are open. */
  readonly folderInUse?: (() => string | undefined) | undefined;
}
