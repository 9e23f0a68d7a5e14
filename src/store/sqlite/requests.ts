import type { Reader, Transaction } from './database.ts';

// The completed requests of other processes, by id. A process that repeats a request, because the answer was lost,
// gets the same answer, and nothing is done twice.

/** How long an answer is kept, in milliseconds. A process that waits for one asks again at once. */
const KEPT_MS = 60 * 60 * 1_000;

const put = 'INSERT INTO requests (id, reply, keptUntil) VALUES (?, ?, ?)';

/** As JSON; undefined when there is none. */
export function findReply(reader: Reader, id: string): string | undefined {
  const reply = reader.get('SELECT reply FROM requests WHERE id = ?', [id])?.['reply'];
  return typeof reply === 'string' ? reply : undefined;
}

/** Stores an answer, in the transaction of the request. @param reply JSON */
export function keepReply(transaction: Transaction, id: string, reply: string, now: number): void {
  transaction.run('DELETE FROM requests WHERE keptUntil < ?', [now]);
  transaction.run(put, [id, reply, now + KEPT_MS]);
}

/** Stores an answer permanently. @param reply JSON */
export function keepReplyForEver(transaction: Transaction, id: string, reply: string): void {
  transaction.run(put, [id, reply, Number.MAX_SAFE_INTEGER]);
}

/** Extends the lifetime of an answer: mainly so that once this write is on disk, all earlier ones are. */
export function keepLonger(transaction: Transaction, id: string, now: number): void {
  transaction.run('UPDATE requests SET keptUntil = max(keptUntil, ?) WHERE id = ?', [now + KEPT_MS, id]);
}
