import * as vscode from 'vscode';
import type { BranchData, ChatData } from '../../engine/graph.ts';
import type { Draft } from '../../engine/store.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { DisposableStore } from '../../kit/disposableStore.ts';
import { Emitter } from '../../kit/emitter.ts';
import { KeptReadings } from '../../kit/keptReadings.ts';
import type { ChatSharing, Present } from '../../postgres/sharedStore.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { SharedPlace } from './sharedPlace.ts';
import { hereLines, hereTexts, sharingLines, sharingTexts } from './sharingTexts.ts';
import { readOnlyPart, sharedPart, withAuthors, type ReadOnlyPart, type SharedPart } from './sharedView.ts';

/** Another user who is in a chat now. */
export type Other = Pick<Present, 'userId' | 'branch'>;

/** The description of something that is shared. */
export interface Described {
  /** For a row. */
  readonly texts: readonly string[];
  /** For a tooltip. */
  readonly lines: readonly string[];
}

export interface DescribedChat extends Described {
  readonly isOwn: boolean;
}

/** How many authors are cached: they never change. */
const MOST_AUTHORS = 5_000;

/** Who else is in the chats of a shared store, who wrote what, and who may write: cached until it changes. */
export class SharedChats implements Disposable {
  readonly userId: string;
  private readonly store: SharedPlace['store'];
  private readonly sharings = new KeptReadings<ChatSharing>();
  private readonly present = new KeptReadings<readonly Other[]>();
  private readonly authors = new Map<string, string>();
  private readonly subscriptions = new DisposableStore();
  private readonly changed = this.subscriptions.add(new Emitter<string>());

  /** Fires for a chat when another user came, left or moved. */
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

  /** Whether the server is a read-only copy. */
  get isReadOnly(): boolean {
    return this.store.isReadOnly;
  }

  sharing(chatId: string): Promise<ChatSharing> {
    return this.sharings.get(chatId, () => this.store.getSharing(chatId));
  }

  /** The other users in a chat, each once for each branch. */
  others(chatId: string): Promise<readonly Other[]> {
    return this.present.get(chatId, async () => {
      const all = (await this.store.listPresent(chatId)).filter(({ userId }) => userId !== this.userId);
      const each = new Map(all.map((other) => [JSON.stringify([other.userId, other.branch]), other]));
      return [...each.values()].sort((one, other) => one.userId.localeCompare(other.userId));
    });
  }

  /** The description of a chat, for its row and tooltip. */
  async describe({ id, userId }: ChatData): Promise<DescribedChat> {
    const names = [...new Set((await this.others(id)).map((other) => other.userId))];
    const sharing = { ...(await this.sharing(id)), isOwn: userId === this.userId, others: names };
    return { isOwn: sharing.isOwn, texts: sharingTexts(sharing), lines: sharingLines(sharing) };
  }

  /** The same for a branch: the other users on it now. */
  async describeBranch({ chatId, name }: Pick<BranchData, 'chatId' | 'name'>): Promise<Described> {
    const others = (await this.others(chatId)).filter(({ branch }) => branch === name);
    const names = others.map(({ userId }) => userId);
    return { texts: hereTexts(names), lines: hereLines(names) };
  }

  /** What the page of a chat shows of it. */
  part(chat: ChatData, branch: string): Promise<SharedPart> {
    return sharedPart(this, chat, branch);
  }

  /** Why nothing can be written. */
  readOnlyPart(): ReadOnlyPart {
    return readOnlyPart(this);
  }

  /** Messages with the names of their authors, if those are other users. */
  withAuthors(chatId: string, messages: readonly MessageView[]): Promise<MessageView[]> {
    return withAuthors(this, chatId, messages);
  }

  /** Shown in place of chats that can't be read; undefined if the server can be reached. */
  get away(): string | undefined {
    if (!this.isLost) return undefined;
    return vscode.l10n.t(
      'The shared store can’t be reached. Your chats there appear as soon as it can: it is tried again by itself.',
    );
  }

  /** The authors of these messages. */
  async authorsOf(chatId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = ids.filter((id) => !this.authors.has(id));
    if (unknown.length > 0) {
      if (this.authors.size > MOST_AUTHORS) this.authors.clear();
      for (const [id, author] of await this.store.getAuthors(chatId, unknown)) this.authors.set(id, author);
    }
    return this.authors;
  }

  /** The unfinished answers for other users. */
  othersDrafts(chatId: string): Promise<Draft[]> {
    return this.store.listOthersDrafts(chatId);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}
