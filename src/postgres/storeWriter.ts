import { SaveTooLargeError } from '../engine/errors.ts';
import type { StoreChange } from '../engine/graph.ts';
import { MAX_SAVE_LENGTH } from '../engine/limits.ts';
import type { Connections } from './connections.ts';
import { isConnectionLost, isRepeated, isSerializationFailure, translated } from './serverErrors.ts';

/** What a write gave. */
export interface Written<T> {
  readonly result: T;
  readonly changes: readonly StoreChange[];
  /** The number of the chat, and of the change in it; left out where nothing changed. */
  readonly chat?: number;
  readonly sequence?: number;
}

/** How often a write is tried that others come between. */
const MAX_CONFLICTS = 10;
/** How often one is repeated whose answer was lost, and how long it waits for the server, in milliseconds. */
const MAX_LOSSES = 3;
const WAIT_MS = 5_000;

const perform = 'SELECT offshoot.perform($1, $2, $3, $4) AS reply';

/**
 * Writes, each as one call in a transaction of its own. A write has an id, which the server keeps with its answer: one
 * whose answer was lost with the connection is asked for again, and is not done twice.
 */
export class Writer {
  /** The ids of what is on its way, and of what was done lately. */
  private readonly own = new Set<string>();

  constructor(private readonly connections: Connections) {}

  /** Whether a change was made here, by the id of its write. */
  isOwn(request: string): boolean {
    return this.own.has(request);
  }

  /** @throws ConnectionLostError when it is not known whether it was done, and the server stays away */
  async write<T>(name: string, args: object): Promise<Written<T>> {
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
          // If it was done all the same, it is told as what others do.
          this.own.delete(request);
          throw translated(error);
        }
      }
    }
  }

  /** A call that was refused because the server was gone before it was never sent. */
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
