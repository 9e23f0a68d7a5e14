import type { BranchNaming } from './branchNames.ts';
import type { ArtifactVersion, FileChange, MessageEffects } from './effects.ts';
import type { BranchData, ChatData, LogEventKind, MessageData } from './graph.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { OwnedBy } from './ownedBy.ts';
import type { UIMessage } from './uiMessage.ts';
import type { ViewedBy } from './viewedBy.ts';

/** What one message changed in the workspace. */
export interface MessageFiles {
  readonly messageId: string;
  readonly files: readonly FileChange[];
}

/** A chat that is to be made. */
export interface NewChat {
  readonly id: string;
  readonly userId: string;
  readonly title?: string;
  readonly metadata?: JsonObject;
}

/** What is to be different about a chat; what is left out stays. */
export interface ChatChanges {
  readonly title?: string;
  readonly metadata?: JsonObject;
}

/** Changes, or a function that says what they are for the chat as it is then; undefined: none. */
export type ChatUpdate = ChatChanges | ((chat: ChatData) => ChatChanges | undefined);

/** Which chats are listed, and how many. */
export interface ListChats extends OwnedBy {
  /** Only chats whose metadata have these members with these values. */
  readonly metadata?: JsonObject;
  readonly limit?: number;
  readonly offset?: number;
  /** How much each chat holds and how it ends; default yes. */
  readonly details?: boolean;
}

/** A message that is to be stored. */
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

/** Messages that are to be stored, and where. */
export interface SaveMessages extends ViewedBy {
  readonly chatId: string;
  readonly branch: string;
  /** The head the caller last saw. */
  readonly expectedHead: string | null;
  /** What to do when the branch has another head by now. */
  readonly onHeadConflict: 'error' | 'fork';
  /** Save on a new branch that begins after this message (null: before the first), leaving `branch` as it is. */
  readonly newBranchAt: NewBranchAt | undefined;
  /** Make a branch that had to be made the user's active one. */
  readonly activate: boolean;
  /** How a branch is named that has to be made; default `nested`. */
  readonly naming?: BranchNaming;
  readonly messages: readonly NewMessage[];
  /** What changes beside the path; left out: nothing. */
  readonly shared?: SharedChanges;
  /** An entry of the caller's for the log, about the first of the messages and their branch. */
  readonly event?: Pick<NewLogEvent, 'kind' | 'details'>;
}

/** What a chat got from a later copy of it. */
export interface ExtendedChat {
  /** How many messages are new. */
  readonly messages: number;
  /** The branches that had to be made for them. */
  readonly branches: readonly string[];
}

/** Where a new branch begins: after a message, or (null) before the first. */
export interface NewBranchAt {
  readonly messageId: string | null;
  /** How the log says why; default: an edit. */
  readonly why?: 'edit' | 'report' | 'summary' | 'copy' | 'explore';
}

/** Changes of what is not bound to the path: the state of the user and of everybody, and the user's artifacts. */
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
  /** Where they are now: another branch than the one asked for after an edit or a fork. */
  readonly branch: BranchData;
  readonly messages: readonly MessageData[];
  /** The user's artifacts that were stored beside them, as they are numbered. */
  readonly artifacts: readonly ArtifactVersion[];
}

/** A branch that is to be made under a name of the caller's. */
export interface CreateBranch extends ViewedBy {
  readonly chatId: string;
  readonly name: string;
  /** Its head; null for an empty branch. */
  readonly headMessageId: string | null;
  /** The branch it is made from, if any. */
  readonly from?: string;
  /** Make it the user's active one; default no. */
  readonly activate?: boolean;
  /** It is dropped as soon as another branch is the active one and nothing was said or set on it; default no. */
  readonly isProvisional?: boolean;
}

/** A branch that is to be made by going back, restoring, asking aside or trying again. */
export interface AddBranch extends ViewedBy {
  readonly chatId: string;
  /** The branch it is named after. */
  readonly from: string;
  /** Its head; null for an empty branch. */
  readonly messageId: string | null;
  readonly activate: boolean;
  /** How it is named; default `nested`. */
  readonly naming?: BranchNaming;
  /** It is dropped as soon as another branch is the active one and nothing was said or set on it; default no. */
  readonly isProvisional?: boolean;
  /** How the log calls it. */
  readonly event: Extract<LogEventKind, 'rewound' | 'restored' | 'btw' | 'branch-created'>;
  readonly details?: JsonObject;
}

/** A title that a model gave. */
export interface NewTitle extends ViewedBy {
  readonly chatId: string;
  /** The message that what it names begins with. */
  readonly messageId: string;
  readonly title: string;
  /** The title of the chat that it takes the place of; undefined: it names a branch, and the chat keeps its own. */
  readonly replaces?: string | undefined;
  /** What else is known of it. */
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

/** Which branches are listed, and as whose view. */
export interface ListBranches extends ViewedBy {
  /** Archived ones, too; default no. */
  readonly includeArchived?: boolean;
}

/** Which entries of the log are listed. */
export interface ListEvents {
  /** The last so many. */
  readonly limit?: number;
  /** Only those of this kind. */
  readonly kind?: LogEventKind;
  /** Only those of these kinds. */
  readonly kinds?: readonly LogEventKind[];
  /** Only what this user did; default: what everybody did. */
  readonly userId?: string | undefined;
  /** Only those before this one, by its sequence: for reading page after page. */
  readonly before?: number;
}

/** Which messages of a chat are looked through. */
export interface SearchOptions {
  readonly roles?: readonly string[];
  /** Default 50. */
  readonly limit?: number;
  /** What stands before and after each hit of a snippet; default `[` and `]`. */
  readonly marks?: readonly [string, string];
}

/** Which messages of all chats are looked through. */
export interface SearchAllOptions extends SearchOptions, OwnedBy {}

/** A message that was found. */
export interface SearchResult {
  readonly message: MessageData;
  /** Higher is better. */
  readonly rank: number;
  /** The text around the best hits, each hit between marks. */
  readonly snippet: string;
}

/** What has arrived of an answer that is still streaming. */
export interface NewDraft extends ViewedBy {
  readonly chatId: string;
  readonly branch: string;
  readonly message: UIMessage;
}

/** When a draft is kept. */
export interface SaveDraft {
  /** Only where other windows share the store: it tells them that an answer is on its way. Default: always. */
  readonly ifShared?: boolean;
}

/** A draft that was kept: an answer cut off by the end of the process, or one that is being written. */
export interface Draft extends NewDraft {
  /** Whose it is. */
  readonly userId: string;
  readonly updatedAt: number;
  /** Another process is writing it, as far as it can be known: it was not cut off. */
  readonly isBeingWritten: boolean;
}

/** Whose state it is. */
export type SharedOwner = { readonly scope: 'user'; readonly userId: string } | { readonly scope: 'app' };
