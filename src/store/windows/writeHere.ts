import { findReply, keepLonger, keepReply } from '../sqlite/requests.ts';
import type { WriteArguments, WriteName, WriteResults } from '../common/storeWrites.ts';
import type { DurableDatabase } from '../durable/durableDatabase.ts';
import type { StorageParts } from '../durable/storageParts.ts';
import { packResult, unpackResult } from './wireWrites.ts';
import type { Served } from './writerServer.ts';
import type { StoreChange } from '../../engine/graph.ts';

/** The result of a write before it is announced. */
export type WrittenHere<N extends WriteName> = Omit<Served, 'announced'> & { value(): WriteResults[N] };

export interface WriteHereOptions {
  readonly parts: StorageParts;
  readonly now: () => number;
}

/**
 * @param id of a request that may already have been done
 * @returns undefined when this process is not the writer: nothing was done in that case
 */
export async function writeHere<N extends WriteName>(
  database: DurableDatabase,
  { parts, now: clock }: WriteHereOptions,
  id: string | undefined,
  name: N,
  given: WriteArguments[N],
): Promise<WrittenHere<N> | undefined> {
  const now = clock();
  const isKept = id !== undefined && parts.writes[name].isRepeatable !== true;
  try {
    const { result: done, point } = await database.transact((transaction) => {
      const known = isKept ? findReply(transaction, id) : undefined;
      if (known !== undefined && isKept) {
        keepLonger(transaction, id, now);
        return {
          result: known,
          changes: [],
          value: () => unpackResult(parts, name, JSON.parse(known), given),
        };
      }
      const { result, changes } = parts.runWrite(name, transaction, now, given);
      const packed = id === undefined ? '' : packResult(parts, name, result);
      if (isKept) keepReply(transaction, id, packed, now);
      return { result: packed, changes, value: () => result };
    });
    return { ...done, point };
  } catch (error) {
    if (parts.isNotTheWriter(error)) return undefined;
    throw error;
  }
}

/** Undefined: nothing that a window shows changed. */
export function announcedChanges<N extends WriteName>(
  { writes }: StorageParts,
  name: N,
  given: WriteArguments[N],
  changes: readonly StoreChange[],
): readonly StoreChange[] | undefined {
  const write = writes[name];
  return write.announced ? write.announced(given) : changes;
}
