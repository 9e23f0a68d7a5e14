import { foldEffects, type MessageEffects, type PathEffects } from './effects.ts';
import type { MessageData } from './graph.ts';
import type { ContextStore } from './store.ts';
import { readUIMessage, withContent, type UIMessage } from './uiMessage.ts';

/** A message as the model gets it. */
export type ResolvedMessage = UIMessage & { readonly content: string };

/** A node of the path that the model never sees. */
interface HiddenNode {
  readonly id: string;
  readonly isHidden: true;
}

/**
 * The messages from the root to a head, kept in step with it: a head that moved on costs what was added, not a walk of
 * the whole path. Of each message only what the model sees is kept, because a path may be as long as the store is large.
 */
export class ConversationPath {
  private nodes: (ResolvedMessage | HiddenNode)[] = [];
  private visible: ResolvedMessage[] = [];
  private effectsInOrder: { readonly effects: MessageEffects }[] = [];
  private folded: PathEffects | undefined;

  constructor(
    private readonly store: ContextStore,
    private readonly chatId: string,
  ) {}

  get headId(): string | null {
    return this.nodes.at(-1)?.id ?? null;
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
    for (const { id, type, data, effects } of messages) {
      const read = type === 'message' ? readUIMessage(data) : undefined;
      if (read) {
        const message = withContent(read);
        this.nodes.push(message);
        this.visible.push(message);
      } else this.nodes.push({ id, isHidden: true });
      if (effects) this.effectsInOrder.push({ effects });
    }
    this.folded = undefined;
  }

  /** What the model sees; with `upTo`, only to that message (null: nothing). */
  uiMessages(upTo?: { messageId: string | null }): ResolvedMessage[] {
    if (!upTo) return [...this.visible];
    const end = this.nodes.findIndex(({ id }) => id === upTo.messageId) + 1;
    return this.nodes.slice(0, end).filter((node): node is ResolvedMessage => !('isHidden' in node));
  }

  lastAssistantId(): string | undefined {
    return this.visible.findLast(({ role }) => role === 'assistant')?.id;
  }

  effects(): PathEffects {
    this.folded ??= foldEffects(this.effectsInOrder);
    return this.folded;
  }

  private replace(messages: readonly MessageData[]): void {
    this.nodes = [];
    this.visible = [];
    this.effectsInOrder = [];
    this.append(messages);
  }
}
