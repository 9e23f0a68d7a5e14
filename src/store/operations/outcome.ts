import type { StoreChange } from '../../engine/graph.ts';

/** The result of a transaction, and the changes to announce once it is durable. */
export interface Outcome<T> {
  readonly result: T;
  readonly changes: readonly StoreChange[];
}

export function changed<T>(result: T, change: StoreChange): Outcome<T> {
  return { result, changes: [change] };
}

/** Nothing that a view shows has changed. */
export function quiet<T>(result: T): Outcome<T> {
  return { result, changes: [] };
}
