import type { StoreChange } from '../../engine/graph.ts';

/** What a transaction gives back: its result, and what to tell once it is durable. */
export interface Outcome<T> {
  readonly result: T;
  readonly changes: readonly StoreChange[];
}

export function changed<T>(result: T, change: StoreChange): Outcome<T> {
  return { result, changes: [change] };
}

/** Nothing that a view shows is different. */
export function quiet<T>(result: T): Outcome<T> {
  return { result, changes: [] };
}
