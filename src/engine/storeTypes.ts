import type { BranchNaming } from './branchNames.ts';
import type { ArtifactVersion, FileChange, MessageEffects } from './effects.ts';
import type { BranchData, ChatData, LogEventKind, MessageData } from './graph.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { OwnedBy, ViewedBy } from './users.ts';
import type { UIMessage } from './uiMessage.ts';

/** What one message changed in the workspace. */
export interface MessageFiles {
  readonly messageId: string;
  readonly files: readonly FileChange[];
}

/** A chat to make. */
export interface NewChat {
  readonly id: string;
  readonly userId: string;
  readonly title?: string;
  readonly metadata?: JsonObject;
}

/** Changes of a chat; omitted members stay. */
export interface ChatChanges {
  readonly title?: string;
  readonly metadata?: JsonObject;
}

/**
 * Changes, or a function that returns them for the current chat; undefined: none.
 * @example
 * ```js
 * const context = new ContextEngine({ store, chatId: 'chat-1', userId: 'me' });
 * await context.updateChat({ title: 'Trees', metadata: { tags: ['graph'] } });
 * const chat = await context.updateChat(({ metadata }) => ({
 *   metadata: { tags: [...metadata.tags, 'tree'] },
 * }));
 * console.log(chat.title, chat.metadata.tags.join(', ')); // Trees graph, tree
 * ```
 */
export type ChatUpdate = ChatChanges | ((chat: ChatData) => ChatChanges | undefined);

/** Which chats are listed, and how many. */
export interface ListChats extends OwnedBy {
  /** Only chats whose metadata have these members with these values. */
  readonly metadata?: JsonObject;
  readonly limit?: number;
  readonly offset?: number;
  /** Include each chat's counts and last message; default yes. */
  readonly details?: boolean;
}

/** A message to store. */
export interface NewMessage {
  readonly id: string;
  readonly name: string;
  readonly type: MessageData['type'];
  readonly data: JsonValue;
  /** Undefined: the turn of the message before it. */
  readonly invocationId: string | undefined;
  readonly replaces: string | undefined;
  readonly effects: MessageEffects | undefined;
}

/** Messages to store, and where. */
export interface SaveMessages extends ViewedBy {
  readonly chatId: string;
  readonly branch: string;
  /** The head the caller last read. */
  readonly expectedHead: string | null;
  /** What to do when the head of the branch has moved. */
  readonly onHeadConflict: 'error' | 'fork';
  /** Save on a new branch that begins after this message (null: before the first), leaving `branch` as it is. */
  readonly newBranchAt: NewBranchAt | undefined;
  /** Make a branch created by this save the user's active one. */
  readonly activate: boolean;
  /** How a branch created by this save is named; default `nested`. */
  readonly naming?: BranchNaming;
  readonly messages: readonly NewMessage[];
  /** Changes outside the path; left out: nothing. */
  readonly shared?: SharedChanges;
  /** A log entry of the caller, about the first of the messages and their branch. */
  readonly event?: Pick<NewLogEvent, 'kind' | 'details'>;
}

/** What a chat received from a later copy of it. */
export interface ExtendedChat {
  /** The number of new messages. */
  readonly messages: number;
  /** The branches that were made for them. */
  readonly branches: readonly string[];
}

/** Where a new branch begins: after a message, or (null) before the first. */
export interface NewBranchAt {
  readonly messageId: string | null;
  /** The reason recorded in the log; default: an edit. */
  readonly why?: 'edit' | 'report' | 'summary' | 'copy' | 'explore';
}

/** Changes not bound to the path: the state of the user and of everybody, and the user's artifacts. */
export interface SharedChanges {
  readonly user: StateChanges;
  readonly app: StateChanges;
  readonly userId: string;
  readonly artifacts: readonly ArtifactVersion[];
}

/** Undefined as a value: the key is removed. */
export type StateChanges = ReadonlyMap<string, JsonValue | undefined>;

/** Messages that were stored. */
export interface SavedMessages {
  /** Their branch: after an edit or a fork, not the requested one. */
  readonly branch: BranchData;
  readonly messages: readonly MessageData[];
  /** The user's artifacts that were stored with them, with their version numbers. */
  readonly artifacts: readonly ArtifactVersion[];
}

/** A branch to make under a given name. */
export interface CreateBranch extends ViewedBy {
  readonly chatId: string;
  readonly name: string;
  /** Its head; null for an empty branch. */
  readonly headMessageId: string | null;
  /** The branch it is made from, if any. */
  readonly from?: string;
  /** Make it the user's active one; default no. */
  readonly activate?: boolean;
  /** It is dropped when another branch becomes active and nothing was added or set on it; default no. */
  readonly isProvisional?: boolean;
}

/** A branch made by going back, restoring, a side question or another try. */
export interface AddBranch extends ViewedBy {
  readonly chatId: string;
  /** The branch it is named after. */
  readonly from: string;
  /** Its head; null for an empty branch. */
  readonly messageId: string | null;
  readonly activate: boolean;
  /** How it is named; default `nested`. */
  readonly naming?: BranchNaming;
  /** It is dropped when another branch becomes active and nothing was added or set on it; default no. */
  readonly isProvisional?: boolean;
  /** Its event kind in the log. */
  readonly event: Extract<LogEventKind, 'rewound' | 'restored' | 'btw' | 'branch-created'>;
  readonly details?: JsonObject;
}

/** A title given by a model. */
export interface NewTitle extends ViewedBy {
  readonly chatId: string;
  /** The first message of the chat or branch that it names. */
  readonly messageId: string;
  readonly title: string;
  /** The chat title it replaces; undefined: it names a branch, and the chat keeps its title. */
  readonly replaces?: string | undefined;
  /** Further details of the title. */
  readonly details?: JsonObject;
}

/** An entry for the log. */
export interface NewLogEvent extends ViewedBy {
  readonly chatId: string;
  readonly kind: LogEventKind;
  readonly branch?: string;
  readonly messageId?: string;
  readonly details?: JsonObject;
}

/** Which branches are listed, and for which user. */
export interface ListBranches extends ViewedBy {
  /** Archived ones, too; default no. */
  readonly includeArchived?: boolean;
}

/** Which entries of the log are listed. */
export interface ListEvents {
  /** Only this many of the latest. */
  readonly limit?: number;
  /** Only those of this kind. */
  readonly kind?: LogEventKind;
  /** Only those of these kinds. */
  readonly kinds?: readonly LogEventKind[];
  /** Only what this user did; default: all users. */
  readonly userId?: string | undefined;
  /** Only those before this one, by its sequence number: for paging. */
  readonly before?: number;
}

/** Which messages of a chat are searched. */
export interface SearchOptions {
  readonly roles?: readonly string[];
  /** Default 50. */
  readonly limit?: number;
  /** The text before and after each hit in a snippet; default `[` and `]`. */
  readonly marks?: readonly [string, string];
  /**
   * The query is still being typed: its words are looked for as they are, not in other forms nor as misspelled ones, and
   * in fewer messages. That takes a part of the time. Default: no.
   */
  readonly isTyping?: boolean;
}

/** Which messages of all chats are searched. */
export interface SearchAllOptions extends SearchOptions, OwnedBy {}

/** A message that was found. */
export interface SearchResult {
  readonly message: MessageData;
  /** Higher is better. */
  readonly rank: number;
  /** The text around the best hits, each hit between marks. */
  readonly snippet: string;
}

/** The received part of an answer that is still streaming. */
export interface NewDraft extends ViewedBy {
  readonly chatId: string;
  readonly branch: string;
  readonly message: UIMessage;
}

/** When a draft is kept. */
export interface SaveDraft {
  /** Only where other windows share the store: it notifies them that an answer is being written. Default: always. */
  readonly ifShared?: boolean;
}

/** A stored draft: an answer cut off by the end of the process, or one that is being written. */
export interface Draft extends NewDraft {
  /** The user it belongs to. */
  readonly userId: string;
  readonly updatedAt: number;
  /** Another process is writing it, as far as can be determined: it was not cut off. */
  readonly isBeingWritten: boolean;
}

/** The owner of shared state. */
export type SharedOwner = { readonly scope: 'user'; readonly userId: string } | { readonly scope: 'app' };
