import type { MessageEffects } from './effects.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** A conversation: a tree of messages with named pointers to them. */
export interface ChatData {
  readonly id: string;
  readonly userId: string;
  readonly title: string | undefined;
  readonly metadata: JsonObject;
  /** Milliseconds since 1970, as every time in this file. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A chat as shown in lists. */
export interface ChatSummary extends ChatData {
  /** The messages on all its branches, each counted once; nodes the model never sees are left out. */
  readonly messageCount: number;
  /** The number of branches that `listBranches` returns: archived ones are left out. */
  readonly branchCount: number;
  /** The last message of the owner's active branch; undefined while the branch is empty. */
  readonly lastMessage: MessageExcerpt | undefined;
}

/** A message in a list of chats. */
export interface MessageExcerpt {
  /** `user`, `assistant`, …: the name of the message. */
  readonly role: string;
  /** The beginning of its visible text: 200 characters at most. */
  readonly text: string;
  readonly createdAt: number;
}

/** An immutable node. A parent exists before its child, so `depth` is the parent's plus one (roots have 1). */
export interface MessageData {
  readonly id: string;
  readonly chatId: string;
  readonly parentId: string | null;
  readonly depth: number;
  /**
   * `user`, `assistant`, `system`; `branch_summary` for a report that the model reads as a user message, and `reminder`
   * for reminders between the steps of an answer; or the name of a node the model never sees (`state`, …).
   */
  readonly name: string;
  readonly type: 'message' | 'fragment' | 'internal';
  readonly data: JsonValue;
  /** The turn it belongs to: the id of the turn's user message unless another one was given. */
  readonly invocationId: string;
  /** The id of the message this one is an edited version of. */
  readonly replaces: string | undefined;
  /** The changes of its turn to state and artifacts; their values are folds of these along a path. */
  readonly effects: MessageEffects | undefined;
  readonly createdAt: number;
}

/** A named pointer to a head. Each user is on exactly one branch of a chat. */
export interface BranchData {
  readonly id: string;
  readonly chatId: string;
  readonly name: string;
  /** Null while the branch is empty. */
  readonly headMessageId: string | null;
  /** Where the branch was made; null for the first branch and for one that begins before the first message. */
  readonly forkMessageId: string | null;
  /** The branch that was current when this one was made. */
  readonly parentBranch: string | undefined;
  /** Whether it is the active branch of the user it was read for. */
  readonly isActive: boolean;
  /** Messages from the root to the head, without nodes the model never sees. */
  readonly messageCount: number;
  readonly createdAt: number;
  readonly archivedAt: number | undefined;
}

/** A named pointer to a message, unique by name in its chat. */
export interface CheckpointData {
  readonly id: string;
  readonly chatId: string;
  readonly name: string;
  readonly messageId: string;
  readonly createdAt: number;
}

/** What `rewind`, `restore` and `btw` return. */
export interface BranchInfo {
  readonly id: string;
  readonly name: string;
  readonly headMessageId: string | null;
  readonly isActive: boolean;
  readonly messageCount: number;
  readonly createdAt: number;
}

/** The graph of a chat that views and `visualizeGraph` draw. */
export interface GraphData {
  readonly chatId: string;
  readonly nodes: readonly GraphNode[];
  readonly branches: readonly GraphBranch[];
  readonly checkpoints: readonly GraphCheckpoint[];
}

/** A message in the graph of a chat. */
export interface GraphNode {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: string;
  /** The beginning of its visible text: 200 characters at most. */
  readonly content: string;
  readonly createdAt: number;
}

/** A branch in the graph of a chat. */
export interface GraphBranch {
  readonly name: string;
  readonly headMessageId: string | null;
  readonly isActive: boolean;
}

/** A checkpoint in the graph of a chat. */
export interface GraphCheckpoint {
  readonly name: string;
  readonly messageId: string;
}

/** A message without its content. */
export type SkeletonNode = Pick<MessageData, 'id' | 'parentId' | 'name'>;

/** One entry of the append-only log, written in the same transaction as the change it records. */
export interface LogEvent {
  readonly sequence: number;
  readonly chatId: string;
  readonly kind: LogEventKind;
  /** The user who did it. */
  readonly userId: string;
  /** The branch it happened on. */
  readonly branch: string | undefined;
  readonly messageId: string | undefined;
  readonly details: JsonObject;
  readonly createdAt: number;
}

/** Each kind of event, as written in the log. */
export const logEventKinds = [
  'chat-created',
  'chat-deleted',
  'chat-undeleted',
  'titled',
  'messages-saved',
  'branch-created',
  'branch-renamed',
  'branch-archived',
  'branch-unarchived',
  'branch-deleted',
  'branch-dropped',
  'branch-kept',
  'branch-undeleted',
  'rewound',
  'restored',
  'switched',
  'btw',
  'checkpoint-set',
  'checkpoint-moved',
  'checkpoint-renamed',
  'checkpoint-deleted',
  'checkpoint-undeleted',
  'rewind-report',
  'summarised',
  'brought-back',
  'cherry-picked',
  'files-restored',
  'edits-reviewed',
  'todos-edited',
  'message-kept',
  'undone',
  'redone',
] as const;

/** The kind of an event, as written in the log. */
export type LogEventKind = (typeof logEventKinds)[number];

/** What a committed transaction changed; views read the store again and show the result. */
export type StoreChange =
  | { readonly kind: 'chat'; readonly chatId: string; readonly change: 'created' | 'updated' | 'deleted' }
  | {
      readonly kind: 'messages';
      readonly chatId: string;
      readonly branch: string;
      readonly messageIds: readonly string[];
    }
  | {
      readonly kind: 'branch';
      readonly chatId: string;
      readonly branch: string;
      readonly change: 'created' | 'switched' | 'renamed' | 'archived' | 'unarchived' | 'deleted' | 'dropped';
    }
  | {
      readonly kind: 'checkpoint';
      readonly chatId: string;
      readonly checkpoint: string;
      readonly change: 'set' | 'moved' | 'renamed' | 'deleted';
    }
  /**
   * The received part of an answer that another window writes; the writing window has newer data itself. With the id of
   * an answer: any change of it, by any engine.
   */
  | {
      readonly kind: 'draft';
      readonly chatId: string;
      readonly branch: string;
      readonly change: 'saved' | 'removed';
      readonly answerId?: string;
    };
