import type { z } from 'zod';
import type { WriteArguments, WriteName, WriteResults } from '../common/storeWrites.ts';
import { inputs } from '../common/writeInputs.ts';
import { results, type ResultCodec } from '../common/writeResults.ts';
import type { StorageParts } from '../durable/storageParts.ts';

// The arguments and results of writes as JSON. Data from the other process is validated before it is used. TypeScript
// does not follow the name of a schema from one table into another.

type Table = Pick<StorageParts, 'writes'>;

function inputOf<N extends WriteName>({ writes }: Table, write: N): z.ZodType<WriteArguments[N]> {
  return inputs[writes[write].given] as z.ZodType<WriteArguments[N]>;
}

function resultOf<N extends WriteName>({ writes }: Table, write: N): ResultCodec<WriteResults[N]> {
  return results[writes[write].result] as ResultCodec<WriteResults[N]>;
}

export function packGiven<N extends WriteName>(_write: N, value: WriteArguments[N]): string {
  return JSON.stringify(value, (_key, member: unknown) => (member instanceof Map ? [...member] : member));
}

/** @throws ZodError */
export function unpackGiven<N extends WriteName>(table: Table, write: N, value: unknown): WriteArguments[N] {
  return inputOf(table, write).parse(value);
}

export function packResult<N extends WriteName>(table: Table, write: N, result: WriteResults[N]): string {
  return JSON.stringify(resultOf(table, write).sent(result));
}

/** @throws ZodError */
export function unpackResult<N extends WriteName>(
  table: Table,
  write: N,
  value: unknown,
  asked: WriteArguments[N],
): WriteResults[N] {
  return resultOf(table, write).received(value, asked);
}
