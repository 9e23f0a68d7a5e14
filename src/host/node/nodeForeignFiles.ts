import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { FileKindError } from '../files.ts';
import type {
  ForeignArchive,
  ForeignFile,
  ForeignFiles,
  ForeignFolder,
  UserFolder,
} from '../foreignFiles.ts';
import { kindOf } from './fileKinds.ts';
import { pathOf } from './fileUris.ts';
import { unzstd } from './unzstd.ts';

/** The maximum number of entries read of one folder or archive. */
const MAX_ENTRIES = 20_000;

/** The maximum ratio of the size of an archive's contents to its file; text compresses to about a tenth. */
const MAX_RATIO = 200;

/** The maximum size of an entry that is read, regardless of the size given in the archive. */
const MAX_ENTRY_BYTES = 8 * 1024 ** 3;

/** Windows has no such flag. */
const NO_FOLLOW = process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK;

export class NodeForeignFiles implements ForeignFiles {
  readonly unzstd = unzstd;

  constructor(
    private readonly env: Readonly<Record<string, string | undefined>> = process.env,
    private readonly home = homedir(),
    private readonly platform = process.platform,
  ) {}

  userFolder({ variable, base, below }: UserFolder, ...inside: readonly string[]): string {
    const named = variable === undefined ? undefined : this.named(variable);
    return path.join(named ?? path.join(this.base(base), ...below), ...inside);
  }

  private base(base: UserFolder['base']): string {
    const { home, platform } = this;
    if (base === 'home') return home;
    if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
    const isAppData = base === 'appData';
    if (platform === 'win32') {
      const below = ['AppData', isAppData ? 'Roaming' : 'Local'];
      return this.named(isAppData ? 'APPDATA' : 'LOCALAPPDATA') ?? path.join(home, ...below);
    }
    const below = isAppData ? ['.config'] : ['.local', 'share'];
    return this.named(isAppData ? 'XDG_CONFIG_HOME' : 'XDG_DATA_HOME') ?? path.join(home, ...below);
  }

  /** An empty variable counts as unset. */
  private named(variable: string): string | undefined {
    const value = this.env[variable];
    return value === '' ? undefined : value;
  }

  async namesOf(uri: string): Promise<readonly string[]> {
    const given = pathOf(uri);
    const real = await realpath(given).catch(() => given);
    return [...new Set([given, real])];
  }

  async list(folder: string, ...below: readonly string[]): Promise<ForeignFolder> {
    try {
      // The program's own folder may be a link, for instance in a home stored elsewhere; its contents may not.
      const root = await realpath(folder);
      const at = path.join(root, ...below);
      if (at !== root && !at.startsWith(root + path.sep)) return { files: [], folders: [] };
      if ((await realpath(at)) !== at) return { files: [], folders: [] };
      const entries = (await readdir(at, { withFileTypes: true })).slice(0, MAX_ENTRIES);
      const files = entries
        .filter((entry) => entry.isFile())
        .map(({ name }) => unlinked(path.join(at, name)));
      return {
        files: (await Promise.all(files)).filter((file) => file !== undefined),
        folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
      };
    } catch {
      // It does not exist or cannot be read: there is nothing to import.
      return { files: [], folders: [] };
    }
  }

  async add(folder: string, place: readonly string[], bytes: Uint8Array): Promise<string | undefined> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let at = await realpath(folder);
    for (const [index, name] of place.entries()) {
      if (path.basename(name) !== name || name === '..')
        throw new RangeError(`${name} is no name of a file.`);
      at = path.join(at, name);
      if (index === place.length - 1) break;
      // One by one, so that none is made where a link leads to.
      await mkdir(at, { mode: 0o700 }).catch(unlessThere);
      if (!(await lstat(at)).isDirectory()) return undefined;
    }
    try {
      await writeFile(at, bytes, { flag: 'wx', mode: 0o600 });
      return at;
    } catch (error) {
      unlessThere(error);
      return undefined;
    }
  }

  async chosen(uri: string): Promise<ForeignFile> {
    const file = pathOf(uri);
    const { size, mtimeMs } = await statOfFile(file);
    return {
      name: path.basename(file),
      size,
      changedAt: mtimeMs,
      chunks: () => chunksOf(file, constants.O_RDONLY | (NO_FOLLOW & ~constants.O_NOFOLLOW)),
      sibling: (ending) => siblingOf(file, ending),
    };
  }

  async archive(uri: string): Promise<ForeignArchive> {
    const file = pathOf(uri);
    const { mtimeMs, size } = await statOfFile(file);
    const zip = await openPromise(file, { autoClose: false, lazyEntries: true });
    const entries: ForeignFile[] = [];
    try {
      for await (const entry of zip.eachEntry()) {
        if (entries.length >= MAX_ENTRIES) break;
        if (!entry.fileName.endsWith('/')) entries.push(entryFile(zip, entry, size, mtimeMs));
      }
    } catch (error) {
      zip.close();
      throw error;
    }
    return { entries, close: () => zip.close() };
  }
}

/** @throws any other error */
function unlessThere(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

async function unlinked(file: string): Promise<ForeignFile | undefined> {
  try {
    const { size, mtimeMs } = await stat(file);
    return {
      name: path.basename(file),
      size,
      changedAt: mtimeMs,
      chunks: () => chunksOf(file, constants.O_RDONLY | NO_FOLLOW),
      sibling: (ending) => siblingOf(file, ending),
    };
  } catch {
    return undefined;
  }
}

async function siblingOf(file: string, ending: string): Promise<ForeignFile | undefined> {
  // A name, and not the way to another folder.
  if (/[/\\]/u.test(ending)) return undefined;
  const found = await lstat(file + ending).catch(() => undefined);
  return found?.isFile() === true ? unlinked(file + ending) : undefined;
}

/** @throws FileKindError before it is opened: reading a pipe or a device may never end */
async function statOfFile(file: string): Promise<Stats> {
  return asFile(file, await stat(file));
}

function asFile(file: string, found: Stats): Stats {
  if (!found.isFile()) throw new FileKindError(file, kindOf(found), 'file');
  return found;
}

async function* chunksOf(file: string, flags: number): AsyncGenerator<Uint8Array> {
  await statOfFile(file);
  const handle = await open(file, flags);
  try {
    // It may have been replaced since.
    asFile(file, await handle.stat());
    const buffer = new Uint8Array(262_144);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.byteLength, null);
      if (bytesRead === 0) return;
      yield buffer.slice(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function entryFile(zip: ZipFile, entry: Entry, archiveSize: number, changedAt: number): ForeignFile {
  const limit = Math.min(MAX_ENTRY_BYTES, archiveSize * MAX_RATIO);
  return {
    name: entry.fileName,
    size: entry.uncompressedSize,
    changedAt,
    chunks: async function* () {
      if (entry.isEncrypted()) throw new Error('It is encrypted.');
      // A small file that expands to a huge one is an attack on memory.
      if (entry.uncompressedSize > limit)
        throw new Error('It is a ZIP file that would become far too large.');
      // Fails when there is more data than the archive states.
      const stream = await zip.openReadStreamPromise(entry);
      for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk;
    },
  };
}
