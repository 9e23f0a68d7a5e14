import * as vscode from 'vscode';
import type { BranchData, ChatData } from '../../engine/graph.ts';
import type { Draft } from '../../engine/store.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { PromiseCache } from '../../base/promiseCache.ts';
import type { ChatSharing, Present } from '../../store/postgres/sharedStore.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { ConversationView } from '../../protocol/chatFromHost.ts';
import type { SharedPlace } from './sharedAddress.ts';
import { shownName } from '../ui/shownName.ts';

/** Another user who is in a chat now. */
export type Other = Pick<Present, 'userId' | 'branch'>;

export interface Described {
  /** For a row. */
  readonly texts: readonly string[];
  /** For a tooltip. */
  readonly lines: readonly string[];
}

export interface DescribedChat extends Described {
  readonly isOwn: boolean;
}

/** Authors never change. */
const MOST_AUTHORS = 5_000;

/** Cached until it changes. */
export class SharedChats implements Disposable {
  readonly userId: string;
  private readonly store: SharedPlace['store'];
  private readonly sharings = new PromiseCache<ChatSharing>();
  private readonly present = new PromiseCache<readonly Other[]>();
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

  get isLost(): boolean {
    return this.store.connection.kind === 'lost';
  }

  get isReadOnly(): boolean {
    return this.store.isReadOnly;
  }

  sharing(chatId: string): Promise<ChatSharing> {
    return this.sharings.get(chatId, () => this.store.getSharing(chatId));
  }

  /** Each user once for each branch. */
  others(chatId: string): Promise<readonly Other[]> {
    return this.present.get(chatId, async () => {
      const all = (await this.store.listPresent(chatId)).filter(({ userId }) => userId !== this.userId);
      const each = new Map(all.map((other) => [JSON.stringify([other.userId, other.branch]), other]));
      return [...each.values()].sort((one, other) => one.userId.localeCompare(other.userId));
    });
  }

  async describe({ id, userId }: ChatData): Promise<DescribedChat> {
    const names = [...new Set((await this.others(id)).map((other) => other.userId))];
    const sharing = { ...(await this.sharing(id)), isOwn: userId === this.userId, others: names };
    return { isOwn: sharing.isOwn, texts: sharingTexts(sharing), lines: sharingLines(sharing) };
  }

  async describeBranch({ chatId, name }: Pick<BranchData, 'chatId' | 'name'>): Promise<Described> {
    const others = (await this.others(chatId)).filter(({ branch }) => branch === name);
    const names = others.map(({ userId }) => userId);
    return { texts: hereTexts(names), lines: hereLines(names) };
  }

  part(chat: ChatData, branch: string): Promise<SharedPart> {
    return sharedPart(this, chat, branch);
  }

  readOnlyPart(): ReadOnlyPart {
    return readOnlyPart(this);
  }

  /** Names only authors who are other users. */
  withAuthors(chatId: string, messages: readonly MessageView[]): Promise<MessageView[]> {
    return withAuthors(this, chatId, messages);
  }

  /** Shown in place of chats that can't be read; undefined if the server can be reached. */
  get away(): string | undefined {
    if (!this.isLost) return undefined;
    return vscode.l10n.t(
      'The shared store can’t be reached. Your chats there appear as soon as it reconnects, which happens automatically.',
    );
  }

  /** By message id. */
  async authorsOf(chatId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = ids.filter((id) => !this.authors.has(id));
    if (unknown.length > 0) {
      if (this.authors.size > MOST_AUTHORS) this.authors.clear();
      for (const [id, author] of await this.store.getAuthors(chatId, unknown)) this.authors.set(id, author);
    }
    return this.authors;
  }

  othersDrafts(chatId: string): Promise<Draft[]> {
    return this.store.listOthersDrafts(chatId);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

interface ChatPresence extends ChatSharing {
  readonly isOwn: boolean;
  readonly others: readonly string[];
}

function sharingTexts(sharing: ChatPresence): string[] {
  const { isOwn, owner, access, canWrite, others } = sharing;
  return [
    ...(isOwn ? [] : [shownName(owner)]),
    ...(isOwn && access !== 'private'
      ? [access === 'read' ? vscode.l10n.t('shared to read') : vscode.l10n.t('shared to write')]
      : []),
    ...(canWrite ? [] : [vscode.l10n.t('read-only')]),
    ...hereTexts(others),
  ];
}

function sharingLines(sharing: ChatPresence): string[] {
  const { isOwn, owner, access, others } = sharing;
  const name = shownName(owner);
  const how = {
    private: isOwn ? vscode.l10n.t('Private: only you see it') : '',
    read: isOwn ? vscode.l10n.t('Others can read it') : vscode.l10n.t('{0} shares it to read', name),
    write: isOwn
      ? vscode.l10n.t('Others can read and continue it')
      : vscode.l10n.t('{0} shares it to write', name),
  }[access];
  return [how, ...hereLines(others)];
}

function hereLines(others: readonly string[]): string[] {
  if (others.length === 0) return [];
  return [vscode.l10n.t('Here now: {0}', others.map((name) => shownName(name)).join(', '))];
}

function hereTexts(others: readonly string[]): string[] {
  const [first, ...more] = others.map((name) => shownName(name));
  if (first === undefined) return [];
  if (more.length === 0) return [vscode.l10n.t('{0} is here', first)];
  return [vscode.l10n.t('{0} and {1} more are here', first, more.length)];
}

interface Shared {
  readonly userId: string;
  readonly isReadOnly: boolean;
  sharing(chatId: string): Promise<ChatSharing>;
  others(chatId: string): Promise<readonly Pick<Present, 'userId' | 'branch'>[]>;
  authorsOf(chatId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

async function withAuthors(
  shared: Shared,
  chatId: string,
  messages: readonly MessageView[],
): Promise<MessageView[]> {
  const asked = messages.filter(({ role }) => role === 'user');
  if (asked.length === 0) return [...messages];
  const authors = await shared.authorsOf(
    chatId,
    asked.map(({ id }) => id),
  );
  return messages.map((message) => {
    const author = message.role === 'user' ? authors.get(message.id) : undefined;
    return author === undefined || author === shared.userId ? message : { ...message, author };
  });
}

type ReadOnlyPart = Pick<ConversationView, 'readOnlyReason'> & Partial<Pick<ConversationView, 'isReadOnly'>>;

type SharedPart = Pick<ConversationView, 'shared'> & ReadOnlyPart;

/** Shown before the user types. */
function readOnlyPart({ isReadOnly }: Pick<Shared, 'isReadOnly'>): ReadOnlyPart {
  if (!isReadOnly) return {};
  return { isReadOnly: true, readOnlyReason: vscode.l10n.t('Read-only copy of the shared store') };
}

async function sharedPart(
  shared: Shared,
  { id, userId: owner }: ChatData,
  branch: string,
): Promise<SharedPart> {
  const { access, canWrite } = await shared.sharing(id);
  const others = await shared.others(id);
  const here = new Set(others.filter((other) => other.branch === branch).map(({ userId }) => userId));
  const isOwn = owner === shared.userId;
  const view = {
    ...(isOwn ? {} : { owner }),
    access,
    // There is space for a few: those on the same branch come first.
    others: [...new Set([...here, ...others.map(({ userId }) => userId)])].map((name) => ({
      name,
      isOnBranch: here.has(name),
    })),
  };
  const isOfNobodyElse = isOwn && access === 'private' && others.length === 0;
  return {
    ...(isOfNobodyElse ? {} : { shared: view }),
    ...(canWrite || shared.isReadOnly
      ? {}
      : {
          isReadOnly: true,
          readOnlyReason: vscode.l10n.t('{0} shares this chat to read. Copy it to go on by yourself.', owner),
        }),
  };
}
