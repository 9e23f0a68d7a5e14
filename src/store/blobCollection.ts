import type { Amount } from '../engine/trash.ts';
import type { BlobInfo, CollectableBlobs } from './blobs.ts';
import type { Reader } from './database.ts';
import { integer, text } from './rows.ts';

/** Bytes are put before what names them is saved; nobody takes longer than this between the two, in milliseconds. */
export const BLOB_GRACE = 24 * 60 * 60 * 1_000;

/** How many messages are looked through at once. */
const PAGE = 2_000;

const hash = /\b[0-9a-f]{64}\b/g;

/** Where artifacts and versions of files are named. */
const usual = `SELECT effects AS text FROM messages WHERE effects IS NOT NULL
  UNION ALL SELECT details FROM sharedArtifacts
  UNION ALL SELECT details FROM events WHERE kind IN ('files-restored', 'edits-reviewed')`;
/** Where else a name could stand, in small tables. */
const elsewhere = `SELECT data AS text FROM drafts UNION ALL SELECT metadata FROM chats UNION ALL SELECT value FROM sharedState`;
const page = 'SELECT key, data AS text FROM messages WHERE key > ? ORDER BY key LIMIT ?';

/**
 * The blobs that nothing names. Whatever looks like a name counts as one, wherever it stands, the trash included: to
 * keep a few bytes too many is the lesser harm.
 * @param grace how long bytes are kept for what is not saved yet, in milliseconds
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

/** Those of some blobs that nothing names. */
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
 * Removes those of the blobs that were named in what is gone and that nothing else names; not those that were put again
 * since, for what will name them is not saved yet.
 * @param named by hash, when the last that named them was saved
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

/** Removes the blobs that nothing names. */
export async function collectBlobs(reader: Reader, blobs: CollectableBlobs, grace: number): Promise<Amount> {
  const unused = await unusedBlobs(reader, blobs, grace);
  for (const blob of unused) await blobs.remove(blob.hash);
  return amountOf(unused);
}

export function amountOf(blobs: readonly BlobInfo[]): Amount {
  return { count: blobs.length, bytes: blobs.reduce((sum, { size }) => sum + size, 0) };
}
