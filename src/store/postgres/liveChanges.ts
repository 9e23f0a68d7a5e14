import type { Place } from './connectionOptions.ts';
import type { Client } from 'pg';
import type { StoreChange } from '../../engine/graph.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Connections } from './connections.ts';

/** How often the server is told that this client is alive, and how long it may take to answer, in milliseconds. */
const BEAT_MS = 4_000;
const ANSWER_MS = 6_000;
/** How often a server is polled that cannot send notifications, as a replica cannot. */
const POLL_MS = 700;

/** How long notifications are gathered, in milliseconds; this store's own changes are usually known by then. */
const GATHER_MS = 10;

interface KnownChat {
  id: string;
  sequence: number;
}

/** A draft, or an answer under an id of its own, as it was seen last. */
interface SeenDraft {
  readonly branch: string;
  readonly answerId?: string;
  readonly version: string;
}

interface Notice {
  /** The number of notifications, one for each change, and how many of those were this store's own. */
  times: number;
  own: number;
  lastOwn: number;
}

/** The server names the chat, and its changes are read by number: none is missed, even if the connection is lost. */
export class LiveChanges implements Disposable {
  private readonly heard = new Emitter<StoreChange>();
  readonly onDidHear = this.heard.event;
  private readonly moved = new Emitter<string>();
  /** Fires with a chat in which a user came, left or moved. */
  readonly onDidChangePresence = this.moved.event;
  private readonly chats = new Map<number, KnownChat>();
  private readonly drafts = new Map<number, ReadonlyMap<string, SeenDraft>>();
  private readonly told = new Map<number, Notice>();
  private client: Client | undefined;
  private beating: ReturnType<typeof setInterval> | undefined;
  private starting: Promise<void> | undefined;
  private isDisposed = false;
  private place: Place | undefined;
  private work: Promise<void> = Promise.resolve();
  private readonly stateListener: Disposable;

  /**
   * @param clientId identifies this store to the server
   * @param isOwn whether this store made a change, which it has announced itself
   */
  constructor(
    private readonly connections: Connections,
    private readonly clientId: string,
    private readonly userId: () => string | null,
    private readonly isOwn: (request: string) => boolean,
  ) {
    this.stateListener = connections.onDidChangeState(({ kind }) => {
      if (kind === 'lost') this.drop();
      if (kind === 'connected' && this.starting) this.restart();
    });
  }

  /** Starts listening; resolves when no further change can be missed. */
  start(): Promise<void> {
    this.starting ??= this.connect().catch((error: unknown) => {
      this.drop();
      // What was ended here says nothing of the server.
      if (!this.isDisposed) this.connections.lose(error);
    });
    return this.starting;
  }

  /** Reports the user's position to others in the same chat; undefined: nowhere. */
  async setPlace(place: Place | undefined): Promise<void> {
    this.place = place;
    await this.start();
    await this.beat();
  }

  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.stateListener.dispose();
    this.drop();
    this.heard.dispose();
    this.moved.dispose();
  }

  private restart(): void {
    this.starting = undefined;
    void this.start();
  }

  private async connect(): Promise<void> {
    const hello = await this.connections.open();
    const client = await this.connections.connectApart();
    if (this.isDisposed) return void client.end().catch(() => undefined);
    this.client = client;
    client.on('end', () => {
      if (this.client !== client) return;
      this.drop();
      this.connections.lose(new Error('The connection that listens ended.'));
    });
    if (hello.isReadOnly) {
      this.beating = setInterval(() => this.enqueue(() => this.catchUp()), POLL_MS);
    } else {
      client.on('notification', ({ channel, payload }) => this.take(channel, Number(payload)));
      for (const channel of ['offshoot', 'offshoot_draft', 'offshoot_presence'])
        await client.query(`LISTEN ${channel}`);
      await this.beat();
      if (this.client !== client) return;
      this.beating = setInterval(() => void this.beat(), BEAT_MS);
    }
    await this.catchUp();
  }

  private drop(): void {
    clearInterval(this.beating);
    this.beating = undefined;
    const client = this.client;
    this.client = undefined;
    if (client) {
      const left = this.isDisposed
        ? client.query('SELECT offshoot.leave($1)', [this.clientId]).catch(() => undefined)
        : undefined;
      // It may never answer.
      void Promise.race([
        Promise.resolve(left),
        new Promise((resolve) => setTimeout(resolve, 500).unref()),
      ]).then(() => client.end().catch(() => undefined));
    }
  }

  /** Detects a connection that has silently died. */
  private async beat(): Promise<void> {
    const client = this.client;
    // A replica does not accept positions.
    if (!client || this.connections.hello?.isReadOnly === true) return;
    const timer = setTimeout(() => {
      if (this.client !== client) return;
      this.drop();
      this.connections.lose(new Error('The server does not answer any more.'));
    }, ANSWER_MS);
    try {
      const values = [this.clientId, this.userId(), this.place?.chatId ?? null, this.place?.branch ?? null];
      await client.query('SELECT offshoot.beat($1, $2, $3, $4)', values);
    } catch (error) {
      if (this.client === client) {
        this.drop();
        this.connections.lose(error);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  private take(channel: string, chat: number): void {
    if (!Number.isSafeInteger(chat)) return;
    if (channel === 'offshoot') this.tellOf(chat);
    if (channel === 'offshoot_draft') this.enqueue(() => this.readDrafts(chat));
    if (channel === 'offshoot_presence') {
      this.enqueue(async () => {
        const id = await this.idOf(chat);
        if (id !== undefined) this.moved.fire(id);
      });
    }
  }

  noteOwn(chat: number, sequence: number): void {
    if (!this.client) return;
    const told = this.noticeOf(chat);
    told.own += 1;
    told.lastOwn = Math.max(told.lastOwn, sequence);
  }

  private tellOf(chat: number): void {
    const told = this.noticeOf(chat);
    told.times += 1;
    if (told.times > 1 + told.own) return;
    setTimeout(() => this.enqueue(() => this.readUnlessOwn(chat)), GATHER_MS);
  }

  private noticeOf(chat: number): Notice {
    const told = this.told.get(chat) ?? { times: 0, own: 0, lastOwn: 0 };
    this.told.set(chat, told);
    return told;
  }

  private async readUnlessOwn(chat: number): Promise<void> {
    const told = this.told.get(chat);
    if (!told || this.isDisposed) return;
    this.told.delete(chat);
    const known = this.chats.get(chat);
    // Nobody else has changed anything.
    if (known && told.times === told.own && told.lastOwn === known.sequence + told.own) {
      known.sequence = told.lastOwn;
      return;
    }
    await this.readChanges(chat);
  }

  private enqueue(task: () => Promise<void>): void {
    // After a failure, the changes are read when the connection is back.
    this.work = this.work.then(task).catch(() => undefined);
  }

  /** Reads missed changes. The first time there are none: it records the current state of each chat. */
  private async catchUp(): Promise<void> {
    const isFirst = this.chats.size === 0;
    const sql = 'SELECT * FROM offshoot.last_changes()';
    const { rows } = await this.connections.query<{ chat: number; chat_id: string; sequence: number }>(sql);
    for (const { chat, chat_id: id, sequence } of rows) {
      const known = this.chats.get(chat);
      if (isFirst) this.chats.set(chat, { id, sequence });
      else if (known?.sequence !== sequence) this.enqueue(() => this.readChanges(chat));
    }
    const there = new Set(rows.map(({ chat }) => chat));
    for (const chat of this.chats.keys()) if (!there.has(chat)) this.enqueue(() => this.readChanges(chat));
  }

  private async readChanges(chat: number): Promise<void> {
    const known = this.chats.get(chat);
    const after = known?.sequence ?? 0;
    const sql = 'SELECT * FROM offshoot.changes_since($1, $2)';
    interface Row {
      chat_id: string;
      sequence: number;
      request: string | null;
      changes: readonly StoreChange[];
    }
    const { rows } = await this.connections.query<Row>(sql, [chat, after]);
    const [first] = rows;
    if (!first) {
      if (known && (await this.readId(chat)) === undefined) this.forget(chat, known.id);
      return;
    }
    this.chats.set(chat, { id: first.chat_id, sequence: rows.at(-1)?.sequence ?? after });
    if (first.sequence > after + 1) {
      // The chat was not accessible before, or too much has changed since.
      this.heard.fire({ kind: 'chat', chatId: first.chat_id, change: known ? 'updated' : 'created' });
      return;
    }
    for (const { request, changes } of rows) {
      if (request !== null && this.isOwn(request)) continue;
      for (const change of changes) this.heard.fire(change);
    }
  }

  /** This user may no longer read the chat. */
  private forget(chat: number, chatId: string): void {
    this.chats.delete(chat);
    this.heard.fire({ kind: 'chat', chatId, change: 'deleted' });
  }

  private async readDrafts(chat: number): Promise<void> {
    const chatId = await this.idOf(chat);
    if (chatId === undefined) return;
    const now = new Map([...(await this.draftsOfOthers(chatId)), ...(await this.answers(chatId))]);
    const before = this.drafts.get(chat) ?? new Map<string, SeenDraft>();
    this.drafts.set(chat, now);
    const fire = ({ branch, answerId }: SeenDraft, change: 'saved' | 'removed'): void => {
      const which = answerId === undefined ? {} : { answerId };
      this.heard.fire({ kind: 'draft', chatId, branch, change, ...which });
    };
    for (const [key, seen] of now) if (before.get(key)?.version !== seen.version) fire(seen, 'saved');
    for (const [key, seen] of before) if (!now.has(key)) fire(seen, 'removed');
  }

  private async draftsOfOthers(chatId: string): Promise<[string, SeenDraft][]> {
    interface Row {
      branch: string;
      user_id: string;
      updated_at: number;
    }
    const sql = 'SELECT branch, user_id, updated_at FROM offshoot.list_drafts($1, NULL, $2)';
    const { rows } = await this.connections.query<Row>(sql, [chatId, this.clientId]);
    return rows.map((row) => [
      JSON.stringify([row.branch, row.user_id]),
      { branch: row.branch, version: String(row.updated_at) },
    ]);
  }

  /** Its own included: others cancel them. */
  private async answers(chatId: string): Promise<[string, SeenDraft][]> {
    interface Row {
      id: string;
      branch: string;
      version: string;
    }
    const sql = 'SELECT id, branch, version FROM offshoot.answer_versions($1)';
    const { rows } = await this.connections.query<Row>(sql, [chatId]);
    return rows.map(({ id, branch, version }) => [
      JSON.stringify([null, id]),
      { branch, answerId: id, version },
    ]);
  }

  private async idOf(chat: number): Promise<string | undefined> {
    return this.chats.get(chat)?.id ?? (await this.readId(chat));
  }

  private async readId(chat: number): Promise<string | undefined> {
    const { rows } = await this.connections.query<{ id: string | null }>(
      'SELECT offshoot.chat_id_of($1) AS id',
      [chat],
    );
    return rows[0]?.id ?? undefined;
  }
}
