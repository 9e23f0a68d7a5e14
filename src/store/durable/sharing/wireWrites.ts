import {
  writes,
  type WriteArguments,
  type WriteName,
  type WriteResults,
} from '../../../storing/storeWrites.ts';

// The arguments and results of writes as JSON. Data from the other process is validated before it is used.

/** @returns the JSON of a write's arguments */
export function packGiven<N extends WriteName>(_write: N, value: WriteArguments[N]): string {
  return JSON.stringify(value, (_key, member: unknown) => (member instanceof Map ? [...member] : member));
}

/** @throws ZodError */
export function unpackGiven<N extends WriteName>(write: N, value: unknown): WriteArguments[N] {
  return writes[write].given.parse(value);
}

/** @returns the JSON of a write's result */
export function packResult<N extends WriteName>(write: N, result: WriteResults[N]): string {
  return JSON.stringify(writes[write].result.sent(result));
}

/** @throws ZodError */
export function unpackResult<N extends WriteName>(
  write: N,
  value: unknown,
  asked: WriteArguments[N],
): WriteResults[N] {
  return writes[write].result.received(value, asked);
}
