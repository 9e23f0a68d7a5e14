import type { SqlJsStatic } from 'sql.js';
import { ReadOnlyError } from '../../engine/errors.ts';
import { Connection } from '../connection.ts';
import { migrate } from '../schema.ts';
import type { RecoveryReport } from './errors.ts';
import { readJournal, type JournalContent } from './journal.ts';
import type { StorageFiles } from './storageFiles.ts';

/** What the files hold. */
export interface Recovered {
  readonly connection: Connection;
  /** Of the journal that is appended to next. */
  readonly generation: number;
  /** That journal, when it exists and is whole. */
  readonly journal: JournalContent | undefined;
  /** Something could not be read: what could is to be written anew, under a generation above all that exist. */
  readonly needsSnapshot: boolean;
  readonly report: RecoveryReport | undefined;
}

interface NamedJournal {
  readonly path: string;
  readonly content: JournalContent;
}

/**
 * Opens what the files hold: the snapshot, and the journals that follow it. What cannot be read is reported, and a copy
 * of it is kept; `keep` is false for a reader, which leaves the files to the writer.
 */
export async function recover(
  sqlite: SqlJsStatic,
  storage: StorageFiles,
  { now, keep }: { now: number; keep: boolean },
): Promise<Recovered> {
  const journals: NamedJournal[] = [];
  for (const path of [storage.journalBackup, storage.sealedJournal, storage.journal]) {
    const bytes = await storage.files.read(path);
    if (bytes) journals.push({ path, content: readJournal(bytes) });
  }
  const damaged: string[] = [];
  let outcome: RecoveryReport['outcome'] | undefined;
  let connection: Connection | undefined;
  for (const path of [storage.snapshot, storage.snapshotBackup]) {
    const bytes = await storage.files.read(path);
    if (!bytes) continue;
    connection = openSnapshot(sqlite, bytes);
    if (connection) {
      // A crash between the two steps of a new snapshot leaves the backup alone, whole and with all its journals.
      if (damaged.length > 0) outcome = 'backup-used';
      break;
    }
    damaged.push(path);
    outcome = 'new-database';
  }
  // No snapshot at all is how a database begins: its journal follows generation 0.
  connection ??= new Connection(sqlite);
  const replayed = replayFrom(connection, generationOf(connection), journals);
  damaged.push(...replayed.damaged);
  if (replayed.damaged.length > 0) outcome ??= 'journal-cut';
  if (outcome === 'new-database' && replayed.last) outcome = 'backup-used';
  migrate(connection);
  const keptAside: string[] = [];
  for (const path of keep ? damaged : []) {
    const copy = await storage.keepAside(path, now);
    if (copy !== undefined) keptAside.push(copy);
  }
  const active = replayed.last?.path === storage.journal ? replayed.last.content : undefined;
  return {
    connection,
    generation: outcome ? highest(journals) : (active?.generation ?? replayed.next),
    journal: outcome ? undefined : active,
    needsSnapshot: outcome !== undefined,
    report: outcome && { outcome, keptAside },
  };
}

function highest(journals: readonly NamedJournal[]): number {
  return Math.max(0, ...journals.map(({ content }) => content.generation ?? 0));
}

/** The generation of a database: how many snapshots were written before it. A new one has 0. */
export function generationOf(connection: Connection): number {
  const value = connection.get('PRAGMA application_id')?.['application_id'];
  return typeof value === 'number' ? value : 0;
}

export function setGeneration(connection: Connection, generation: number): void {
  connection.execute(`PRAGMA application_id = ${generation}`);
}

function openSnapshot(sqlite: SqlJsStatic, bytes: Uint8Array): Connection | undefined {
  let connection: Connection | undefined;
  try {
    connection = new Connection(sqlite, bytes);
    const check = connection.get('PRAGMA quick_check(1)');
    if (check?.['quick_check'] !== 'ok') throw new Error('the check of the file failed');
    // A file that is no database of ours at all counts as damaged, a newer one does not.
    migrate(connection);
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof ReadOnlyError) throw error;
    return undefined;
  }
}

/** Repeats the journals that follow a snapshot, in order of their generations, as far as they can be read. */
function replayFrom(
  connection: Connection,
  generation: number,
  journals: readonly NamedJournal[],
): { damaged: string[]; last: NamedJournal | undefined; next: number } {
  const ordered = journals.toSorted((a, b) => (a.content.generation ?? -1) - (b.content.generation ?? -1));
  let last: NamedJournal | undefined;
  let next = generation;
  let isCut = false;
  const damaged: string[] = [];
  for (const journal of ordered) {
    const { content, path } = journal;
    // Older ones are in the snapshot already; a header cut short belongs to a journal with nothing in it yet.
    if (content.generation === undefined ? content.end !== 'damaged' : content.generation < next) continue;
    if (isCut || content.generation !== next || !repeat(connection, content)) {
      isCut = true;
      damaged.push(path);
      continue;
    }
    last = journal;
    next += 1;
    if (content.end === 'damaged') {
      isCut = true;
      damaged.push(path);
    }
  }
  return { damaged, last, next };
}

/** False when a transaction does not fit the database: then it is of another one, or damaged in a way no sum shows. */
function repeat(connection: Connection, { transactions }: JournalContent): boolean {
  try {
    // The first one needs the tables.
    migrate(connection);
    for (const transaction of transactions) connection.replay(transaction);
    return true;
  } catch (error) {
    if (error instanceof ReadOnlyError) throw error;
    return false;
  }
}
