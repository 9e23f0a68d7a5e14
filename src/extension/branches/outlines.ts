import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import { ChatOutline, type Exploration } from './outline.ts';
import { explorationBranches, explorationEventKinds } from '../../engine/explorationTask.ts';
import { cleanTitle } from '../commands/titles.ts';

/** How many are remembered: each may have thousands of branches. */
const MAX_OUTLINES = 4;

/** Each is read once until something changes: tree rows and branch labels share them. */
export class Outlines implements Disposable {
  private readonly kept = new PromiseCache<ChatOutline | undefined>(MAX_OUTLINES);
  private readonly subscription: Disposable;

  constructor(private readonly store: ReadonlyStore) {
    this.subscription = store.onDidChange(({ chatId }) => this.kept.forget(chatId));
  }

  /** Archived branches included; undefined when there is no such chat. */
  of(chatId: string): Promise<ChatOutline | undefined> {
    return this.kept.get(chatId, () => readOutline(this.store, chatId, { all: true }));
  }

  /** The same without archived branches, except the active one. */
  async visible(chatId: string): Promise<ChatOutline | undefined> {
    const outline = await this.of(chatId);
    const hasHidden = outline?.branches.some(
      ({ archivedAt, isActive }) => archivedAt !== undefined && !isActive,
    );
    return hasHidden ? readOutline(this.store, chatId) : outline;
  }

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

/** Reads what the tree shows of a chat, or everything; undefined when the chat no longer exists. */
export async function readOutline(
  store: ReadonlyStore,
  chatId: string,
  { all = false }: { readonly all?: boolean } = {},
): Promise<ChatOutline | undefined> {
  const chat = await store.getChat(chatId);
  if (!chat) return undefined;
  return new ChatOutline({
    chat,
    // The active one is visible, archived or not.
    branches: (await store.listBranches(chatId, { includeArchived: true })).filter(
      ({ archivedAt, isActive }) => all || archivedAt === undefined || isActive,
    ),
    checkpoints: await store.listCheckpoints(chatId),
    nodes: await store.getSkeleton(chatId),
    titles: await readTitles(store, chatId),
    explored: await readExplored(store, chatId),
    tasks: explorationBranches(await store.listEvents(chatId, { kinds: explorationEventKinds })),
  });
}

/** What a model titled the messages of a chat from one on, by its id. */
export async function readTitles(store: ReadonlyStore, chatId: string): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (const { messageId, details } of await store.listEvents(chatId, { kind: 'titled' })) {
    const title = typeof details['title'] === 'string' ? cleanTitle(details['title']) : '';
    if (messageId !== undefined && title !== '') titles.set(messageId, title);
  }
  return titles;
}

/** What the agent explored and returned from with a report, by the head it left. */
export async function readExplored(store: ReadonlyStore, chatId: string): Promise<Map<string, Exploration>> {
  const explored = new Map<string, Exploration>();
  for (const { messageId, details } of await store.listEvents(chatId, { kind: 'rewind-report' })) {
    const { goal, abandonedHead } = details;
    if (typeof goal !== 'string' || typeof abandonedHead !== 'string' || messageId === undefined) continue;
    explored.set(abandonedHead, { goal, reportId: messageId });
  }
  return explored;
}
