import type { Reader, Transaction } from './database.ts';

// What was done for other processes, by the ids of their requests. Whoever asks again, because the answer was lost with
// the process that gave it, gets the same answer, and nothing is done twice.

/** How long an answer is kept, in milliseconds. Whoever waits for one asks again at once. */
const KEPT_MS = 60 * 60 * 1_000;

const put = 'INSERT INTO requests (id, reply, keptUntil) VALUES (?, ?, ?)';

/** What was answered, as JSON; undefined when nothing was. */
export function findReply(reader: Reader, id: string): string | undefined {
  const reply = reader.get('SELECT reply FROM requests WHERE id = ?', [id])?.['reply'];
  return typeof reply === 'string' ? reply : undefined;
}

/** Keeps an answer, in the transaction of what was asked for. @param reply JSON */
export function keepReply(transaction: Transaction, id: string, reply: string, now: number): void {
  transaction.run('DELETE FROM requests WHERE keptUntil < ?', [now]);
  transaction.run(put, [id, reply, now + KEPT_MS]);
}

/** Keeps an answer for ever. @param reply JSON */
export function keepReplyForEver(transaction: Transaction, id: string, reply: string): void {
  transaction.run(put, [id, reply, Number.MAX_SAFE_INTEGER]);
}

/**
 * Keeps a known answer for longer. It is written for another reason: what was done before is on the disk once this is.
 */
export function keepLonger(transaction: Transaction, id: string, now: number): void {
  transaction.run('UPDATE requests SET keptUntil = max(keptUntil, ?) WHERE id = ?', [now + KEPT_MS, id]);
}
