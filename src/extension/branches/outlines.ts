import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../kit/disposable.ts';
import type { ChatOutline } from './outline.ts';
import { readOutline } from './readOutline.ts';

/** How many are remembered: each may have thousands of branches. */
const MAX_OUTLINES = 4;

/** Outlines of chats, each read once until something changes: rows of the tree and names of branches are made of the same. */
export class Outlines implements Disposable {
  private readonly kept = new Map<string, Promise<ChatOutline | undefined>>();
  private readonly subscription: Disposable;

  constructor(private readonly store: ReadonlyStore) {
    this.subscription = store.onDidChange(({ chatId }) => this.kept.delete(chatId));
  }

  /** All there is of a chat, what is archived as well; undefined when there is no such chat. */
  of(chatId: string): Promise<ChatOutline | undefined> {
    const known = this.kept.get(chatId);
    if (known) return known;
    const reading = readOutline(this.store, chatId, { all: true });
    this.kept.set(chatId, reading);
    // What could not be read is asked for again.
    reading.catch(() => {
      if (this.kept.get(chatId) === reading) this.kept.delete(chatId);
    });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_OUTLINES && oldest !== undefined) this.kept.delete(oldest);
    return reading;
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
    return this.kept.has(chatId);
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
