import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { KeptReadings } from '../../kit/keptReadings.ts';
import type { ChatOutline } from './outline.ts';
import { readOutline } from './readOutline.ts';

/** How many are remembered: each may have thousands of branches. */
const MAX_OUTLINES = 4;

/** Outlines of chats, each read once until something changes: rows of the tree and names of branches are made of the same. */
export class Outlines implements Disposable {
  private readonly kept = new KeptReadings<ChatOutline | undefined>(MAX_OUTLINES);
  private readonly subscription: Disposable;

  constructor(private readonly store: ReadonlyStore) {
    this.subscription = store.onDidChange(({ chatId }) => this.kept.forget(chatId));
  }

  /** All there is of a chat, what is archived as well; undefined when there is no such chat. */
  of(chatId: string): Promise<ChatOutline | undefined> {
    return this.kept.get(chatId, () => readOutline(this.store, chatId, { all: true }));
  }

  /** The same without what is archived, but for the branch that one is on. */
  async inSight(chatId: string): Promise<ChatOutline | undefined> {
    const outline = await this.of(chatId);
    const hasHidden = outline?.branches.some(
      ({ archivedAt, isActive }) => archivedAt !== undefined && !isActive,
    );
    return hasHidden ? readOutline(this.store, chatId) : outline;
  }

  /** Whether one is at hand. */
  has(chatId: string): boolean {
    return this.kept.peek(chatId) !== undefined;
  }

  /** Another window may have changed anything. */
  forget(): void {
    this.kept.clear();
  }

  dispose(): void {
    this.subscription.dispose();
    this.forget();
  }
}
