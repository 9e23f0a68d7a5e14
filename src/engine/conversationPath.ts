import { foldEffects, type PathEffects } from './effects.ts';
import type { MessageData } from './graph.ts';
import type { ContextStore } from './store.ts';
import { readUIMessage, withContent, type UIMessage } from './uiMessage.ts';

/** A message as the model gets it. */
export type ResolvedMessage = UIMessage & { readonly content: string };

/**
 * The messages from the root to a head, kept in step with it: a head that moved on costs what was added, not a walk of
 * the whole path.
 */
export class ConversationPath {
  private messages: MessageData[] = [];
  private visible: ResolvedMessage[] = [];
  private folded: PathEffects | undefined;

  constructor(
    private readonly store: ContextStore,
    private readonly chatId: string,
  ) {}

  get headId(): string | null {
    return this.messages.at(-1)?.id ?? null;
  }

  /** Follows the head to where it is now. */
  async moveTo(headId: string | null): Promise<void> {
    if (headId === this.headId) return;
    if (headId === null) this.replace([]);
    else {
      const known = this.headId;
      const after = known === null ? undefined : await this.store.getPathAfter(this.chatId, known, headId);
      if (after) this.append(after);
      else this.replace(await this.store.getPath(this.chatId, headId));
    }
  }

  append(messages: readonly MessageData[]): void {
    for (const message of messages) {
      this.messages.push(message);
      const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
      if (read) this.visible.push(withContent(read));
    }
    this.folded = undefined;
  }

  all(): readonly MessageData[] {
    return this.messages;
  }

  /** What the model sees; with `upTo`, only to that message (null: nothing). */
  uiMessages(upTo?: { messageId: string | null }): ResolvedMessage[] {
    if (!upTo) return [...this.visible];
    const end = this.messages.findIndex(({ id }) => id === upTo.messageId) + 1;
    const count = this.messages.slice(0, end).filter(({ type }) => type === 'message').length;
    return this.visible.slice(0, count);
  }

  lastAssistantId(): string | undefined {
    return this.messages.findLast(({ name, type }) => type === 'message' && name === 'assistant')?.id;
  }

  effects(): PathEffects {
    this.folded ??= foldEffects(this.messages);
    return this.folded;
  }

  private replace(messages: readonly MessageData[]): void {
    this.messages = [];
    this.visible = [];
    this.append(messages);
  }
}
