import { FileTooLargeError, type Files, type FilesLoss, type LogFile, type ReadOptions } from '../files.ts';
import { requested, type Access, type IndexedDatabase, type Tables, type Work } from './indexedDatabase.ts';
import { FileIdentity } from './fileIdentity.ts';
import { bytesFrom, chunksFrom, chunksOf, entryAt, folderAndName, keyOf, type Entry } from './fileTables.ts';

/** Written by one transaction, in a few milliseconds, so that a save in between does not wait long. */
const STEP_BYTES = 4_000_000;

/** Bytes read at once while the previous ones are processed. */
const READ_STEP_BYTES = 8_000_000;

/** The maximum length of a byte array on all platforms. */
const MAX_READ_BYTES = 2 ** 31 - 1;

/**
 * Files in a database of the browser. A path leads to an entry, and that to its bytes under an id that no other file
 * ever has: a replacement is written separately, and putting its entry is the commit.
 */
export class IndexedFiles implements Files {
  private readonly identity: FileIdentity;

  constructor(private readonly database: IndexedDatabase) {
    this.identity = new FileIdentity(database);
  }

  get loss(): FilesLoss {
    return this.identity;
  }

  async read(
    path: string,
    { start = 0, length: limit = Infinity, spare = 0, onProgress }: ReadOptions = {},
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.run('read', async (tables) => {
      const entry = await entryAt(tables, path);
      if (!entry || start > entry.size) return undefined;
      const length = Math.min(limit, entry.size - start);
      if (length > MAX_READ_BYTES) throw new FileTooLargeError(path, entry.size, MAX_READ_BYTES);
      const bytes = new Uint8Array(new ArrayBuffer(Math.ceil(length * (1 + spare))), 0, length);
      if (length === 0) return bytes;
      for await (const chunk of chunksFrom(tables, entry, start, READ_STEP_BYTES)) {
        const from = Math.max(0, start - chunk.start);
        const at = chunk.start + from - start;
        const part = chunk.bytes.subarray(from, from + length - at);
        bytes.set(part, at);
        const end = at + part.byteLength;
        onProgress?.(bytes.subarray(0, end));
        if (end === length) break;
      }
      return bytes;
    });
  }

  async write(path: string, parts: readonly Uint8Array[]): Promise<void> {
    const id = crypto.randomUUID();
    let size = 0;
    await this.run('write', (tables) => putNew(tables, path, id, []));
    for (const part of parts) {
      for (let from = 0; from < part.byteLength; from += STEP_BYTES) {
        // A copy of these bytes: a view would store its whole buffer.
        const step = part.slice(from, from + STEP_BYTES);
        await this.run('write', (tables) => append(tables, path, { id, size }, step));
        size += step.byteLength;
      }
    }
  }

  async replace(path: string, bytes: Uint8Array): Promise<void> {
    const id = crypto.randomUUID();
    const steps: Uint8Array[] = [];
    for (let from = 0; from < bytes.byteLength; from += STEP_BYTES) {
      steps.push(bytes.slice(from, from + STEP_BYTES));
    }
    await this.run('write', (tables) => putNew(tables, path, id, steps));
  }

  async openLog(path: string): Promise<LogFile> {
    // Only a writer opens a log: from here on there is data to lose.
    const entry = await this.identity.claim((tables) => entryAt(tables, path));
    if (!entry) throw new Error(`There is no file ${path}.`);
    return new IndexedLog((access, work) => this.run(access, work), path, entry);
  }

  async move(from: string, to: string): Promise<void> {
    await this.run('write', async (tables) => {
      const entry = await entryAt(tables, from);
      if (!entry) return;
      await removeAt(tables, to);
      tables.entries.delete(keyOf(from));
      await requested(tables.entries.put({ ...entry, version: entry.version + 1 }, keyOf(to)));
    });
  }

  async remove(path: string): Promise<void> {
    await this.run('write', (tables) => removeAt(tables, path));
  }

  async createExclusively(path: string, text: string): Promise<boolean> {
    return this.run('write', async (tables) => {
      if (await entryAt(tables, path)) return false;
      await putNew(tables, path, crypto.randomUUID(), [new TextEncoder().encode(text)]);
      return true;
    });
  }

  async touch(path: string): Promise<void> {
    await this.run('relaxed write', async (tables) => {
      const entry = await entryAt(tables, path);
      if (!entry) throw new Error(`There is no file ${path}.`);
      await put(tables, path, { ...entry, version: entry.version + 1 });
    });
  }

  async stamp(path: string): Promise<string | undefined> {
    const entry = await this.run('read', (tables) => entryAt(tables, path));
    return entry && `${entry.id}:${entry.size}:${entry.version}`;
  }

  async list(folder: string): Promise<{ name: string; size: number; age: number }[]> {
    return this.run('read', async (tables) => {
      const found = await Promise.all(
        (await namesIn(tables, folder)).map(async (name) => {
          const entry = await entryAt(tables, `${folder}/${name}`);
          return entry ? [{ name, size: entry.size, age: Math.max(0, Date.now() - entry.time) }] : [];
        }),
      );
      return found.flat();
    });
  }

  async names(folder: string): Promise<string[]> {
    return this.run('read', (tables) => namesIn(tables, folder));
  }

  /** There are no folders, but this checks whether files can be stored. */
  async ensureFolder(): Promise<void> {
    await this.database.open();
  }

  async protect(): Promise<void> {
    // A site's data is private anyway.
  }

  join(folder: string, name: string): string {
    return `${folder}/${name}`;
  }

  private run<T>(access: Access, work: Work<T>): Promise<T> {
    return this.identity.run(access, work);
  }
}

async function namesIn({ entries }: Tables, folder: string): Promise<string[]> {
  const keys = await requested(entries.getAllKeys(IDBKeyRange.bound([folder], [folder, []])));
  return keys.map((key) => folderAndName.parse(key)[1]);
}

/** Appends in separate transactions, each of which first checks that the file is as the previous one left it. */
class IndexedLog implements LogFile {
  private readonly id: string;
  private end: number;

  constructor(
    private readonly run: <T>(access: Access, work: Work<T>) => Promise<T>,
    private readonly path: string,
    entry: Entry,
  ) {
    this.id = entry.id;
    this.end = entry.size;
  }

  get size(): number {
    return this.end;
  }

  async append(bytes: Uint8Array): Promise<void> {
    const { path, id, end: size } = this;
    await this.run('write', (tables) => append(tables, path, { id, size }, bytes.slice()));
    this.end += bytes.byteLength;
  }

  async truncate(size: number): Promise<void> {
    await this.run('write', async (tables) => {
      const entry = await entryAt(tables, this.path);
      if (entry?.id !== this.id) throw new ChangedElsewhereError(this.path);
      if (entry.size <= size) return;
      const head = size === 0 ? undefined : await bytesFrom(tables, entry, size - 1);
      tables.chunks.delete(chunksOf(entry.id, head?.start ?? 0));
      if (head) tables.chunks.put(head.bytes.slice(0, size - head.start), [entry.id, head.start]);
      await put(tables, this.path, { ...entry, size, version: entry.version + 1 });
    });
    this.end = size;
  }

  async close(): Promise<void> {
    // Nothing stays open between two transactions.
  }
}

class ChangedElsewhereError extends Error {
  constructor(path: string) {
    super(`${path} was changed by another window.`);
    this.name = 'ChangedElsewhereError';
  }
}

async function append(
  tables: Tables,
  path: string,
  { id, size }: Pick<Entry, 'id' | 'size'>,
  bytes: Uint8Array,
): Promise<void> {
  const entry = await entryAt(tables, path);
  if (entry?.id !== id || entry.size !== size) throw new ChangedElsewhereError(path);
  tables.chunks.put(bytes, [id, size]);
  await put(tables, path, { ...entry, size: size + bytes.byteLength, version: entry.version + 1 });
}

/** The old file stays visible until the transaction commits. */
async function putNew(tables: Tables, path: string, id: string, steps: readonly Uint8Array[]): Promise<void> {
  await removeAt(tables, path);
  let size = 0;
  for (const step of steps) {
    tables.chunks.put(step, [id, size]);
    size += step.byteLength;
  }
  await put(tables, path, { id, size, version: 0 });
}

async function removeAt(tables: Tables, path: string): Promise<void> {
  const entry = await entryAt(tables, path);
  if (!entry) return;
  tables.chunks.delete(chunksOf(entry.id, 0));
  await requested(tables.entries.delete(keyOf(path)));
}

async function put(tables: Tables, path: string, entry: Omit<Entry, 'time'>): Promise<void> {
  await requested(tables.entries.put({ ...entry, time: Date.now() } satisfies Entry, keyOf(path)));
}
