import type { Disposable } from '../kit/disposable.ts';
import { Sequencer } from '../kit/sequencer.ts';
import { ChatNotFoundError, MessageNotFoundError } from './errors.ts';
import type { MessageData, StoreChange } from './graph.ts';
import type { ContextStore } from './store.ts';

/** What a fold reads; it also has to hear of what is deleted. */
export type PathStore = Pick<ContextStore, 'getPath' | 'getPathAfter' | 'findCommonAncestor' | 'onDidChange'>;

/** What is kept of a message on the way to a head, and of the way up to it. */
export interface PathStep {
  readonly id: string;
}

/**
 * Makes one step of each message on the way to a head, from the step before it. The last way is kept: a head that moved
 * on costs what was added, one that moved back costs nothing, and another branch costs what the two do not share. What
 * was deleted since is read again, never shown.
 */
export class PathFold<Step extends PathStep> implements Disposable {
  private chatId: string | undefined;
  /** Root first. Never changed in place, so that what was handed out stays what it was. */
  private steps: readonly Step[] = [];
  /** Where each of them stands, by its id; from when it is first asked, since a long way takes a while to enter. */
  private places: Map<string, number> | undefined;
  /** Rises with each deletion: what was read across one may be of before it. */
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

  /** The step at the end of the way that was read last. */
  get last(): Step | undefined {
    return this.steps.at(-1);
  }

  /**
   * The way to a head, root first; the calls are answered one after the other.
   * @throws ChatNotFoundError, MessageNotFoundError when the head itself is gone
   */
  read(chatId: string, headId: string | null): Promise<readonly Step[]> {
    return this.calls.run(() => this.move(chatId, headId));
  }

  /** The step of a message, where it is at hand without reading the store: on the way that was read last. */
  known(chatId: string, messageId: string): Step | undefined {
    const at = chatId === this.chatId ? this.placeOf(messageId) : undefined;
    return at === undefined ? undefined : this.steps[at];
  }

  /** Takes in what was just saved at the end of the way; messages from elsewhere are read when they are asked for. */
  grow(chatId: string, messages: readonly MessageData[]): Promise<void> {
    return this.calls.run(async () => {
      const isNext = messages[0]?.parentId === (this.last?.id ?? null);
      if (chatId === this.chatId && isNext) await this.extend(this.steps, messages, this.deletions);
    });
  }

  /** Lets go of what was read; the next call reads anew. */
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
    // Kept whole: whoever goes back often goes forward again, and a message is made into a step once.
    if (at !== undefined) return at === this.steps.length - 1 ? this.steps : this.steps.slice(0, at + 1);
    const { deletions } = this;
    const shared = await this.sharedWith(chatId, headId);
    const rest = shared?.rest ?? (await this.readWhole(chatId, headId));
    return this.extend(shared?.steps ?? [], rest, deletions);
  }

  /**
   * @param steps of the way that was read last, from its beginning
   * @param deletions how many there were when these and the messages were read
   */
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
    // At once, because room to grow would be copied again.
    const grown = steps.concat(added);
    if (deletions === this.deletions) this.keep(grown, steps.length);
    return grown;
  }

  private placeOf(id: string): number | undefined {
    if (this.last?.id === id) return this.steps.length - 1;
    this.places ??= new Map(this.steps.map((step, index) => [step.id, index]));
    return this.places.get(id);
  }

  /** @param shared how many of them are those that were kept so far */
  private keep(steps: readonly Step[], shared: number): void {
    const { places } = this;
    // A map that is let go costs nothing; to empty one costs what was in it.
    if (shared === 0) this.places = undefined;
    else if (places) {
      for (const { id } of this.steps.slice(shared)) places.delete(id);
      steps.slice(shared).forEach(({ id }, index) => places.set(id, shared + index));
    }
    this.steps = steps;
  }

  /** What the way read last and this one have in common, and what comes after it on this one. */
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
      // What was read last is gone; whether the head is, too, shows when it is read.
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

/** What is deleted takes messages along, whose ids may then be given to others. */
function isDeletion(change: StoreChange): boolean {
  return change.kind !== 'messages' && change.change === 'deleted';
}
