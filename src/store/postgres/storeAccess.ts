import type { StoreChange } from '../../engine/graph.ts';
import type { Emitter } from '../../base/emitter.ts';
import type { WriteName } from '../common/storeWrites.ts';

/** The writes of the server. Only a server has chats of several users, who share them. */
export type ServerWrite = WriteName | 'shareChat';

export interface StoreAccess {
  readonly changed: Emitter<StoreChange>;
  /** The rows of a function of the store. */
  rows<R extends object>(call: string, values?: readonly unknown[]): Promise<R[]>;
  /** The result of a function that returns one value. */
  value<T>(call: string, values?: readonly unknown[]): Promise<T | undefined>;
  /** One transaction; its changes are announced once it is durable. */
  write<T>(name: ServerWrite, args: object): Promise<T>;
}
