import type { BranchNaming } from './branchNames.ts';
import type { BranchInfo } from './graph.ts';
import type { JsonObject } from './json.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import type { ContextStore } from './store.ts';
import type { UIMessage } from './uiMessage.ts';

/** Which conversation an engine works on, and how. */
export interface ContextEngineOptions {
  readonly store: ContextStore;
  readonly chatId: string;
  /** The chat's owner, as whose it is read and changed; another user's chat is not found. */
  readonly userId: string;
  /** What the chat begins with; of a chat that exists, only what its metadata does not have is added. */
  readonly metadata?: JsonObject;
  /** Work on this branch without making it active: an answer stays with its branch. Default: the active one. */
  readonly branch?: string;
  /** When another engine moved the branch since this one last saw it: refuse (default), or save on a new branch. */
  readonly onHeadConflict?: 'error' | 'fork';
  /** What branches are called that this engine makes: `main-v2-v2` (`nested`, default) or `main-v3` (`flat`). */
  readonly branchNames?: BranchNaming;
}

/** How the system prompt is written. */
export interface RenderOptions {
  /** Default: XML. */
  readonly renderer?: ContextRenderer;
}

/** How the system prompt is written, and how much of the path is wanted. */
export interface ResolveOptions extends RenderOptions {
  /** The whole path, with what a summary on it stands for and no model is sent any more. Default: what is sent. */
  readonly whole?: boolean;
}

/** For which model something is counted. */
export interface InspectOptions extends RenderOptions {
  /** `openai:gpt-4o`, `groq:gpt-oss-20b`, …; one that is not known is estimated without a price. */
  readonly modelId: string;
}

/** A message as the model gets it. */
export type ResolvedMessage = UIMessage & { readonly content: string };

/** What a model is sent: pass both to `generateText`, `streamText` or a client of your own. */
export interface ResolvedContext {
  readonly systemPrompt: string;
  /**
   * Root first, pending messages last; answers that were cut off before they said anything are left out. The messages
   * are the caller's to change: the engine keeps its own.
   */
  messages: ResolvedMessage[];
}

/** What is saved beside the messages themselves. */
export interface SaveOptions {
  /** The turn these messages belong to; default: the id of its user message. */
  readonly invocationId?: string;
}

/** What a branch is called that a step makes. */
export interface NamingOptions {
  /** Default: as the engine calls the branches it makes. */
  readonly naming?: BranchNaming;
}

/** How a branch is made by going somewhere. */
export interface MoveOptions extends NamingOptions {
  /**
   * The branch is dropped by the step that leaves it, unless something was said or set on it; it comes back when one
   * switches to it. Where one already is on such a branch at the same message, no other is made. Default: it stays.
   */
  readonly provisional?: boolean;
}

/** Where a branch is made without going there. */
export interface AsideOptions extends NamingOptions {
  /** The message it begins after; default: the head. */
  readonly messageId?: string;
  /** What it is for, in the log: another answer to the message. Default: a question by the way. */
  readonly why?: 'try';
}

/** Where a save left the conversation. */
export interface SaveResult {
  readonly headMessageId: string | undefined;
  /** The branch they were saved on: a new one after an edit or a fork. */
  readonly branch: string;
  readonly messageIds: readonly string[];
  /** The versions of artifacts that were saved, with the numbers they have for good. */
  readonly artifacts: readonly SavedArtifact[];
}

/** A version of an artifact that was saved. */
export interface SavedArtifact {
  readonly name: string;
  readonly version: number;
}

/** The messages that wait for `save()`. */
export interface PendingList {
  /** In order, with the ids they were given. */
  list(): UIMessage[];
  /** Drops one; false when none of this id waits, or a save has it in hand. */
  remove(id: string): boolean;
}

/** The branch one is on now, and how many pending messages and changes were dropped on the way. */
export interface RewindResult extends BranchInfo {
  readonly clearedPending: number;
}
