import type { ConnectionState, Hello } from './connectionOptions.ts';
import type { Client, ClientConfig, Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { ClosedError } from '../../engine/errors.ts';
import type { Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { loadClient } from './connectionConfig.ts';
import { isConnectionLost, translated } from './serverErrors.ts';
import { setUp } from './setUp.ts';
import { ConnectionLostError } from './storeErrors.ts';

/** How long a call may take before the server is asked whether it is still running, in milliseconds. */
const DOUBT_MS = 6_000;
const PROBE_MS = 4_000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 20_000;

/** The connections of one store for its calls, reconnected after the server was gone. */
export class Connections {
  private readonly changed = new Emitter<ConnectionState>();
  readonly onDidChangeState: Event<ConnectionState> = this.changed.event;
  private current: ConnectionState = { kind: 'unopened' };
  private pool: Pool | undefined;
  private readonly clients = new Set<PoolClient>();
  private opening: Promise<Hello> | undefined;
  private said: Hello | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private trying: Promise<void> | undefined;
  /** The calls that have begun and have not settled. */
  private readonly begun = new Set<Promise<unknown>>();
  /** Of each call that waits for a connection: what ends its waiting with an error. */
  private readonly waiting = new Set<(error: Error) => void>();
  private closing: Promise<void> | undefined;

  constructor(
    private readonly config: ClientConfig,
    private readonly maxConnections: number,
    private readonly mayMigrate: boolean,
  ) {}

  get state(): ConnectionState {
    return this.current;
  }

  get hello(): Hello | undefined {
    return this.said;
  }

  /** The server's information from the first connection, which this call makes if necessary. */
  open(): Promise<Hello> {
    if (this.current.kind === 'closed') return Promise.reject(new ClosedError('store'));
    if (this.current.kind === 'lost')
      return Promise.reject(new ConnectionLostError({ cause: this.current.error }));
    this.opening ??= this.connect().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  /** Prepared once for each connection. @throws ConnectionLostError at once while the server cannot be reached */
  async query<R extends object>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<Pick<QueryResult<R & QueryResultRow>, 'rows'>> {
    const call = this.run<R>(sql, values);
    this.begun.add(call);
    try {
      return await call;
    } finally {
      this.begun.delete(call);
    }
  }

  private async run<R extends object>(
    sql: string,
    values: readonly unknown[],
  ): Promise<Pick<QueryResult<R & QueryResultRow>, 'rows'>> {
    await this.open();
    const pool = this.pool;
    // It was lost a moment ago.
    if (!pool) throw new ConnectionLostError();
    let client: PoolClient | undefined;
    try {
      client = await this.borrow(pool);
      return await this.watched(
        client,
        client.query<R & QueryResultRow>({ name: nameOf(sql), text: sql, values: [...values] }),
      );
    } catch (error) {
      if (isConnectionLost(error)) {
        client?.release(true);
        client = undefined;
        await this.doubt(error);
      }
      throw error;
    } finally {
      client?.release();
    }
  }

  async connectApart(): Promise<Client> {
    const pg = await loadClient();
    const client = new pg.Client(this.config);
    // A lost connection is noticed by the next query.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  lose(error: unknown): void {
    if (this.current.kind === 'closed' || this.current.kind === 'lost') return;
    this.dropPool(error);
    this.opening = undefined;
    this.wait(error, Date.now(), FIRST_RETRY_MS);
  }

  /** Tries at once instead of later; resolves when it is connected, or waits again. */
  async tryNow(): Promise<void> {
    if (this.current.kind === 'lost') await this.tryAgain(this.current.since, FIRST_RETRY_MS);
  }

  /** No call begins any more, and each that has begun settles before the connections end. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.set({ kind: 'closed' });
    clearTimeout(this.retry);
    while (this.begun.size > 0) await Promise.allSettled(this.begun);
    // It may be connecting again without a call.
    await this.opening?.catch(() => undefined);
    const pool = this.pool;
    this.pool = undefined;
    await pool?.end().catch(() => undefined);
    this.changed.dispose();
  }

  private async connect(): Promise<Hello> {
    try {
      const pg = await loadClient();
      const pool = new pg.Pool({ ...this.config, max: this.maxConnections, idleTimeoutMillis: 30_000 });
      pool.on('error', () => undefined);
      pool.on('connect', (client) => {
        this.clients.add(client);
        // A connection lost during use is noticed by the query on it.
        client.on('error', () => undefined);
      });
      pool.on('remove', (client) => void this.clients.delete(client));
      this.pool = pool;
      this.said = await this.greet(pool);
      if (this.current.kind !== 'closed') this.set({ kind: 'connected' });
      return this.said;
    } catch (error) {
      this.dropPool(error);
      if (isConnectionLost(error)) this.lose(error);
      throw translated(error);
    }
  }

  private async greet(pool: Pool): Promise<Hello> {
    const client = await pool.connect();
    try {
      if (this.mayMigrate) await setUp(client);
      const { rows } = await client.query<{ hello: Hello }>('SELECT offshoot.hello() AS hello');
      const hello = rows[0]?.hello;
      if (!hello) throw new Error('The server did not say who it is.');
      return hello;
    } finally {
      client.release();
    }
  }

  /** A connection of the pool. A pool that ends forgets the calls that wait for one: these are told here. */
  private borrow(pool: Pool): Promise<PoolClient> {
    return new Promise((resolve, reject) => {
      let hasGivenUp = false;
      const giveUp = (error: Error): void => {
        hasGivenUp = true;
        reject(error);
      };
      this.waiting.add(giveUp);
      void pool
        .connect()
        .then((client) => {
          if (hasGivenUp) client.release(true);
          else resolve(client);
        }, reject)
        .finally(() => this.waiting.delete(giveUp));
    });
  }

  /** A slow call may be running, or its connection may have silently died. */
  private async watched<T>(client: PoolClient, query: Promise<T>): Promise<T> {
    let isDone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = async (): Promise<void> => {
      const isAtWork = await this.isAtWork(client);
      // By now another call may have the connection.
      if (isDone) return;
      if (isAtWork) timer = setTimeout(() => void check(), DOUBT_MS);
      // Rejects the pending queries.
      else await client.end().catch(() => undefined);
    };
    timer = setTimeout(() => void check(), DOUBT_MS);
    try {
      return await query;
    } finally {
      isDone = true;
      clearTimeout(timer);
    }
  }

  /** Asks the server, on another connection, whether this one is active. */
  private async isAtWork(client: PoolClient): Promise<boolean> {
    const { processID } = client as PoolClient & { readonly processID?: number };
    try {
      const { rows } = await this.probe<{ state: string }>(
        'SELECT state FROM pg_stat_activity WHERE pid = $1',
        [processID],
      );
      return rows[0]?.state === 'active';
    } catch (error) {
      // Another connection gets no answer either.
      this.lose(error);
      return false;
    }
  }

  private async probe<R extends QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<R>> {
    const pg = await loadClient();
    const client = new pg.Client({
      ...this.config,
      connectionTimeoutMillis: PROBE_MS,
      query_timeout: PROBE_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.query<R>(sql, [...values]);
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** One connection may be lost alone: checks whether the server is gone. */
  private async doubt(error: unknown): Promise<void> {
    if (this.current.kind !== 'connected') return;
    try {
      await this.probe('SELECT 1');
    } catch {
      this.lose(error);
    }
  }

  private wait(error: unknown, since: number, delay: number): void {
    // Randomized, so that not all clients reconnect at once when a server comes back.
    const wait = delay * (0.75 + Math.random() / 2);
    this.set({ kind: 'lost', since, nextTryAt: Date.now() + wait, error });
    this.retry = setTimeout(() => void this.tryAgain(since, delay), wait);
  }

  private tryAgain(since: number, delay: number): Promise<void> {
    clearTimeout(this.retry);
    this.trying ??= this.reconnect(since, delay).finally(() => (this.trying = undefined));
    return this.trying;
  }

  private async reconnect(since: number, delay: number): Promise<void> {
    try {
      await this.probe('SELECT 1');
      if (this.state.kind !== 'lost') return;
      this.opening = this.connect();
      await this.opening;
    } catch (error) {
      if (this.state.kind === 'closed') return;
      this.opening = undefined;
      clearTimeout(this.retry);
      this.wait(error, since, Math.min(LAST_RETRY_MS, delay * 2));
    }
  }

  private dropPool(cause: unknown): void {
    const pool = this.pool;
    this.pool = undefined;
    for (const giveUp of this.waiting) giveUp(new ConnectionLostError({ cause }));
    this.waiting.clear();
    // Pending queries on them get an error.
    for (const client of this.clients) void client.end().catch(() => undefined);
    this.clients.clear();
    void pool?.end().catch(() => undefined);
  }

  private set(state: ConnectionState): void {
    this.current = state;
    this.changed.fire(state);
  }
}

const names = new Map<string, string>();

/** A short name for each statement; there are few. */
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = `offshoot_${names.size}`;
  names.set(sql, name);
  return name;
}
