import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { tooLarge, type SourceFile } from '../importBatch.ts';
import type { ImportReport } from '../importReport.ts';
import { applyLog, committedLog, type CommittedLog } from './writeAheadLog.ts';

const MAGIC = 'SQLite format 3\0';

/** How much of a file has to be known. */
export const DATABASE_START = MAGIC.length;

/** Where the header says whether there is a log, and how long the header is. */
const WRITE_VERSION = 18;
const HEADER = 100;

/** How the journal begins that an unfinished transaction has to be undone with. */
const JOURNAL_MAGIC = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/** How often it is read while its program writes to it. */
const MOST_ATTEMPTS = 3;

/** The largest database that is read, in bytes: it is in memory while its conversations are read. */
export const MAX_DATABASE_FILE = 768 * 1024 * 1024;

type Image = Uint8Array<ArrayBuffer>;

/** @param start the first bytes of a file, or the first characters of its text */
export function isDatabase(start: string | Uint8Array): boolean {
  if (typeof start === 'string') return start.startsWith(MAGIC);
  return isDatabase(String.fromCharCode(...start.subarray(0, MAGIC.length)));
}

/**
 * A database as its program would see it now: with what is committed in its log (WAL mode). The program may be running:
 * the files are read again when it changed them during reading.
 * @returns one file without a log
 * @throws ImportError for anything but a database, and for one that is too large or in the middle of a transaction
 */
export async function databaseImage(
  file: SourceFile,
  report: ImportReport,
  limit = MAX_DATABASE_FILE,
): Promise<Image> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const image = await readOnce(file, limit);
    if (!image) continue;
    if (!file.sibling && isLogged(image))
      report.add(defineMessage('What was written last: its file next to the database can’t be read here'));
    // SQLite in memory has no log.
    image.fill(1, WRITE_VERSION, WRITE_VERSION + 2);
    return image;
  }
  throw new ImportError(defineMessage('its program is writing to it. Close that program, and try again'));
}

/** @returns undefined when the files don't fit each other */
async function readOnce(file: SourceFile, limit: number): Promise<Image | undefined> {
  if (await isInTransaction(file)) return undefined;
  const before = await logOf(file);
  const image = await wholeFile(file, sizeOf(before), limit);
  if (!isDatabase(image)) throw new ImportError(defineMessage('it is not an SQLite database'));
  if (!isLogged(image)) {
    const header = await pieceOf(file, HEADER);
    const isChanged = header.some((each, at) => each !== image[at]);
    return isChanged || (await isInTransaction(file)) ? undefined : image;
  }
  // What was moved into the database in the meantime is in the log as well, unless that was started again.
  const log = await logOf(file);
  if (log?.header !== before?.header) return undefined;
  return log ? withLog(file, image, log, limit) : image;
}

async function withLog(
  file: SourceFile,
  image: Image,
  log: CommittedLog,
  limit: number,
): Promise<Image | undefined> {
  if (sizeOf(log) > limit) throw tooLarge(file, limit);
  const whole = resized(image, sizeOf(log));
  const chunks = (await file.sibling?.('-wal'))?.chunks();
  return chunks && (await applyLog(chunks, log, whole)) ? whole : undefined;
}

function isLogged(image: Uint8Array): boolean {
  return image[WRITE_VERSION] === 2;
}

async function logOf(file: SourceFile): Promise<CommittedLog | undefined> {
  const log = await file.sibling?.('-wal');
  return log && committedLog(log.chunks());
}

function sizeOf(log: CommittedLog | undefined): number {
  return log ? log.pages * log.pageSize : 0;
}

async function isInTransaction(file: SourceFile): Promise<boolean> {
  const journal = await file.sibling?.('-journal');
  if (!journal) return false;
  const start = await pieceOf(journal, JOURNAL_MAGIC.length);
  return JOURNAL_MAGIC.every((each, at) => start[at] === each);
}

async function pieceOf(file: SourceFile, length: number): Promise<Uint8Array> {
  const piece = new Uint8Array(length);
  let filled = 0;
  for await (const chunk of file.chunks()) {
    const part = chunk.subarray(0, length - filled);
    piece.set(part, filled);
    filled += part.byteLength;
    if (filled === length) break;
  }
  return piece.subarray(0, filled);
}

/** @param room for how many bytes there has to be room, so that they aren't copied for more */
async function wholeFile(file: SourceFile, room: number, limit: number): Promise<Image> {
  if (file.size > limit) throw tooLarge(file, limit);
  let image = new Uint8Array(Math.min(limit, Math.max(file.size, room)));
  let filled = 0;
  for await (const chunk of file.chunks()) {
    const end = filled + chunk.byteLength;
    // It may have grown since.
    if (end > limit) throw tooLarge(file, limit);
    if (end > image.byteLength) image = resized(image, Math.min(limit, Math.ceil(end * 1.25)));
    image.set(chunk, filled);
    filled = end;
  }
  return image.subarray(0, filled);
}

/** With zeros behind it. */
function resized(image: Image, size: number): Image {
  if (size <= image.byteLength) {
    image.fill(0, size);
    return image.subarray(0, size);
  }
  if (image.byteOffset + size <= image.buffer.byteLength)
    return new Uint8Array(image.buffer, image.byteOffset, size);
  const larger = new Uint8Array(size);
  larger.set(image);
  return larger;
}
