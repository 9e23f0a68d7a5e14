import { foldEffects, type MessageEffects, type PathEffects } from './effects.ts';
import type { Disposable } from '../base/disposable.ts';
import type { MessageData } from './graph.ts';
import { PathFold, type PathStore } from './pathFold.ts';
import { sinceTask } from './explorationTask.ts';
import { sentPath } from './sentPath.ts';
import { onceIdsOf } from './onceIds.ts';
import { readUIMessage, type UIMessage } from './uiMessage.ts';
import { isUserTurn } from './pathSummary.ts';

/** Only what the model sees is kept of each message, because a path may be as long as the store is large. */
interface ConversationStep {
  readonly id: string;
  /** Undefined for a node the model never sees. */
  readonly message: UIMessage | undefined;
  readonly effects: MessageEffects | undefined;
  /** Questions up to here. */
  readonly turns: number;
  readonly createdAt: number;
}

/** A conversation up to one of its messages. */
export class ConversationView {
  private folded: PathEffects | undefined;
  private fired: ReadonlySet<string> | undefined;

  constructor(private readonly steps: readonly ConversationStep[]) {}

  /** The engine's own messages; callers must copy them before handing them out. */
  get messages(): UIMessage[] {
    return this.steps.flatMap(({ message }) => message ?? []);
  }

  get sinceTask(): readonly UIMessage[] {
    return sinceTask(this.messages);
  }

  /** The messages that are sent to a model: a summary on the path replaces those it covers. */
  get sent(): UIMessage[] {
    return sentPath(this.sinceTask);
  }

  get turns(): number {
    return this.steps.at(-1)?.turns ?? 0;
  }

  get lastMessage(): UIMessage | undefined {
    return this.steps.findLast(({ message }) => message)?.message;
  }

  /** Whether the message, or the node that no model sees, is on the path and no message follows it. */
  endsWith(id: string): boolean {
    const last = this.steps.findLast((step) => step.message !== undefined || step.id === id);
    return last?.id === id;
  }

  holds(id: string): boolean {
    return this.steps.some((step) => step.id === id);
  }

  get lastAssistantId(): string | undefined {
    return this.steps.findLast(({ message }) => message?.role === 'assistant')?.id;
  }

  /** When the last question was saved. */
  get lastAskedAt(): number | undefined {
    return this.steps.findLast(({ message }) => message && isUserTurn(message))?.createdAt;
  }

  /** The ids that reminders have used up. */
  get firedOnce(): ReadonlySet<string> {
    this.fired ??= new Set(this.messages.flatMap((message) => onceIdsOf(message)));
    return this.fired;
  }

  get effects(): PathEffects {
    this.folded ??= foldEffects(this.steps);
    return this.folded;
  }
}

/** The cached paths of a chat, kept in sync with the store. */
export class ConversationPath implements Disposable {
  private readonly toHead: PathFold<ConversationStep>;
  /** The path to an edited message of another branch; separate, so that the path to the head stays cached. */
  private readonly toEdit: PathFold<ConversationStep>;
  private shown: { readonly steps: readonly ConversationStep[]; readonly view: ConversationView } | undefined;

  constructor(
    store: PathStore,
    private readonly chatId: string,
  ) {
    this.toHead = new PathFold(store, asStep);
    this.toEdit = new PathFold(store, asStep);
  }

  async atHead(headId: string | null): Promise<ConversationView> {
    const steps = await this.toHead.read(this.chatId, headId);
    if (this.shown?.steps !== steps) this.shown = { steps, view: new ConversationView(steps) };
    return this.shown.view;
  }

  /** Null: before the first message. */
  async at(messageId: string | null): Promise<ConversationView> {
    const isNear = messageId === null || this.toHead.known(this.chatId, messageId) !== undefined;
    return new ConversationView(await (isNear ? this.toHead : this.toEdit).read(this.chatId, messageId));
  }

  grow(messages: readonly MessageData[]): Promise<void> {
    return this.toHead.grow(this.chatId, messages);
  }

  forget(): void {
    this.toHead.forget();
    this.toEdit.forget();
  }

  dispose(): void {
    this.toHead.dispose();
    this.toEdit.dispose();
  }
}

function asStep(
  { id, type, data, effects, createdAt }: MessageData,
  before: ConversationStep | undefined,
): ConversationStep {
  const message = type === 'message' ? readUIMessage(data) : undefined;
  const turns = (before?.turns ?? 0) + (message && isUserTurn(message) ? 1 : 0);
  return { id, message, effects, turns, createdAt };
}
