import type { AnswerData } from '../../engine/answerData.ts';
import type { Disposable, Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import type { ChatData, ChatSummary, StoreChange } from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import type {
  BlobStore,
  ContextStore,
  Draft,
  ListChats,
  SearchAllOptions,
  SearchResult,
} from '../../engine/store.ts';
import type { Amount, StorageReport, Trash } from '../../engine/trash.ts';
import type { OwnedBy, ViewedBy } from '../../engine/users.ts';

type Of<M extends keyof ContextStore> = ContextStore[M] extends (...given: infer G) => infer R
  ? (...given: G) => R
  : never;

/**
 * Several stores as one: each chat is read and written where it is, and new ones are made in the first. Of two chats with
 * one id, that of the earlier store counts.
 */
export class JoinedStore implements ContextStore {
  readonly trash: Trash;
  readonly blobs: BlobStore;
  private readonly changed = new Emitter<StoreChange>();
  private readonly subscriptions: Disposable[] = [];
  private stores: readonly ContextStore[];
  /** Where chats are, as long as none came or went. */
  private readonly homes = new Map<string, ContextStore>();
  private closing: Promise<void> | undefined;

  readonly onDidChange: Event<StoreChange> = this.changed.event;

  constructor(private readonly own: ContextStore) {
    this.stores = [own];
    this.follow(own);
    const all = (): readonly ContextStore[] => this.stores;
    this.trash = joinedTrash(own, all, (chatId) => this.homeOf(chatId));
    this.blobs = joinedBlobs(own, all);
  }

  /** Adds the chats of another store, which is closed with this one. */
  join(other: ContextStore): void {
    this.homes.clear();
    this.stores = [...this.stores, other];
    this.follow(other);
  }

  /** The store that has the chat; the first one for a chat that is nowhere yet. */
  async homeOf(chatId: string): Promise<ContextStore> {
    const [, ...others] = this.stores;
    const known = others.length === 0 ? this.own : this.homes.get(chatId);
    if (known) return known;
    for (const store of this.stores) {
      if (!(await store.getChat(chatId))) continue;
      this.homes.set(chatId, store);
      return store;
    }
    return this.own;
  }

  get isReadOnly(): boolean {
    return this.own.isReadOnly;
  }

  get isWriter(): boolean {
    return this.own.isWriter;
  }

  get onWillClose(): Event<undefined> {
    return this.own.onWillClose;
  }

  createChat: Of<'createChat'> = (chat) => this.in(chat.id, (store) => store.createChat(chat));
  upsertChat: Of<'upsertChat'> = (chat) => this.in(chat.id, (store) => store.upsertChat(chat));
  getChat: Of<'getChat'> = (id, ...rest) => this.in(id, (store) => store.getChat(id, ...rest));
  updateChat: Of<'updateChat'> = (id, ...rest) => this.in(id, (store) => store.updateChat(id, ...rest));
  addUsage: Of<'addUsage'> = (id, ...rest) => this.in(id, (store) => store.addUsage(id, ...rest));
  deleteChat: Of<'deleteChat'> = (id, ...rest) => this.in(id, (store) => store.deleteChat(id, ...rest));
  getMessage: Of<'getMessage'> = (id, ...rest) => this.in(id, (store) => store.getMessage(id, ...rest));
  getParentIds: Of<'getParentIds'> = (id, ...rest) => this.in(id, (store) => store.getParentIds(id, ...rest));
  getPath: Of<'getPath'> = (id, ...rest) => this.in(id, (store) => store.getPath(id, ...rest));
  getPathAfter: Of<'getPathAfter'> = (id, ...rest) => this.in(id, (store) => store.getPathAfter(id, ...rest));
  getChildren: Of<'getChildren'> = (id, ...rest) => this.in(id, (store) => store.getChildren(id, ...rest));
  getSiblings: Of<'getSiblings'> = (id, ...rest) => this.in(id, (store) => store.getSiblings(id, ...rest));
  findInvocation: Of<'findInvocation'> = (id, ...rest) =>
    this.in(id, (store) => store.findInvocation(id, ...rest));
  saveMessages: Of<'saveMessages'> = (given) =>
    this.naming(given.chatId, given, (store, copy) => store.saveMessages(copy));
  listBranches: Of<'listBranches'> = (id, ...rest) => this.in(id, (store) => store.listBranches(id, ...rest));
  getBranch: Of<'getBranch'> = (id, ...rest) => this.in(id, (store) => store.getBranch(id, ...rest));
  getActiveBranch: Of<'getActiveBranch'> = (id, ...rest) =>
    this.in(id, (store) => store.getActiveBranch(id, ...rest));
  createBranch: Of<'createBranch'> = (given) => this.in(given.chatId, (store) => store.createBranch(given));
  addBranch: Of<'addBranch'> = (given) => this.in(given.chatId, (store) => store.addBranch(given));
  activateBranch: Of<'activateBranch'> = (id, ...rest) =>
    this.in(id, (store) => store.activateBranch(id, ...rest));
  renameBranch: Of<'renameBranch'> = (id, ...rest) => this.in(id, (store) => store.renameBranch(id, ...rest));
  archiveBranch: Of<'archiveBranch'> = (id, ...rest) =>
    this.in(id, (store) => store.archiveBranch(id, ...rest));
  unarchiveBranch: Of<'unarchiveBranch'> = (id, ...rest) =>
    this.in(id, (store) => store.unarchiveBranch(id, ...rest));
  deleteBranch: Of<'deleteBranch'> = (id, ...rest) => this.in(id, (store) => store.deleteBranch(id, ...rest));
  setCheckpoint: Of<'setCheckpoint'> = (id, ...rest) =>
    this.in(id, (store) => store.setCheckpoint(id, ...rest));
  getCheckpoint: Of<'getCheckpoint'> = (id, ...rest) =>
    this.in(id, (store) => store.getCheckpoint(id, ...rest));
  listCheckpoints: Of<'listCheckpoints'> = (id) => this.in(id, (store) => store.listCheckpoints(id));
  renameCheckpoint: Of<'renameCheckpoint'> = (id, ...rest) =>
    this.in(id, (store) => store.renameCheckpoint(id, ...rest));
  deleteCheckpoint: Of<'deleteCheckpoint'> = (id, ...rest) =>
    this.in(id, (store) => store.deleteCheckpoint(id, ...rest));
  exportChat: Of<'exportChat'> = (id, ...rest) => this.in(id, (store) => store.exportChat(id, ...rest));
  extendChat: Of<'extendChat'> = (id, ...rest) =>
    this.naming(id, rest, (store, copy) => store.extendChat(id, ...copy));
  getGraph: Of<'getGraph'> = (id, ...rest) => this.in(id, (store) => store.getGraph(id, ...rest));
  getSkeleton: Of<'getSkeleton'> = (id) => this.in(id, (store) => store.getSkeleton(id));
  findCommonAncestor: Of<'findCommonAncestor'> = (id, ...rest) =>
    this.in(id, (store) => store.findCommonAncestor(id, ...rest));
  searchMessages: Of<'searchMessages'> = (id, ...rest) =>
    this.in(id, (store) => store.searchMessages(id, ...rest));
  findBranchWith: Of<'findBranchWith'> = (id, ...rest) =>
    this.in(id, (store) => store.findBranchWith(id, ...rest));
  findBranchUsedWith: Of<'findBranchUsedWith'> = (id, ...rest) =>
    this.in(id, (store) => store.findBranchUsedWith(id, ...rest));
  listEvents: Of<'listEvents'> = (id, ...rest) => this.in(id, (store) => store.listEvents(id, ...rest));
  saveTitle: Of<'saveTitle'> = (given) => this.in(given.chatId, (store) => store.saveTitle(given));
  logEvent: Of<'logEvent'> = (given) => this.in(given.chatId, (store) => store.logEvent(given));
  saveDraft: Of<'saveDraft'> = (draft, ...rest) =>
    this.naming(draft.chatId, draft, (store, copy) => store.saveDraft(copy, ...rest));
  deleteDraft: Of<'deleteDraft'> = (id, ...rest) => this.in(id, (store) => store.deleteDraft(id, ...rest));
  claimAnswer: Of<'claimAnswer'> = (given) =>
    this.naming(given.chatId, given, (store, copy) => store.claimAnswer(copy));
  reclaimAnswer: Of<'reclaimAnswer'> = (given) =>
    this.in(given.chatId, (store) => store.reclaimAnswer(given));
  saveAnswer: Of<'saveAnswer'> = (given) =>
    this.naming(given.chatId, given, (store, copy) => store.saveAnswer(copy));
  finishAnswer: Of<'finishAnswer'> = (given) =>
    this.naming(given.chatId, given, (store, copy) => store.finishAnswer(copy));
  cancelAnswer: Of<'cancelAnswer'> = (id, ...rest) => this.in(id, (store) => store.cancelAnswer(id, ...rest));
  discardAnswer: Of<'discardAnswer'> = (id, ...rest) =>
    this.in(id, (store) => store.discardAnswer(id, ...rest));
  getAnswer: Of<'getAnswer'> = (id, ...rest) => this.in(id, (store) => store.getAnswer(id, ...rest));
  listFileChanges: Of<'listFileChanges'> = (id) => this.in(id, (store) => store.listFileChanges(id));

  listAnswers(chatId: string): Promise<AnswerData[]> {
    return this.in(chatId, (store) => store.listAnswers(chatId));
  }

  listChats(options: ListChats & { readonly details: false }): Promise<ChatData[]>;
  listChats(options?: ListChats): Promise<ChatSummary[]>;
  async listChats(options: ListChats = {}): Promise<ChatData[] | ChatSummary[]> {
    const [, ...others] = this.stores;
    if (others.length === 0) return this.own.listChats(options);
    const { limit = Infinity, offset = 0, ...rest } = options;
    // Any of them may be among the wanted ones.
    const each = { ...rest, ...(limit === Infinity ? {} : { limit: limit + offset }) };
    const listed = await this.each((store) => store.listChats(each));
    const seen = new Set<string>();
    const first = listed.map((chats) => chats.filter(({ id }) => !seen.has(id) && seen.add(id)));
    return merged(first, ({ updatedAt }) => updatedAt).slice(offset, offset + limit);
  }

  async isMessageElsewhere(chatId: string, messageId: string): Promise<boolean> {
    return (await this.each((store) => store.isMessageElsewhere(chatId, messageId))).includes(true);
  }

  async searchAllMessages(query: string, options: SearchAllOptions = {}): Promise<SearchResult[]> {
    const found = await this.each((store) => store.searchAllMessages(query, options));
    const sorted = merged(found, ({ rank }) => rank);
    return options.limit === undefined ? sorted : sorted.slice(0, options.limit);
  }

  async listDrafts(chatId?: string, options: ViewedBy = {}): Promise<Draft[]> {
    if (chatId !== undefined) return this.in(chatId, (store) => store.listDrafts(chatId, options));
    return (await this.each((store) => store.listDrafts(undefined, options))).flat();
  }

  importChats: Of<'importChats'> = (userId, chats) => this.own.importChats(userId, chats);

  /** What the first one has, counts. */
  async getSharedState(
    owner: Parameters<ContextStore['getSharedState']>[0],
  ): Promise<ReadonlyMap<string, JsonValue>> {
    const all = await this.each((store) => store.getSharedState(owner));
    return new Map(all.reverse().flatMap((state) => [...state]));
  }

  async getSharedArtifacts(userId: string): Promise<ReadonlyMap<string, readonly ArtifactVersion[]>> {
    const all = await this.each((store) => store.getSharedArtifacts(userId));
    return new Map(all.reverse().flatMap((artifacts) => [...artifacts]));
  }

  async storageReport(options: OwnedBy = {}): Promise<StorageReport> {
    const all = await this.each((store) => store.storageReport(options));
    const [first] = all;
    if (first && all.length === 1) return first;
    const sum = (of: (report: StorageReport) => number): number =>
      all.reduce((total, each) => total + of(each), 0);
    const amount = (of: (report: StorageReport) => Amount): Amount => ({
      count: sum((report) => of(report).count),
      bytes: sum((report) => of(report).bytes),
    });
    return {
      database: { bytes: sum(({ database }) => database.bytes), free: sum(({ database }) => database.free) },
      chats: all
        .flatMap(({ chats }) => chats)
        .sort((one, other) => other.messages.bytes - one.messages.bytes),
      trash: { ...amount(({ trash }) => trash), entries: sum(({ trash }) => trash.entries) },
      blobs: amount(({ blobs }) => blobs),
      unusedBlobs: amount(({ unusedBlobs }) => unusedBlobs),
    };
  }

  createInMemory(): Promise<ContextStore> {
    return this.own.createInMemory();
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    try {
      await this.each((store) => store.close());
    } finally {
      for (const subscription of this.subscriptions) subscription.dispose();
      this.changed.dispose();
    }
  }

  /** Begins at once where the chat is known: while the store is closing, there is no later. */
  private in<T>(chatId: string, call: (store: ContextStore) => Promise<T>): Promise<T> {
    const known = this.stores.length === 1 ? this.own : this.homes.get(chatId);
    return known ? call(known) : this.homeOf(chatId).then(call);
  }

  /**
   * For what is stored: it may name bytes that were put before it was known where it goes, and the caller may change it as
   * soon as the call has begun.
   */
  private naming<G, T>(
    chatId: string,
    given: G,
    call: (store: ContextStore, given: G) => Promise<T>,
  ): Promise<T> {
    const known = this.stores.length === 1 ? this.own : this.homes.get(chatId);
    if (known === this.own) return call(known, given);
    const copy = structuredClone(given);
    return this.in(chatId, async (store) => {
      if (store !== this.own) await this.takeBytes(JSON.stringify(copy), store);
      return call(store, copy);
    });
  }

  private async takeBytes(text: string, to: ContextStore): Promise<void> {
    for (const [hash] of text.matchAll(/\b[\da-f]{64}\b/gu)) {
      const bytes = (await to.blobs.has(hash)) ? undefined : await this.own.blobs.get(hash);
      if (bytes) await to.blobs.put(bytes);
    }
  }

  private each<T>(call: (store: ContextStore) => Promise<T>): Promise<T[]> {
    return Promise.all(this.stores.map(call));
  }

  private follow(store: ContextStore): void {
    this.subscriptions.push(
      store.onDidChange((change) => {
        if (change.kind === 'chat' && change.change !== 'updated') this.homes.clear();
        this.changed.fire(change);
      }),
    );
  }
}

type All = () => readonly ContextStore[];

function joinedTrash(own: ContextStore, all: All, homeOf: (chatId: string) => Promise<ContextStore>): Trash {
  return {
    list: async (options) => {
      const listed = await Promise.all(all().map((store) => store.trash.list(options)));
      return merged(listed, ({ deletedAt }) => deletedAt);
    },
    restore: async (id, options) => {
      for (const store of all().filter((each) => each !== own)) {
        if ((await store.trash.list()).some((entry) => entry.id === id))
          return store.trash.restore(id, options);
      }
      return own.trash.restore(id, options);
    },
    discardBranch: async (chatId, ...rest) => (await homeOf(chatId)).trash.discardBranch(chatId, ...rest),
    empty: async (options) => {
      const emptied = await Promise.all(all().map((store) => store.trash.empty(options)));
      const sum = (of: (each: (typeof emptied)[number]) => number): number =>
        emptied.reduce((total, each) => total + of(each), 0);
      return {
        entries: sum(({ entries }) => entries),
        messages: sum(({ messages }) => messages),
        blobs: { count: sum(({ blobs }) => blobs.count), bytes: sum(({ blobs }) => blobs.bytes) },
      };
    },
  };
}

/** Lists that are in order as one: each stays in its own order, which is more than what `value` says. */
function merged<T>(lists: readonly (readonly T[])[], value: (item: T) => number): T[] {
  const left = lists.map((list) => [...list].reverse());
  const next = (list: readonly T[]): number => {
    const item = list.at(-1);
    return item === undefined ? -Infinity : value(item);
  };
  const all: T[] = [];
  for (;;) {
    const highest = Math.max(...left.map(next));
    const item = left.find((list) => list.length > 0 && next(list) === highest)?.pop();
    if (item === undefined) return all;
    all.push(item);
  }
}

/** Bytes are put before the message that names them, whose chat may be in any of the stores: it takes them there. */
function joinedBlobs(own: ContextStore, all: All): BlobStore {
  return {
    put: (bytes) => own.blobs.put(bytes),
    get: async (hash) => {
      for (const store of all()) {
        const bytes = await store.blobs.get(hash);
        if (bytes) return bytes;
      }
      return undefined;
    },
    has: (hash) => own.blobs.has(hash),
    usedBytes: async () =>
      (await Promise.all(all().map((store) => store.blobs.usedBytes()))).reduce((sum, each) => sum + each, 0),
  };
}
