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
  /** The chat's owner, as whom it is read and changed; another user's chat is not found. */
  readonly userId: string;
  /** Initial metadata; for an existing chat, only missing members are added. */
  readonly metadata?: JsonObject;
  /** Work on this branch without making it active: an answer stays with its branch. Default: the active one. */
  readonly branch?: string;
  /**
   * When another engine moved the branch since this one last read it: refuse (default), save on a new branch (`fork`),
   * or save after what came, on the same branch (`graft`).
   * @example
   * ```ts
   * const store = new InMemoryContextStore();
   * const place = { store, chatId: 'c', userId: 'u' };
   * const engines = [1, 2].map(() => new ContextEngine({ ...place, onHeadConflict: 'graft' }));
   * await Promise.all(engines.map((engine) => engine.set(user('Hello'), assistant('Hi!')).save()));
   * const { messages } = await engines[0].resolve();
   * assert.deepEqual(messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant']);
   * ```
   */
  readonly onHeadConflict?: 'error' | 'fork' | 'graft';
  /** How branches made by this engine are named: `main-v2-v2` (`nested`, default) or `main-v3` (`flat`). */
  readonly branchNames?: BranchNaming;
}

/** How the system prompt is written. */
export interface RenderOptions {
  /** Default: XML. */
  readonly renderer?: ContextRenderer;
}

/** When not to wait any longer. */
export interface WaitOptions {
  /** Aborts the call, and what the functions of fragments do for it. */
  readonly signal?: AbortSignal | undefined;
}

/** How the system prompt is written, and how much of the path is returned. */
export interface ResolveOptions extends RenderOptions, MessagesOptions {}

/** How much of the path is returned. */
export interface MessagesOptions extends WaitOptions {
  /** Return the whole path, including messages that a summary replaces for the model. Default: only what is sent. */
  readonly whole?: boolean;
}

/** The model to count for. */
export interface InspectOptions extends RenderOptions, WaitOptions {
  /** `openai:gpt-4o`, `groq:gpt-oss-20b`, …; an unknown model is estimated without a price. */
  readonly modelId: string;
}

/** A message as the model gets it. */
export type ResolvedMessage = UIMessage & { readonly content: string };

/** What a model is sent: pass both to `generateText`, `streamText` or a client of your own. */
export interface ResolvedContext {
  readonly systemPrompt: string;
  /** Root first, pending messages last, no answers without content. A copy: the caller may change the messages. */
  messages: ResolvedMessage[];
}

/** What the AI SDK tells before each step, as far as reminders need it. */
export interface PrepareStepOptions<Message> {
  /** The steps so far, with their content as the AI SDK gives it. */
  readonly steps: readonly { readonly content: readonly unknown[] }[];
  /** What the model would be sent. */
  readonly messages: readonly Message[];
}

/** A reminder between two steps, as the AI SDK takes messages. */
export interface ReminderModelMessage {
  role: 'user';
  content: string;
}

/**
 * A function for the option `prepareStep` of the AI SDK: the messages to send instead, or undefined.
 *
 * What was answered before such a message, and the message itself, are pending from then on, in this order. The next
 * `save()` stores them with the answer in one transaction, and the path is what the model saw. Set the answer as it
 * is at the end: its last text, or all of its parts, of which those of the pending messages go to these. A loop that
 * fails leaves what was pending, and a program that ends before `save()` leaves nothing, `once(id)` included.
 * `isReminderMessage` tells these messages from questions.
 *
 * @example
 * ```ts
 * const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c', userId: 'u' });
 * const when = and(toolOutput({ name: 'bash', state: 'output-error' }), once('read the error'));
 * context.set(user('Build it.'), reminder('Read the error before you go on.', { target: 'tool-output', when }));
 * const { messages } = await context.resolve();
 * const prepareStep = context.prepareStep(); // generateText({ …, messages, prepareStep }) calls it as follows
 * const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'bash', input: { command: 'make' } };
 * const step = { content: [call, { ...call, type: 'tool-error', error: new Error('exit code 2') }] };
 * const prepared = await prepareStep({ steps: [step], messages });
 * assert.match(prepared.messages.at(-1).content, /Read the error/);
 *
 * await context.set(assistant('A header is missing.')).save();
 * const saved = (await context.resolve()).messages;
 * assert.deepEqual(saved.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant']);
 * assert.deepEqual(saved.map(isReminderMessage), [false, false, true, false]);
 * assert.deepEqual(saved.map(textOf), ['Build it.', '', '', 'A header is missing.']);
 * assert.equal(await context.getTurnCount(), 1);
 * ```
 */
export type PrepareStep = <Message>(
  options: PrepareStepOptions<Message>,
) => Promise<{ messages: (Message | ReminderModelMessage)[] } | undefined>;

/** What a save stores in addition to the messages. */
export interface SaveOptions extends WaitOptions {
  /** The turn these messages belong to; default: the id of its user message. */
  readonly invocationId?: string;
  /** A message whose id exists is refused, not stored as an edit. Default: no. */
  readonly onlyNew?: boolean;
}

/** Where a child of an engine keeps its conversation. */
export interface ForkOptions {
  /** Not closed with the child. Default: one in memory, which is. */
  readonly store?: ContextStore;
  /** Default: a chat of its own. */
  readonly chatId?: string;
}

/** How a branch made by an operation is named. */
export interface NamingOptions {
  /** Default: the naming of the engine. */
  readonly naming?: BranchNaming;
}

/** How moving to another point makes a branch. */
export interface MoveOptions extends NamingOptions {
  /**
   * The branch is dropped when it is left, unless something was added or set on it; switching to it makes it again.
   * If the current branch is already such a branch at the same message, no other is made. Default: it is kept.
   */
  readonly provisional?: boolean;
}

/** Where to make a branch without switching to it. */
export interface AsideOptions extends NamingOptions {
  /** The message it begins after; default: the head. */
  readonly messageId?: string;
  /** The purpose recorded in the log: another answer to the message. Default: a side question. */
  readonly why?: 'try';
}

/** The state of the conversation after a save. */
export interface SaveResult {
  readonly headMessageId: string | undefined;
  /** The branch they were saved on: a new one after an edit or a fork. */
  readonly branch: string;
  readonly messageIds: readonly string[];
  /** The saved versions of artifacts, with their final numbers. */
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
  /** Drops one; false when no pending message has this id, or it is being saved. */
  remove(id: string): boolean;
}

/** The current branch, and how many pending messages and changes were dropped. */
export interface RewindResult extends BranchInfo {
  readonly clearedPending: number;
}
