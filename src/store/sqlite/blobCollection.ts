import type { Amount } from '../../engine/trash.ts';
import type { Reader } from './database.ts';
import { integer, text } from './rows.ts';
import type { BlobStore } from '../../engine/store.ts';

/** Bytes are stored before the message that names them; the maximum time between the two, in milliseconds. */
export const BLOB_GRACE = 24 * 60 * 60 * 1_000;

/** How many messages are scanned at once. */
const PAGE = 2_000;

const hash = /\b[0-9a-f]{64}\b/g;

/** Where artifacts and versions of files are named. */
const usual = `SELECT effects AS text FROM messages WHERE effects IS NOT NULL
  UNION ALL SELECT details FROM sharedArtifacts
  UNION ALL SELECT details FROM events WHERE kind IN ('files-restored', 'edits-reviewed')`;
/** Small tables where a blob may also be named. */
const elsewhere = `SELECT data AS text FROM drafts UNION ALL SELECT metadata FROM chats UNION ALL SELECT value FROM sharedState`;
const page = 'SELECT key, data AS text FROM messages WHERE key > ? ORDER BY key LIMIT ?';

/**
 * The unreferenced blobs. Anything that looks like a name counts as one, in any text, including the trash: keeping a
 * few bytes too many is the lesser harm.
 * @param grace how long bytes not yet referenced by a saved message are kept, in milliseconds
 */
export async function unusedBlobs(
  reader: Reader,
  blobs: CollectableBlobs,
  grace: number,
): Promise<BlobInfo[]> {
  return unnamedOf(
    reader,
    (await blobs.list()).filter(({ age }) => age >= grace),
  );
}

function unnamedOf(reader: Reader, candidates: readonly BlobInfo[]): BlobInfo[] {
  const unused = new Map(candidates.map((blob) => [blob.hash, blob]));
  const strike = (texts: string): void => {
    for (const [name] of texts.matchAll(hash)) unused.delete(name);
  };
  for (const sql of [usual, elsewhere]) {
    if (unused.size > 0) for (const row of reader.all(sql)) strike(text(row, 'text'));
  }
  let after = 0;
  while (unused.size > 0) {
    const rows = reader.all(page, [after, PAGE]);
    for (const row of rows) strike(text(row, 'text'));
    const last = rows.at(-1);
    if (!last) break;
    after = integer(last, 'key');
  }
  return [...unused.values()];
}

/** The blobs that a text names. */
export function namedIn(texts: string): string[] {
  return [...texts.matchAll(hash)].map(([name]) => name);
}

/**
 * Removes blobs that were named in removed messages and that nothing else names; blobs put again since then stay,
 * because the message that names them may not be saved yet.
 * @param named by hash: when the last message that named them was saved
 */
export async function collectNamed(
  reader: Reader,
  blobs: CollectableBlobs,
  named: ReadonlyMap<string, number>,
): Promise<Amount> {
  if (named.size === 0) return amountOf([]);
  const now = Date.now();
  const candidates = (await blobs.list()).filter(
    ({ hash: name, age }) => now - age <= (named.get(name) ?? 0),
  );
  const unused = unnamedOf(reader, candidates);
  for (const blob of unused) await blobs.remove(blob.hash);
  return amountOf(unused);
}

export async function collectBlobs(reader: Reader, blobs: CollectableBlobs, grace: number): Promise<Amount> {
  const unused = await unusedBlobs(reader, blobs, grace);
  for (const blob of unused) await blobs.remove(blob.hash);
  return amountOf(unused);
}

export function amountOf(blobs: readonly BlobInfo[]): Amount {
  return { count: blobs.length, bytes: blobs.reduce((sum, { size }) => sum + size, 0) };
}

/** Blobs that can be listed, so that unreferenced ones can be removed. */
export interface CollectableBlobs extends BlobStore {
  list(): Promise<BlobInfo[]>;
  remove(hash: string): Promise<void>;
}

export interface BlobInfo {
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  /** Time since these bytes were last put, in milliseconds. */
  readonly age: number;
}
