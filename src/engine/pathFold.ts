import type { Disposable } from '../base/disposable.ts';
import { Sequencer } from '../base/sequencer.ts';
import { ChatNotFoundError, MessageNotFoundError } from './errors.ts';
import type { MessageData, StoreChange } from './graph.ts';
import type { ContextStore } from './store.ts';

export type PathStore = Pick<ContextStore, 'getPath' | 'getPathAfter' | 'findCommonAncestor' | 'onDidChange'>;

/** What is kept of a message on the path to a head, and of the path up to it. */
export interface PathStep {
  readonly id: string;
}

/**
 * Folds each message on the path to a head into a step, from the step before it. The last path is cached: a head that
 * moved forward costs only the added messages, one that moved back costs nothing, and another branch costs the
 * unshared part. Deleted messages are read again, never served from the cache.
 */
export class PathFold<Step extends PathStep> implements Disposable {
  private chatId: string | undefined;
  /** Root first. Never changed in place, so that arrays handed out stay valid. */
  private steps: readonly Step[] = [];
  /** The index of each step by its id; built on first use, because indexing a long path takes a while. */
  private places: Map<string, number> | undefined;
  /** Incremented by each deletion: data read across one may be outdated. */
  private deletions = 0;
  private readonly calls = new Sequencer();
  private readonly subscription: Disposable;

  /** @param add makes the step of a message; `before` is undefined at the root */
  constructor(
    private readonly store: PathStore,
    private readonly add: (message: MessageData, before: Step | undefined) => Step | Promise<Step>,
  ) {
    this.subscription = store.onDidChange((change) => {
      if (change.chatId === this.chatId && isDeletion(change)) this.forget();
    });
  }

  get last(): Step | undefined {
    return this.steps.at(-1);
  }

  /** Root first; one call at a time. @throws ChatNotFoundError, MessageNotFoundError when the head itself is gone */
  read(chatId: string, headId: string | null): Promise<readonly Step[]> {
    return this.calls.run(() => this.move(chatId, headId));
  }

  /** The step of a message if it is on the path that was read last; never reads the store. */
  known(chatId: string, messageId: string): Step | undefined {
    const at = chatId === this.chatId ? this.placeOf(messageId) : undefined;
    return at === undefined ? undefined : this.steps[at];
  }

  /** Adds the messages just saved at the end of the path; messages from elsewhere are read on demand. */
  grow(chatId: string, messages: readonly MessageData[]): Promise<void> {
    return this.calls.run(async () => {
      const isNext = messages[0]?.parentId === (this.last?.id ?? null);
      if (chatId === this.chatId && isNext) await this.extend(this.steps, messages, this.deletions);
    });
  }

  forget(): void {
    this.keep([], 0);
    this.deletions += 1;
  }

  dispose(): void {
    this.subscription.dispose();
    this.forget();
  }

  private async move(chatId: string, headId: string | null): Promise<readonly Step[]> {
    if (chatId !== this.chatId) this.forget();
    this.chatId = chatId;
    if (headId === null) return [];
    for (;;) {
      const before = this.deletions;
      const steps = await this.readTo(chatId, headId);
      if (before === this.deletions) return steps;
    }
  }

  private async readTo(chatId: string, headId: string): Promise<readonly Step[]> {
    const at = this.placeOf(headId);
    // The whole path stays cached: users who go back often go forward again, and each message is folded only once.
    if (at !== undefined) return at === this.steps.length - 1 ? this.steps : this.steps.slice(0, at + 1);
    const { deletions } = this;
    const shared = await this.sharedWith(chatId, headId);
    const rest = shared?.rest ?? (await this.readWhole(chatId, headId));
    return this.extend(shared?.steps ?? [], rest, deletions);
  }

  /** @param deletions the count when the steps and the messages were read */
  private async extend(
    steps: readonly Step[],
    messages: readonly MessageData[],
    deletions: number,
  ): Promise<readonly Step[]> {
    const added: Step[] = [];
    for (const message of messages) {
      const step = this.add(message, added.at(-1) ?? steps.at(-1));
      added.push(step instanceof Promise ? await step : step);
    }
    // Concatenated at once: growing an array would copy it again.
    const grown = steps.concat(added);
    if (deletions === this.deletions) this.keep(grown, steps.length);
    return grown;
  }

  private placeOf(id: string): number | undefined {
    if (this.last?.id === id) return this.steps.length - 1;
    this.places ??= new Map(this.steps.map((step, index) => [step.id, index]));
    return this.places.get(id);
  }

  /** @param shared how many of them were cached before */
  private keep(steps: readonly Step[], shared: number): void {
    const { places } = this;
    // Dropping a map costs nothing; clearing it costs time per entry.
    if (shared === 0) this.places = undefined;
    else if (places) {
      for (const { id } of this.steps.slice(shared)) places.delete(id);
      steps.slice(shared).forEach(({ id }, index) => places.set(id, shared + index));
    }
    this.steps = steps;
  }

  private async sharedWith(
    chatId: string,
    headId: string,
  ): Promise<{ readonly steps: readonly Step[]; readonly rest: readonly MessageData[] } | undefined> {
    const known = this.last;
    if (!known) return undefined;
    const { steps } = this;
    try {
      const meeting = await this.store.findCommonAncestor(chatId, known.id, headId);
      const at = meeting ? this.placeOf(meeting.id) : undefined;
      if (!meeting || at === undefined) return undefined;
      const rest = await this.store.getPathAfter(chatId, meeting.id, headId);
      return rest && { steps: at === steps.length - 1 ? steps : steps.slice(0, at + 1), rest };
    } catch (error) {
      // The head read last is gone; reading the new head shows whether that is gone too.
      if (error instanceof MessageNotFoundError) return undefined;
      throw error;
    }
  }

  private async readWhole(chatId: string, headId: string): Promise<MessageData[]> {
    try {
      return await this.store.getPath(chatId, headId);
    } catch (error) {
      if (error instanceof MessageNotFoundError || error instanceof ChatNotFoundError) this.forget();
      throw error;
    }
  }
}

/** A deletion also removes messages, whose ids may then be reused. */
function isDeletion(change: StoreChange): boolean {
  return change.kind !== 'messages' && change.change === 'deleted';
}
