import type { ServerWrite, StoreAccess } from './storeAccess.ts';
import type { StoreChange } from '../../engine/graph.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Connections } from './connections.ts';
import { translated, isConnectionLost, isRepeated, isSerializationFailure } from './serverErrors.ts';
import { SaveTooLargeError } from '../../engine/errors.ts';
import { MAX_SAVE_LENGTH } from '../../engine/limits.ts';

export class ServerAccess implements StoreAccess {
  readonly changed = new Emitter<StoreChange>();

  constructor(
    private readonly connections: Connections,
    private readonly writer: Writer,
    private readonly noteOwn: (chat: number, sequence: number) => void,
  ) {}

  async rows<R extends object>(call: string, values: readonly unknown[] = []): Promise<R[]> {
    try {
      const { rows } = await this.connections.query<R>(`SELECT * FROM offshoot.${call}`, values);
      return rows;
    } catch (error) {
      throw translated(error);
    }
  }

  async value<T>(call: string, values: readonly unknown[] = []): Promise<T | undefined> {
    try {
      const { rows } = await this.connections.query<{ value: T | null }>(
        `SELECT offshoot.${call} AS value`,
        values,
      );
      return rows[0]?.value ?? undefined;
    } catch (error) {
      throw translated(error);
    }
  }

  async write<T>(name: ServerWrite, args: object): Promise<T> {
    const { result, changes, chat, sequence } = await this.writer.write<T>(name, args);
    if (chat !== undefined && sequence !== undefined && changes.length > 0) this.noteOwn(chat, sequence);
    for (const change of changes) this.changed.fire(change);
    return result;
  }
}

interface Written<T> {
  readonly result: T;
  readonly changes: readonly StoreChange[];
  /** The number of the chat, and of the change in it; left out if nothing changed. */
  readonly chat?: number;
  readonly sequence?: number;
}

/** How often a write is tried that conflicts with others. */
const MAX_CONFLICTS = 10;
/** How often a write is repeated after its answer was lost, and how long it waits for the server, in milliseconds. */
const MAX_LOSSES = 3;
const WAIT_MS = 5_000;

const perform = 'SELECT offshoot.perform($1, $2, $3, $4) AS reply';

/**
 * Writes, each as one call in a separate transaction. A write has an id, which the server stores with its answer: if
 * the answer was lost with the connection, the write is requested again, and is not done twice.
 */
export class Writer {
  /** The ids of pending and recent writes. */
  private readonly own = new Set<string>();

  constructor(private readonly connections: Connections) {}

  isOwn(request: string): boolean {
    return this.own.has(request);
  }

  /** @throws ConnectionLostError when it is unknown whether it was done, and the server stays away */
  async write<T>(name: ServerWrite, args: object): Promise<Written<T>> {
    const request = crypto.randomUUID();
    const text = JSON.stringify(args);
    if (text.length > MAX_SAVE_LENGTH) throw new SaveTooLargeError();
    this.remember(request);
    let isRepeat = false;
    let losses = 0;
    for (let tries = 1; ; tries++) {
      try {
        const { rows } = await this.connections.query<{ reply: string }>(perform, [
          request,
          isRepeat,
          name,
          text,
        ]);
        return JSON.parse(rows[0]?.reply ?? 'null') as Written<T>;
      } catch (error) {
        if (isRepeated(error) && tries < MAX_CONFLICTS) {
          isRepeat = true;
        } else if (isSerializationFailure(error) && tries < MAX_CONFLICTS) {
          await pause(Math.random() * 10 * 2 ** Math.min(tries, 6));
        } else if (
          isConnectionLost(error) &&
          this.wasSent(error) &&
          losses < MAX_LOSSES &&
          (await this.isBack())
        ) {
          losses += 1;
          isRepeat = true;
        } else {
          // If it was done anyway, it is announced like a change of others.
          this.own.delete(request);
          throw translated(error);
        }
      }
    }
  }

  /** A call refused because the server was already gone was never sent. */
  private wasSent(error: unknown): boolean {
    return !(error instanceof Error && error.name === 'ConnectionLostError');
  }

  /** Whether the server can be reached, or comes back in a moment. */
  private isBack(): Promise<boolean> {
    if (this.connections.state.kind !== 'lost')
      return Promise.resolve(this.connections.state.kind === 'connected');
    return new Promise((resolve) => {
      const end = (isConnected: boolean): void => {
        clearTimeout(timer);
        listening.dispose();
        resolve(isConnected);
      };
      const timer = setTimeout(() => end(false), WAIT_MS);
      const listening = this.connections.onDidChangeState(({ kind }) => {
        if (kind !== 'lost') end(kind === 'connected');
      });
    });
  }

  private remember(request: string): void {
    this.own.add(request);
    if (this.own.size <= 5_000) return;
    const [oldest] = this.own;
    if (oldest !== undefined) this.own.delete(oldest);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
