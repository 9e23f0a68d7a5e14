import type { SavedArtifacts } from './artifacts.ts';
import type { ContextEngineOptions } from './contextEngineTypes.ts';
import { ConversationPath, type ConversationView } from './conversationPath.ts';
import { MessageNotFoundError } from './errors.ts';
import type { MessageData } from './graph.ts';
import type { Disposable } from '../kit/disposable.ts';
import type { Conversation, PendingMessages, PendingPlan } from './pendingMessages.ts';
import type { SavedState } from './state.ts';
import type { WorkingBranch } from './workingBranch.ts';

/** How often the head is looked up again because its branch was deleted in between. */
const MAX_LOOKS = 5;

/** The conversation at the head of the current branch, which others may move. */
export class ConversationHead implements Disposable {
  private readonly path: ConversationPath;

  constructor(
    private readonly options: ContextEngineOptions,
    private readonly working: WorkingBranch,
    private readonly pending: PendingMessages,
  ) {
    this.path = new ConversationPath(options.store, options.chatId);
  }

  /** The conversation at the head, which others may have moved. */
  async follow(): Promise<ConversationView> {
    for (let attempt = 1; ; attempt++) {
      const { headMessageId } = await this.working.follow();
      try {
        return await this.path.atHead(headMessageId);
      } catch (error) {
        // The branch was deleted just now.
        if (!(error instanceof MessageNotFoundError) || attempt === MAX_LOOKS) throw error;
      }
    }
  }

  /** The conversation up to a head that was already looked up. */
  at(headMessageId: string | null): Promise<ConversationView> {
    return this.path.atHead(headMessageId);
  }

  /** What the next save would store, and after which message. */
  plan(atHead: ConversationView): Promise<PendingPlan> {
    return this.pending.plan(this.conversation(atHead));
  }

  /** Adds the messages that were just saved. */
  grow(messages: readonly MessageData[]): Promise<void> {
    return this.path.grow(messages);
  }

  /** The state that the next save builds on, and the state not bound to the path. */
  async savedState(): Promise<SavedState> {
    const path = (await this.savedBefore()).effects.state;
    const { store, userId } = this.options;
    const user = await store.getSharedState({ scope: 'user', userId });
    return { path, user, app: await store.getSharedState({ scope: 'app' }) };
  }

  /** The artifacts that the next save builds on, and those of the user. */
  async savedArtifacts(): Promise<SavedArtifacts> {
    const path = (await this.savedBefore()).effects.artifacts;
    const { store, userId } = this.options;
    return { path, user: await store.getSharedArtifacts(userId) };
  }

  /** Starts from scratch with the next call: the chat was deleted. */
  forget(): void {
    this.working.forget();
    this.path.forget();
  }

  dispose(): void {
    this.path.dispose();
  }

  /** What the next save builds on: the head, or where an edit branches off. */
  private async savedBefore(): Promise<ConversationView> {
    return this.pending.before(this.conversation(await this.follow()));
  }

  private conversation(atHead: ConversationView): Conversation {
    const { store, chatId } = this.options;
    return {
      atHead,
      at: (messageId) => this.path.at(messageId),
      parentsOf: (ids) => store.getParentIds(chatId, ids),
    };
  }
}
