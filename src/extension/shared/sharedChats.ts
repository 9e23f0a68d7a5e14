import type { Draft } from '../../engine/store.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { DisposableStore } from '../../kit/disposableStore.ts';
import { Emitter } from '../../kit/emitter.ts';
import { KeptReadings } from '../../kit/keptReadings.ts';
import type { ChatSharing, Present } from '../../postgres/sharedStore.ts';
import type { SharedPlace } from './sharedPlace.ts';

/** Somebody else who is in a chat now. */
export type Other = Pick<Present, 'userId' | 'branch'>;

/** How many authors are kept: they never change. */
const MOST_AUTHORS = 5_000;

/** Who else is in the chats of a shared store, who wrote what, and who may write: read once until it changes. */
export class SharedChats implements Disposable {
  readonly userId: string;
  private readonly store: SharedPlace['store'];
  private readonly sharings = new KeptReadings<ChatSharing>();
  private readonly present = new KeptReadings<readonly Other[]>();
  private readonly authors = new Map<string, string>();
  private readonly subscriptions = new DisposableStore();
  private readonly changed = this.subscriptions.add(new Emitter<string>());

  /** Tells of a chat in which somebody came, went or moved. */
  readonly onDidChange = this.changed.event;

  constructor({ store, userId }: Pick<SharedPlace, 'store' | 'userId'>) {
    this.store = store;
    this.userId = userId;
    this.subscriptions.addAll(
      store.onDidChange(({ kind, chatId }) => {
        if (kind !== 'draft') this.sharings.forget(chatId);
      }),
      store.onDidChangePresence((chatId) => {
        this.present.forget(chatId);
        this.changed.fire(chatId);
      }),
      store.onDidChangeConnection(() => {
        this.sharings.clear();
        this.present.clear();
      }),
    );
  }

  /** Whether the server cannot be reached now. */
  get isLost(): boolean {
    return this.store.connection.kind === 'lost';
  }

  /** Whether the server is a copy that is only read. */
  get isReadOnly(): boolean {
    return this.store.isReadOnly;
  }

  sharing(chatId: string): Promise<ChatSharing> {
    return this.sharings.get(chatId, () => this.store.getSharing(chatId));
  }

  /** Who else is in a chat, each once for each branch. */
  others(chatId: string): Promise<readonly Other[]> {
    return this.present.get(chatId, async () => {
      const all = (await this.store.listPresent(chatId)).filter(({ userId }) => userId !== this.userId);
      const each = new Map(all.map((other) => [JSON.stringify([other.userId, other.branch]), other]));
      return [...each.values()].sort((one, other) => one.userId.localeCompare(other.userId));
    });
  }

  /** Who wrote these messages. */
  async authorsOf(chatId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = ids.filter((id) => !this.authors.has(id));
    if (unknown.length > 0) {
      if (this.authors.size > MOST_AUTHORS) this.authors.clear();
      for (const [id, author] of await this.store.getAuthors(chatId, unknown)) this.authors.set(id, author);
    }
    return this.authors;
  }

  /** What arrives of answers that others are given. */
  othersDrafts(chatId: string): Promise<Draft[]> {
    return this.store.listOthersDrafts(chatId);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
