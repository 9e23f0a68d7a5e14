import type { StoreChange } from '../engine/graph.ts';
import { checkedId } from '../engine/storable.ts';
import type { Draft, NewDraft } from '../engine/store.ts';
import type { ViewedBy } from '../engine/viewedBy.ts';
import type { Disposable, Event } from '../kit/disposable.ts';
import { connectionConfig } from './connectionConfig.ts';
import type { ConnectionOptions } from './connectionOptions.ts';
import { Connections } from './connections.ts';
import type { ConnectionState, Hello } from './connectionState.ts';
import { Drafts } from './postgresDrafts.ts';
import { translated } from './serverErrors.ts';
import { LiveChanges } from './liveChanges.ts';
import type { Place } from './place.ts';
import { ServerAccess } from './serverAccess.ts';
import type { StoreAccess } from './storeAccess.ts';
import { Writer } from './storeWriter.ts';

/** How a store reaches its database. */
export interface SharedStoreOptions extends ConnectionOptions {
  /** How many connections its calls use at most; one more listens. Default 4. */
  readonly maxConnections?: number;
  /** Whether tables are made and brought up to date, where the role may; default yes. */
  readonly migrate?: boolean;
  /** For a role that acts for others: whom presence shows; default: the role. */
  readonly userId?: string;
}

/** Who may do what with a chat. */
export type ChatAccess = 'private' | 'read' | 'write';

/** How a chat is shared. */
export interface ChatSharing {
  readonly access: ChatAccess;
  readonly owner: string;
  /** Whether whoever asks may write to it. */
  readonly canWrite: boolean;
}

/** Somebody who is in a chat. */
export interface Present {
  readonly userId: string;
  readonly branch: string | undefined;
  /** Which of their windows. */
  readonly client: string;
  /** It is this store itself. */
  readonly isSelf: boolean;
}

/** What a store in a database has that one on a disk has not: a connection, and others. */
export abstract class SharedStore {
  /** By which the server tells this store from others of the same user. */
  readonly clientId = crypto.randomUUID();
  protected readonly access: StoreAccess;
  private readonly drafts: Drafts;
  private readonly connections: Connections;
  private readonly live: LiveChanges;
  private readonly listening = new Set<Disposable>();
  private isClosed = false;

  /** @throws ConnectionStringError, PlainConnectionError */
  constructor(options: SharedStoreOptions) {
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

  /** Whoever is connected writes. */
  readonly isWriter: boolean = true;

  /** How the store stands to its server. */
  get connection(): ConnectionState {
    return this.connections.state;
  }

  /** Tells when the connection is lost, and when it is back. */
  get onDidChangeConnection(): Event<ConnectionState> {
    return this.owned(this.connections.onDidChangeState);
  }

  /** Tells of a chat in which somebody came, went or moved to another branch. */
  get onDidChangePresence(): Event<string> {
    return this.owned(this.live.onDidChangePresence, true);
  }

  protected readonly onDidChangeAnything: Event<StoreChange> = (listener) =>
    this.owned(this.access.changed.event, true)(listener);

  /** Connects, signs in, and brings the tables up to date; the first call does so, too. @throws what is wrong */
  async open(): Promise<Hello> {
    try {
      return await this.connections.open();
    } catch (error) {
      throw translated(error);
    }
  }

  /** Tries at once to reach a server that is away, which is else tried by itself. */
  reconnect(): Promise<void> {
    return this.connections.tryNow();
  }

  /** Resolves once nothing that others do is missed any more. */
  async listen(): Promise<void> {
    await this.open();
    await this.live.start();
  }

  /** Shares a chat with everybody in the store, or keeps it to its owner again. @throws NotAllowedError */
  async shareChat(chatId: string, access: ChatAccess): Promise<void> {
    await this.access.write('shareChat', { chatId, access });
  }

  /** @throws ChatNotFoundError */
  async getSharing(chatId: string): Promise<ChatSharing> {
    const sharing = await this.access.value<ChatSharing>('get_sharing($1)', [chatId]);
    return sharing ?? { access: 'private', owner: '', canWrite: false };
  }

  /** Says where the user is, to those who are in the same chat; undefined: nowhere. */
  async setPlace(place: Place | undefined): Promise<void> {
    await this.open();
    await this.live.setPlace(place);
  }

  /** Who is in a chat, and on which branch. @throws ChatNotFoundError */
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

  /** What has arrived of answers that others, or other windows, are being given in a chat. */
  listOthersDrafts(chatId: string): Promise<Draft[]> {
    return this.drafts.ofOthers(chatId);
  }

  async saveDraft(draft: NewDraft): Promise<void> {
    await this.drafts.save(draft);
  }

  async listDrafts(chatId?: string, by: ViewedBy = {}): Promise<Draft[]> {
    return this.drafts.list(chatId, viewer(by));
  }

  async deleteDraft(chatId: string, branch: string, by: ViewedBy = {}): Promise<void> {
    await this.access.write('deleteDraft', { ...viewer(by), chatId, branch });
  }

  /** Who wrote these messages, by their ids. */
  async getAuthors(chatId: string, messageIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    interface Row {
      id: string;
      author: string;
    }
    const rows = await this.access.rows<Row>('get_parents($1, $2)', [chatId, [...messageIds]]);
    return new Map(rows.map(({ id, author }) => [id, author]));
  }

  /** How much room each table takes with its indexes, the largest first. */
  async tableSizes(): Promise<{ readonly name: string; readonly bytes: number; readonly rows: number }[]> {
    return this.access.rows('table_sizes()');
  }

  /** Lets pending writes finish and frees everything; a second call does nothing. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const each of [...this.listening]) each.dispose();
    this.live.dispose();
    await this.connections.close();
    this.access.changed.dispose();
  }

  /** An event whose listeners go when the store is closed. */
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
      if (needsLive && !this.isClosed) void this.listen().catch(() => undefined);
      return own;
    };
  }
}

/** As whom something is done. @throws InvalidNameError */
export function viewer({ userId }: ViewedBy): ViewedBy {
  return userId === undefined ? {} : { userId: checkedId(userId, 'user id') };
}
