import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { KeptReadings } from '../../kit/keptReadings.ts';
import type { ChatOutline } from './outline.ts';
import { readOutline } from './readOutline.ts';

/** How many are remembered: each may have thousands of branches. */
const MAX_OUTLINES = 4;

/** Outlines of chats, each read once until something changes: tree rows and branch labels share them. */
export class Outlines implements Disposable {
  private readonly kept = new KeptReadings<ChatOutline | undefined>(MAX_OUTLINES);
  private readonly subscription: Disposable;

  constructor(private readonly store: ReadonlyStore) {
    this.subscription = store.onDidChange(({ chatId }) => this.kept.forget(chatId));
  }

  /** Everything in a chat, archived branches included; undefined when there is no such chat. */
  of(chatId: string): Promise<ChatOutline | undefined> {
    return this.kept.get(chatId, () => readOutline(this.store, chatId, { all: true }));
  }

  /** The same without archived branches, except the active one. */
  async inSight(chatId: string): Promise<ChatOutline | undefined> {
    const outline = await this.of(chatId);
    const hasHidden = outline?.branches.some(
      ({ archivedAt, isActive }) => archivedAt !== undefined && !isActive,
    );
    return hasHidden ? readOutline(this.store, chatId) : outline;
  }

  /** Whether one is cached. */
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
