import type { StoreChange } from '../engine/graph.ts';
import { Emitter } from '../kit/emitter.ts';
import type { Connections } from './connections.ts';
import { translated } from './serverErrors.ts';
import type { StoreAccess } from './storeAccess.ts';
import type { Writer } from './storeWriter.ts';

/** Reads and writes through the connections of a store. */
export class ServerAccess implements StoreAccess {
  readonly changed = new Emitter<StoreChange>();

  constructor(
    private readonly connections: Connections,
    private readonly writer: Writer,
    private readonly noteOwn: (chat: number, sequence: number) => void,
  ) {}

  /** The rows of a function of the store. */
  async rows<R extends object>(call: string, values: readonly unknown[] = []): Promise<R[]> {
    try {
      const { rows } = await this.connections.query<R>(`SELECT * FROM offshoot.${call}`, values);
      return rows;
    } catch (error) {
      throw translated(error);
    }
  }

  /** The result of a function that returns one value. */
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

  /** One transaction; its changes are announced once it is durable. */
  async write<T>(name: string, args: object): Promise<T> {
    const { result, changes, chat, sequence } = await this.writer.write<T>(name, args);
    if (chat !== undefined && sequence !== undefined && changes.length > 0) this.noteOwn(chat, sequence);
    for (const change of changes) this.changed.fire(change);
    return result;
  }
}
