import type { StoreChange } from '../../engine/graph.ts';
import { checkedId, storable } from '../../engine/storable.ts';
import type { ContextStore, Draft, NewDraft } from '../../engine/store.ts';
import type { ViewedBy } from '../../engine/users.ts';
import type { Disposable, Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ConnectionOptions, ConnectionState, Hello, Place } from './connectionOptions.ts';
import { connectionConfig } from './connectionConfig.ts';
import { Connections } from './connections.ts';
import { translated } from './serverErrors.ts';
import { LiveChanges } from './liveChanges.ts';
import { ServerAccess, Writer } from './serverAccess.ts';
import type { StoreAccess } from './storeAccess.ts';
import { DamagedDataError } from '../../engine/errors.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { messageJson } from '../common/messageContent.ts';
import { WritingStore } from '../common/writingStore.ts';
import { parsed } from './wire.ts';

/** How a store connects to its database. */
export interface SharedStoreOptions extends ConnectionOptions {
  /** The maximum number of connections for calls; one more listens. Default 4. */
  readonly maxConnections?: number;
  /** Whether tables are made and migrated, if the role may do so; default yes. */
  readonly migrate?: boolean;
  /** For a role that acts for others: the user shown as present; default: the role. */
  readonly userId?: string;
}

/** Others' access to a chat. */
export type ChatAccess = 'private' | 'read' | 'write';

/** How a chat is shared. */
export interface ChatSharing {
  readonly access: ChatAccess;
  readonly owner: string;
  /** Whether the caller may write to it. */
  readonly canWrite: boolean;
}

/** A user who is in a chat. */
export interface Present {
  readonly userId: string;
  readonly branch: string | undefined;
  /** Identifies the window of that user. */
  readonly client: string;
  /** It is this store itself. */
  readonly isSelf: boolean;
}

/** The features of a shared store in a database: a connection, and other users. */
export abstract class SharedStore extends WritingStore {
  /** Identifies this store to the server among others of the same user. */
  readonly clientId = crypto.randomUUID();
  protected readonly access: StoreAccess;
  private readonly drafts: Drafts;
  private readonly connections: Connections;
  private readonly live: LiveChanges;
  private readonly listening = new Set<Disposable>();
  private readonly closes = new Emitter<undefined>();
  private isEnding = false;
  private closing: Promise<void> | undefined;

  /** Fires once, when `close` is called: calls that its listeners begin at once are the last. */
  readonly onWillClose = this.closes.event;

  /** @throws ConnectionStringError, PlainConnectionError */
  constructor(options: SharedStoreOptions) {
    super();
    const config = connectionConfig(options);
    this.connections = new Connections(config, options.maxConnections ?? 4, options.migrate ?? true);
    const writer = new Writer(this.connections);
    this.access = new ServerAccess(this.connections, writer, (chat, sequence) =>
      this.live.noteOwn(chat, sequence),
    );
    this.drafts = new Drafts(this.access, this.clientId);
    const { userId } = options;
    if (userId !== undefined) checkedId(userId, 'user id');
    this.live = new LiveChanges(
      this.connections,
      this.clientId,
      () => userId ?? null,
      (id) => writer.isOwn(id),
    );
    this.live.onDidHear((change) => this.access.changed.fire(change));
  }

  /** True for a replica; known after the first call. */
  get isReadOnly(): boolean {
    return this.connections.hello?.isReadOnly ?? false;
  }

  /** Every connected client writes. */
  readonly isWriter: boolean = true;

  /** The state of the connection to the server. */
  get connection(): ConnectionState {
    return this.connections.state;
  }

  /** Fires when the connection is lost, and when it is back. */
  get onDidChangeConnection(): Event<ConnectionState> {
    return this.owned(this.connections.onDidChangeState);
  }

  /** Fires with a chat in which a user came, left or moved to another branch. */
  get onDidChangePresence(): Event<string> {
    return this.owned(this.live.onDidChangePresence, true);
  }

  protected readonly onDidChangeAnything: Event<StoreChange> = (listener) =>
    this.owned(this.access.changed.event, true)(listener);

  /** Connects, signs in, and migrates the tables; the first call does so, too. @throws connection and setup errors */
  async open(): Promise<Hello> {
    try {
      return await this.connections.open();
    } catch (error) {
      throw translated(error);
    }
  }

  /** Tries at once to reach a lost server, which is otherwise retried automatically. */
  reconnect(): Promise<void> {
    return this.connections.tryNow();
  }

  /** Resolves once no further change of others can be missed. */
  async listen(): Promise<void> {
    await this.open();
    await this.live.start();
  }

  /** Shares a chat with everybody in the store, or makes it private again. @throws NotAllowedError */
  async shareChat(chatId: string, access: ChatAccess): Promise<void> {
    await this.access.write('shareChat', { chatId, access });
  }

  /** @throws ChatNotFoundError */
  async getSharing(chatId: string): Promise<ChatSharing> {
    const sharing = await this.access.value<ChatSharing>('get_sharing($1)', [chatId]);
    return sharing ?? { access: 'private', owner: '', canWrite: false };
  }

  /** Reports the user's position to others in the same chat; undefined: nowhere. */
  async setPlace(place: Place | undefined): Promise<void> {
    await this.open();
    await this.live.setPlace(place);
  }

  /** The users in a chat, with their branches. @throws ChatNotFoundError */
  async listPresent(chatId: string): Promise<Present[]> {
    interface Row {
      user_id: string;
      branch: string | null;
      client: string;
    }
    const rows = await this.access.rows<Row>('list_presence($1)', [chatId]);
    return rows.map(({ user_id: userId, branch, client }) => ({
      userId,
      branch: branch ?? undefined,
      client,
      isSelf: client === this.clientId,
    }));
  }

  /** The received parts of answers to others, or to other windows, in a chat. */
  listOthersDrafts(chatId: string): Promise<Draft[]> {
    return this.drafts.ofOthers(chatId);
  }

  async saveDraft(draft: NewDraft): Promise<void> {
    await this.drafts.save(draft);
  }

  async listDrafts(chatId?: string, by: ViewedBy = {}): Promise<Draft[]> {
    return this.drafts.list(chatId, viewer(by));
  }

  /** The authors of these messages, by id. */
  async getAuthors(chatId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    interface Row {
      id: string;
      author: string;
    }
    const rows = await this.access.rows<Row>('get_parents($1, $2)', [chatId, [...messageIds]]);
    return new Map(rows.map(({ id, author }) => [id, author]));
  }

  /** The size of each table with its indexes, the largest first. */
  async tableSizes(): Promise<{ readonly name: string; readonly bytes: number; readonly rows: number }[]> {
    return this.access.rows('table_sizes()');
  }

  /**
   * Waits until each call that has begun has its result or an error, and frees all resources. Later calls are refused.
   */
  close(): Promise<void> {
    if (!this.isEnding) {
      this.isEnding = true;
      this.closes.fire(undefined);
      this.closes.dispose();
    }
    this.closing ??= this.releaseAll();
    return this.closing;
  }

  private async releaseAll(): Promise<void> {
    for (const each of [...this.listening]) each.dispose();
    this.live.dispose();
    await this.connections.close();
    this.access.changed.dispose();
  }

  /** An event whose listeners are removed when the store is closed. */
  private owned<T>(event: Event<T>, needsLive = false): Event<T> {
    return (listener) => {
      const inner = event(listener);
      const own: Disposable = {
        dispose: () => {
          this.listening.delete(own);
          inner.dispose();
        },
      };
      this.listening.add(own);
      if (needsLive && !this.closing) void this.listen().catch(() => undefined);
      return own;
    };
  }
}

/** @throws InvalidNameError */
export function viewer({ userId }: ViewedBy): ViewedBy {
  return userId === undefined ? {} : { userId: checkedId(userId, 'user id') };
}

interface DraftRow {
  readonly chat_id: string;
  readonly branch: string;
  readonly user_id: string;
  readonly data: string;
  readonly updated_at: number;
  readonly client: string | null;
  readonly is_alive: boolean;
}

class Drafts {
  constructor(
    private readonly store: StoreAccess,
    private readonly clientId: string,
  ) {}

  async save({ message, ...draft }: NewDraft): Promise<void> {
    const [data] = messageJson({ id: message.id, data: storable(message, 'message'), effects: undefined });
    await this.store.write('saveDraft', { ...draft, data, client: this.clientId });
  }

  async list(chatId: string | undefined, { userId }: ViewedBy): Promise<Draft[]> {
    const rows = await this.store.rows<DraftRow>('list_drafts($1, $2, NULL)', [
      chatId ?? null,
      userId ?? null,
    ]);
    return rows.map((row) => this.draftOf(row));
  }

  async ofOthers(chatId: string): Promise<Draft[]> {
    const rows = await this.store.rows<DraftRow>('list_drafts($1, NULL, $2)', [chatId, this.clientId]);
    return rows.map((row) => this.draftOf(row));
  }

  private draftOf(row: DraftRow): Draft {
    const message = readUIMessage(parsed(row.data));
    if (!message) throw new DamagedDataError('a draft cannot be read');
    return {
      chatId: row.chat_id,
      branch: row.branch,
      userId: row.user_id,
      message,
      updatedAt: row.updated_at,
      isBeingWritten: row.is_alive && row.client !== this.clientId,
    };
  }
}

/** The location of the database, and the limits of its use. */
export interface PostgresStoreOptions extends SharedStoreOptions {
  /** The maximum size of an artifact or a version of a file in the database; default 32 MiB. */
  readonly maxBlobBytes?: number;
  /**
   * Identifies this machine among those of the store: file changes are bound to it, and those of other machines are
   * returned with folders that do not exist here. Left out: folders are stored unchanged.
   */
  readonly machine?: string;
  /** Makes an empty store in memory, for children of engines; default: none can be made. */
  readonly inMemory?: () => Promise<ContextStore>;
}
