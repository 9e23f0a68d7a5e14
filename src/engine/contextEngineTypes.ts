import type { ResolvedMessage } from './conversationPath.ts';
import type { BranchInfo } from './graph.ts';
import type { JsonObject } from './json.ts';
import type { ContextRenderer } from './renderers/contextRenderer.ts';
import type { ContextStore } from './store.ts';

/** Which conversation an engine works on, and how. */
export interface ContextEngineOptions {
  readonly store: ContextStore;
  readonly chatId: string;
  /** The chat's owner; another user's chat is not found. */
  readonly userId: string;
  /** Merged into the metadata of the chat. */
  readonly metadata?: JsonObject;
  /** Work on this branch without making it active: an answer stays with its branch. Default: the active one. */
  readonly branch?: string;
  /** When another engine moved the branch since this one last saw it: refuse (default), or save on a new branch. */
  readonly onHeadConflict?: 'error' | 'fork';
}

/** How the system prompt is written. */
export interface ResolveOptions {
  /** Default: XML. */
  readonly renderer?: ContextRenderer;
}

/** For which model something is counted. */
export interface InspectOptions extends ResolveOptions {
  /** `openai:gpt-4o`, `groq:gpt-oss-20b`, …; one that is not known is estimated without a price. */
  readonly modelId: string;
}

/** What a model is sent: pass both to `generateText`, `streamText` or a client of your own. */
export interface ResolvedContext {
  readonly systemPrompt: string;
  /** Root first, pending messages last. */
  readonly messages: ResolvedMessage[];
}

/** What is saved beside the messages themselves. */
export interface SaveOptions {
  /** The turn these messages belong to; default: the id of its user message. */
  readonly invocationId?: string;
}

/** Where a save left the conversation. */
export interface SaveResult {
  readonly headMessageId: string | undefined;
  /** The branch they were saved on: a new one after an edit or a fork. */
  readonly branch: string;
  readonly messageIds: readonly string[];
}

/** The branch one is on now, and how many pending messages and changes were dropped on the way. */
export interface RewindResult extends BranchInfo {
  readonly clearedPending: number;
}
