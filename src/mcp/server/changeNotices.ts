import { DisposableStore, type Disposable, type Event } from '../../base/disposable.ts';
import { later, type BackgroundTimer } from '../../host/timers.ts';
import type { StoreChange } from '../../engine/graph.ts';
import type { Reading } from '../reading/readingTool.ts';
import { listResources, parseBranchUri } from './resources.ts';

export interface ChangeNoticesOptions {
  readonly reading: Reading;
  /** Anything may have changed. */
  readonly onDidRefresh: Event<undefined>;
  readonly sendListChanged: () => Promise<void>;
  readonly sendUpdated: (uri: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** How long changes are collected into one notification, in milliseconds. */
const GATHER_MS = 150;

/** More subscriptions than a client needs. */
const MAX_SUBSCRIPTIONS = 1_000;

/** Notifies a client of changed branches: the list once it was requested, single ones by subscription. */
export class ChangeNotices implements Disposable {
  private readonly subscribed = new Set<string>();
  private readonly updated = new Set<string>();
  private readonly subscriptions = new DisposableStore();
  private timer: BackgroundTimer | undefined;
  private mayDiffer = false;
  /** The list the client last received; undefined: it never asked. */
  private listed: string | undefined;

  constructor(private readonly options: ChangeNoticesOptions) {
    this.subscriptions.addAll(
      options.reading.store.onDidChange((change) => this.take(change)),
      options.onDidRefresh(() => this.takeAll()),
    );
  }

  followList(resources: readonly unknown[]): void {
    this.listed = JSON.stringify(resources);
  }

  /** @returns false when the limit of subscriptions is reached */
  subscribe(uri: string): boolean {
    if (this.subscribed.size >= MAX_SUBSCRIPTIONS && !this.subscribed.has(uri)) return false;
    this.subscribed.add(uri);
    return true;
  }

  unsubscribe(uri: string): void {
    this.subscribed.delete(uri);
  }

  dispose(): void {
    this.timer?.stop();
    this.subscriptions.dispose();
  }

  private take(change: StoreChange): void {
    if (change.kind === 'draft') return;
    if (change.kind === 'branch' && change.change === 'switched') return;
    if (change.kind !== 'checkpoint') this.mayDiffer = true;
    for (const uri of this.subscribed) {
      const at = parseBranchUri(uri);
      if (at?.chatId !== change.chatId) continue;
      // A checkpoint is shown on each branch that contains it.
      if (change.kind !== 'messages' || change.branch === at.branch) this.updated.add(uri);
    }
    this.tellSoon();
  }

  private takeAll(): void {
    this.mayDiffer = true;
    for (const uri of this.subscribed) this.updated.add(uri);
    this.tellSoon();
  }

  private tellSoon(): void {
    this.timer ??= later(GATHER_MS, () => {
      this.timer = undefined;
      this.tell().catch(this.options.onError);
    });
  }

  private async tell(): Promise<void> {
    const { reading, sendListChanged, sendUpdated } = this.options;
    const updated = [...this.updated];
    this.updated.clear();
    for (const uri of updated) if (this.subscribed.has(uri)) await sendUpdated(uri);
    if (!this.mayDiffer || this.listed === undefined) return;
    this.mayDiffer = false;
    const listed = JSON.stringify((await listResources(reading, undefined)).resources);
    if (listed === this.listed) return;
    this.listed = listed;
    await sendListChanged();
  }
}
