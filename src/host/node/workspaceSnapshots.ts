import type {
  OpenedFolder,
  FoundChange,
  WorkspaceMoment,
  WorkspaceWatch,
  FileContent,
} from '../workspaceFiles.ts';
import { pathOf } from './fileUris.ts';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gitFiles, gitObject, type CleanFile } from './gitFiles.ts';
import { usuallyIgnored } from '../ignoredFolders.ts';

/** The maximum number of files examined, in all folders. */
const MAX_FILES = 50_000;

/** The maximum size of copies of files that git does not have, in bytes. */
const MAX_COPIED = 50_000_000;

/** Finds changes by the times and sizes of files, and keeps their previous contents. */
export class WorkspaceSnapshots implements WorkspaceWatch {
  async now(folders: readonly OpenedFolder[]): Promise<WorkspaceMoment> {
    const room: Room = { files: MAX_FILES, bytes: MAX_COPIED };
    const moments: FolderSnapshot[] = [];
    // One after the other, because they share the limits.
    for (const { uri } of folders) {
      const moment = await FolderSnapshot.now(uri, pathOf(uri), room);
      if (!moment) return { changes: () => Promise.resolve(undefined) };
      moments.push(moment);
    }
    return {
      changes: async () => {
        const found: FoundChange[] = [];
        for (const moment of moments) {
          const changes = await moment.changes();
          if (!changes) return undefined;
          found.push(...changes);
        }
        return found;
      },
    };
  }
}

/** The maximum size of a file that is copied, in bytes. */
const MAX_COPY = 1_000_000;

/** The maximum size of a file that is read to find its changes, in bytes. */
const MAX_READ = 5_000_000;

/** How many files are examined concurrently. */
const AT_ONCE = 100;

const PERMISSIONS = 0o777n;
const EXECUTABLE = 0o100;
const hasModes = process.platform !== 'win32';

interface Room {
  files: number;
  bytes: number;
}

interface KnownFile {
  readonly stamp: string;
  readonly mode: number | undefined;
  readonly copy?: Uint8Array<ArrayBuffer> | undefined;
  readonly clean?: CleanFile | undefined;
}

/** The files of one folder at one moment, and the names in each of its folders. */
class FolderSnapshot {
  private readonly known = new Map<string, KnownFile>();
  private readonly names = new Map<string, ReadonlySet<string>>();

  private constructor(
    private readonly uri: string,
    private readonly root: string,
  ) {}

  /** Undefined when there are too many files. */
  static async now(uri: string, root: string, room: Room): Promise<FolderSnapshot | undefined> {
    const moment = new FolderSnapshot(uri, root);
    const listed = await listFiles(root, room.files);
    if (!listed) return undefined;
    room.files -= listed.paths.length;
    await inBatches(listed.paths, (file) => moment.remember(file, listed.clean.get(file), room));
    const folders = new Set(['', ...listed.paths.flatMap(foldersAbove)]);
    await inBatches([...folders], async (folder) => {
      const names = await readdir(path.join(root, folder)).catch(() => []);
      moment.names.set(folder, new Set(names));
    });
    return moment;
  }

  async changes(): Promise<FoundChange[] | undefined> {
    const listed = await listFiles(this.root, Number.POSITIVE_INFINITY);
    if (!listed) return undefined;
    const found: FoundChange[] = [];
    await inBatches([...new Set([...this.known.keys(), ...listed.paths])], async (file) => {
      const change = await this.changeOf(file);
      if (change) found.push({ folder: this.uri, path: file, ...change });
    });
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  private async remember(file: string, clean: CleanFile | undefined, room: Room): Promise<void> {
    const stat = await statOf(path.join(this.root, file));
    if (stat?.isFile() !== true) return;
    const size = Number(stat.size);
    const { stamp, mode } = marksOf(stat);
    // Filters make a file differ from its object; in that case the size differs as well.
    if (clean?.size === size) {
      this.known.set(file, { stamp, mode, clean });
      return;
    }
    const isCopied = size <= MAX_COPY && size <= room.bytes;
    if (isCopied) room.bytes -= size;
    this.known.set(file, { stamp, mode, copy: isCopied ? await bytesOf(this.root, file) : undefined });
  }

  private async changeOf(file: string): Promise<Omit<FoundChange, 'folder' | 'path'> | undefined> {
    const stat = await statOf(path.join(this.root, file));
    const known = this.known.get(file);
    if (stat && known?.stamp === marksOf(stat).stamp) return undefined;
    if (!stat) return known && { before: await this.contentOf(known), after: null, madeFolders: [] };
    const after = await this.contentNow(file, stat);
    if (!known) {
      if (!stat.isFile()) return undefined;
      const before = this.wasAbsent(file) ? null : 'unknown';
      return { before, after, madeFolders: foldersAbove(file).filter((each) => this.wasAbsent(each)) };
    }
    const before = await this.contentOf(known);
    return isSame(before, after) ? undefined : { before, after, madeFolders: [] };
  }

  /** Whether this name certainly did not exist, not even as an ignored file. */
  private wasAbsent(file: string): boolean {
    for (const each of [...foldersAbove(file), file]) {
      const at = each.lastIndexOf('/');
      const names = this.names.get(at < 0 ? '' : each.slice(0, at));
      if (!names) return false;
      if (!names.has(each.slice(at + 1))) return true;
    }
    return false;
  }

  private async contentOf({ mode, copy, clean }: KnownFile): Promise<FileContent | 'unknown'> {
    const bytes = copy ?? (clean && (await gitObject(this.root, clean.object)));
    return bytes ? { bytes, mode } : 'unknown';
  }

  private async contentNow(file: string, stat: BigIntStats): Promise<FileContent | 'unknown'> {
    if (!stat.isFile() || stat.size > MAX_READ) return 'unknown';
    const bytes = await bytesOf(this.root, file);
    return bytes ? { bytes, mode: marksOf(stat).mode } : 'unknown';
  }
}

async function listFiles(
  root: string,
  limit: number,
): Promise<{ paths: readonly string[]; clean: ReadonlyMap<string, CleanFile> } | undefined> {
  const listed = (await gitFiles(root)) ?? { paths: await walkedFiles(root, limit), clean: new Map() };
  return listed.paths.length > limit ? undefined : listed;
}

function marksOf({ ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): {
  stamp: string;
  mode: number | undefined;
} {
  return {
    stamp: [ino, size, mtimeNs, ctimeNs, mode].join(' '),
    mode: hasModes ? Number(mode & PERMISSIONS) : undefined,
  };
}

async function statOf(file: string): Promise<BigIntStats | undefined> {
  return lstat(file, { bigint: true }).catch(() => undefined);
}

async function bytesOf(root: string, file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const read = await readFile(path.join(root, file)).catch(() => undefined);
  return read && Uint8Array.from(read);
}

function isSame(a: FoundChange['before'], b: FoundChange['after']): boolean {
  if (a === 'unknown' || b === 'unknown' || a === null || b === null) return false;
  const canRun = ({ mode = 0 }: FileContent): boolean => (mode & EXECUTABLE) !== 0;
  return canRun(a) === canRun(b) && Buffer.compare(a.bytes, b.bytes) === 0;
}

/** `a` and `a/b` of `a/b/c`. */
function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(items.slice(at, at + AT_ONCE).map(work));
  }
}

/** The files below a folder, except usually ignored ones; at most one more than `limit`. Links are not followed. */
async function walkedFiles(root: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length <= limit; folder = folders.pop()) {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(file);
      else if (entry.isDirectory() && !usuallyIgnored.has(entry.name)) folders.push(file);
      if (found.length > limit) break;
    }
  }
  return found;
}
