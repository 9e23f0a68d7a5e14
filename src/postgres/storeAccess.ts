import type { StoreChange } from '../engine/graph.ts';
import type { Emitter } from '../kit/emitter.ts';

/** Reads and writes of one store: what its parts share. */
export interface StoreAccess {
  readonly changed: Emitter<StoreChange>;
  /** The rows of a function of the store. */
  rows<R extends object>(call: string, values?: readonly unknown[]): Promise<R[]>;
  /** What a function gives that gives one value. */
  value<T>(call: string, values?: readonly unknown[]): Promise<T | undefined>;
  /** One transaction; its changes are told once it is durable. */
  write<T>(name: string, args: object): Promise<T>;
}
