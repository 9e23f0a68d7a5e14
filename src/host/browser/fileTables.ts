import { z } from 'zod';
import { requested, type Tables } from './indexedDatabase.ts';

const entrySchema = z.object({
  /** The key of its bytes. */
  id: z.string(),
  /** In bytes. */
  size: z.number().int().nonnegative(),
  /** Incremented by each change. */
  version: z.number().int().nonnegative(),
  /** When it was last changed. */
  time: z.number(),
});

export const folderAndName = z.tuple([z.string(), z.string()]);

export type Entry = z.infer<typeof entrySchema>;

export interface Chunk {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** Folder and name, so that the entries of a folder are adjacent. */
export function keyOf(path: string): z.infer<typeof folderAndName> {
  const end = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, end)), path.slice(end + 1)];
}

/** From the one that begins at `start`. */
export function chunksOf(id: string, start: number): IDBKeyRange {
  return IDBKeyRange.bound([id, start], [id, []]);
}

export async function entryAt({ entries }: Tables, path: string): Promise<Entry | undefined> {
  const found: unknown = await requested(entries.get(keyOf(path)));
  return found === undefined ? undefined : entrySchema.parse(found);
}

/** Begins with the one that contains `start`. */
export async function* chunksFrom(
  { chunks }: Tables,
  { id }: Entry,
  start: number,
  stepBytes: number,
): AsyncGenerator<Chunk> {
  const first = await lastBegun(chunks, id, start);
  const keys = await requested(chunks.getAllKeys(chunksOf(id, first)));
  const starts = keys.map((key) => (Array.isArray(key) ? Number(key[1]) : 0));
  let next = 0;
  while (next < starts.length) {
    const from = starts[next] ?? 0;
    let last = next;
    while (last + 1 < starts.length && (starts[last + 1] ?? 0) - from < stepBytes) last += 1;
    const range = IDBKeyRange.bound([id, from], [id, starts[last] ?? from]);
    const values: unknown[] = await requested(chunks.getAll(range));
    for (const [index, value] of values.entries()) {
      yield { start: starts[next + index] ?? 0, bytes: asBytes(value) };
    }
    next = last + 1;
  }
}

/** The chunk of a file that contains `position`. */
export async function bytesFrom({ chunks }: Tables, { id }: Entry, position: number): Promise<Chunk> {
  const start = await lastBegun(chunks, id, position);
  return { start, bytes: asBytes(await requested(chunks.get([id, start]))) };
}

async function lastBegun(chunks: IDBObjectStore, id: string, position: number): Promise<number> {
  if (position === 0) return 0;
  const range = IDBKeyRange.bound([id, 0], [id, position]);
  const cursor = await requested(chunks.openKeyCursor(range, 'prev'));
  return cursor && Array.isArray(cursor.key) ? Number(cursor.key[1]) : 0;
}

function asBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error('A part of a file is missing.');
}
