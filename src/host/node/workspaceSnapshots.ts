import type { BigIntStats } from 'node:fs';
import { lstat, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { pathParts } from '../pathSyntax.ts';
import {
  WorkspaceFileError,
  type FileContent,
  type FileLocation,
  type FoundChange,
  type OpenedFolder,
  type WorkspaceChanges,
  type WorkspaceMoment,
  type WorkspaceWatch,
} from '../workspaceFiles.ts';
import { EXECUTABLE, hasModes, isPlain, OWNER, permissionsOf, SPECIAL } from './fileModes.ts';
import { pathOf } from './fileUris.ts';
import { below, foldersAbove, readTree, restOf, type FolderTree, type TreeEntry } from './folderTree.ts';
import { gitObject, type CleanFile } from './gitFiles.ts';

/** The maximum number of files examined, in all folders. */
const MAX_FILES = 50_000;

/** The maximum size of copies of files that git does not have, in bytes. */
const MAX_COPIED = 50_000_000;

export interface SnapshotOptions {
  /** For tests. */
  readonly maxFiles?: number;
}

/** Finds changes by the times and sizes of files, and keeps their previous contents. */
export class WorkspaceSnapshots implements WorkspaceWatch {
  private readonly maxFiles: number;

  constructor({ maxFiles = MAX_FILES }: SnapshotOptions = {}) {
    this.maxFiles = maxFiles;
  }

  async now(folders: readonly OpenedFolder[]): Promise<WorkspaceMoment> {
    const snapshots = await snapshotsOf(folders, this.maxFiles, { isKept: true });
    return {
      changes: async () => {
        if (!snapshots) return undefined;
        const all: WorkspaceChanges[] = [];
        for (const snapshot of snapshots) {
          const changes = await snapshot.changes();
          if (!changes) return undefined;
          all.push(changes);
        }
        return {
          found: all.flatMap(({ found }) => found),
          attributes: all.flatMap(({ attributes }) => attributes),
          unwatched: all.flatMap(({ unwatched }) => unwatched),
        };
      },
    };
  }

  async unwatched(folders: readonly OpenedFolder[]): Promise<readonly FileLocation[] | undefined> {
    const snapshots = await snapshotsOf(folders, this.maxFiles, { isKept: false });
    return snapshots?.flatMap((snapshot) => snapshot.unwatched);
  }
}

/** Undefined when there are too many files. @param isKept whether contents are copied, not only counted */
async function snapshotsOf(
  folders: readonly OpenedFolder[],
  maxFiles: number,
  { isKept }: { readonly isKept: boolean },
): Promise<FolderSnapshot[] | undefined> {
  const room: Room = { files: maxFiles, bytes: MAX_COPIED };
  const snapshots: FolderSnapshot[] = [];
  // One after the other, because they share the limits.
  for (const { uri } of folders) {
    const snapshot = await FolderSnapshot.now(uri, pathOf(uri), room, isKept);
    if (!snapshot) return undefined;
    snapshots.push(snapshot);
  }
  return snapshots;
}

/** The maximum size of a file that is copied, in bytes. */
const MAX_COPY = 1_000_000;

/** The maximum size of a file that is read to find its changes, in bytes. */
const MAX_READ = 5_000_000;

/** How many files are examined concurrently. */
const AT_ONCE = 100;

interface Room {
  files: number;
  bytes: number;
}

/** What the system says of a file besides its content. */
interface Marks {
  /** Differs when anything may be different. */
  readonly stamp: string;
  /** Differs when the content may be. */
  readonly body: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly names: number;
}

interface KnownEntry {
  readonly kind: TreeEntry;
  readonly marks: Marks;
  readonly copy?: Uint8Array<ArrayBuffer> | undefined;
  readonly clean?: CleanFile | undefined;
}

/** A change, or only one of attributes. */
interface Seen {
  readonly change?: Pick<FoundChange, 'before' | 'after'> | undefined;
  readonly hasOtherAttributes?: boolean;
}

/** The files, links and folders of one workspace folder at one moment. */
class FolderSnapshot {
  private readonly known = new Map<string, KnownEntry>();
  /** Files that are neither in git as they are nor copied. */
  private readonly uncopied: string[] = [];

  private constructor(
    private readonly uri: string,
    private readonly root: string,
    private readonly tree: FolderTree,
  ) {}

  /** Undefined when there are too many files. */
  static async now(
    uri: string,
    root: string,
    room: Room,
    isKept: boolean,
  ): Promise<FolderSnapshot | undefined> {
    const tree = await readTree(root, { room, skip: new Set(), withObjects: true });
    if (!tree) return undefined;
    const snapshot = new FolderSnapshot(uri, root, tree);
    await inBatches([...tree.entries], ([file, kind]) => snapshot.remember(file, kind, room, isKept));
    if (isKept) await snapshot.copyWithin(room);
    return snapshot;
  }

  get unwatched(): FileLocation[] {
    return this.located([...this.tree.unwatched, ...this.uncopied]);
  }

  async changes(): Promise<WorkspaceChanges | undefined> {
    const { unwatched: skip } = this.tree;
    const room = { files: Number.POSITIVE_INFINITY };
    const now = await readTree(this.root, { room, skip, withObjects: false });
    if (!now) return undefined;
    const found: FoundChange[] = this.changesOfGit(now);
    const attributes: string[] = [];
    const files = new Set([...this.known.keys(), ...now.entries.keys()]);
    const later = new Later(now);
    await inBatches([...files], async (file) => {
      const { change, hasOtherAttributes = false } = await this.look(file, later);
      if (hasOtherAttributes) attributes.push(file);
      if (!change) return;
      // A name that is none on another system is not written again.
      const before = isPortable(file) ? change.before : 'unknown';
      const madeFolders = foldersAbove(file).filter((each) => this.isNewFolder(each));
      found.push({ folder: this.uri, path: file, before, after: change.after, madeFolders });
    });
    return {
      found: found.sort((a, b) => (a.path < b.path ? -1 : 1)),
      attributes: this.located(attributes.sort()),
      unwatched: this.located([...new Set([...skip, ...now.unwatched, ...this.uncopied])].sort()),
    };
  }

  private located(files: readonly string[]): FileLocation[] {
    return files.map((file) => ({ folder: this.uri, path: file }));
  }

  /** Git's own data are never restored: that they changed is all there is to say. */
  private changesOfGit(now: FolderTree): FoundChange[] {
    const before = this.tree.repositories;
    const bases = new Set([...before.keys(), ...now.repositories.keys()]);
    return [...bases].flatMap((base): FoundChange[] => {
      const [was, is] = [before.get(base), now.repositories.get(base)];
      if (was === is) return [];
      return [
        {
          folder: this.uri,
          path: below(base, '.git'),
          before: was === undefined ? null : 'unknown',
          after: is === undefined ? null : 'unknown',
          madeFolders: [],
        },
      ];
    });
  }

  private async remember(file: string, kind: TreeEntry, room: Room, isKept: boolean): Promise<void> {
    const stat = await this.statOf(file);
    if (!stat || kindOf(stat) !== kind) return;
    const marks = marksOf(stat);
    if (kind === 'link') {
      this.known.set(file, { kind, marks, copy: isKept ? await this.targetOf(file) : undefined });
      return;
    }
    const size = Number(stat.size);
    const clean = this.tree.clean.get(file);
    // Filters make a file differ from its object; in that case the size differs as well.
    if (kind !== 'file' || clean?.size === size) {
      this.known.set(file, { kind, marks, clean });
      return;
    }
    const isCopied = size <= MAX_COPY && size <= room.bytes;
    if (isCopied) room.bytes -= size;
    else this.uncopied.push(file);
    this.known.set(file, { kind, marks, copy: isCopied && isKept ? await this.bytesOf(file) : undefined });
  }

  /** Of a repository within, as there is room: a command may remove it together with its objects. */
  private async copyWithin(room: Room): Promise<void> {
    const within = [...this.known].filter(([, { clean }]) => clean && clean.repository !== this.root);
    await inBatches(within, async ([file, entry]) => {
      const { size = 0 } = entry.clean ?? {};
      if (size > MAX_COPY || size > room.bytes) return;
      room.bytes -= size;
      this.known.set(file, { ...entry, copy: await this.bytesOf(file) });
    });
  }

  private async look(file: string, later: Later): Promise<Seen> {
    const known = this.known.get(file);
    const kind = later.kindOf(file);
    if (kind === undefined) return known ? this.lookAtGone(file, known, later) : {};
    const stat = await this.statOf(file);
    if (!stat || kindOf(stat) !== kind) return {};
    if (!known) return this.lookAtNew(file, stat, later);
    const marks = marksOf(stat);
    if (known.kind === kind && known.marks.stamp === marks.stamp) return {};
    if (known.kind === 'folder' && kind === 'folder') {
      return { hasOtherAttributes: hasOtherOwnerOrMode(known, marks, { isExecutionKept: false }) };
    }
    const before = await this.contentOf(known, file);
    const after = await this.contentNow(file, stat, later);
    if (known.kind !== kind) return { change: { before, after } };
    const isSame = isSameContent(before, after);
    return {
      change: isSame ? undefined : { before, after },
      hasOtherAttributes: hasOtherAttributes(known, marks, isSame),
    };
  }

  private async lookAtGone(file: string, known: KnownEntry, later: Later): Promise<Seen> {
    // It may be there, in what is not looked into any more.
    if (later.isHidden(file)) return {};
    if (later.isUnwatched(restAbove(file)) && (await this.statOf(file))) return {};
    return {
      change: { before: await this.contentOf(known, file), after: null },
      hasOtherAttributes: isSpecial(known),
    };
  }

  private async lookAtNew(file: string, stat: BigIntStats, later: Later): Promise<Seen> {
    const before = this.wasAbsent(file) ? null : 'unknown';
    const after = await this.contentNow(file, stat, later);
    // A folder with something in it is known by that.
    return after === null ? {} : { change: { before, after } };
  }

  /** Whether this name certainly did not exist, not even as something that is not looked at. */
  private wasAbsent(file: string): boolean {
    for (const each of [...foldersAbove(file), file]) {
      const known = this.known.get(each);
      if (!known) return !this.tree.unwatched.has(each) && !this.tree.unwatched.has(restAbove(each));
      // Nothing is below a file.
      if (known.kind !== 'folder') return each !== file;
      if (this.tree.unwatched.has(each)) return false;
    }
    return false;
  }

  private isNewFolder(folder: string): boolean {
    const known = this.known.get(folder);
    return known ? known.kind !== 'folder' : this.wasAbsent(folder);
  }

  private async contentOf(
    { kind, marks, copy, clean }: KnownEntry,
    file: string,
  ): Promise<FileContent | 'unknown'> {
    if (kind === 'other' || this.tree.unwatched.has(file)) return 'unknown';
    if (kind === 'folder') return folderContent(marks);
    const bytes = copy ?? (clean && (await gitObject(clean)));
    if (!bytes) return 'unknown';
    return kind === 'link' ? { bytes, mode: undefined, kind } : { bytes, mode: modeOf(marks) };
  }

  /** Null: a folder that has something in it. */
  private async contentNow(file: string, stat: BigIntStats, later: Later): Promise<FoundChange['after']> {
    const kind = kindOf(stat);
    const marks = marksOf(stat);
    if (kind === 'folder') {
      if (later.isUnwatched(file)) return 'unknown';
      return later.isEmpty(file) ? folderContent(marks) : null;
    }
    if (kind === 'other' || stat.size > MAX_READ) return 'unknown';
    const bytes = await (kind === 'link' ? this.targetOf(file) : this.bytesOf(file));
    if (!bytes) return 'unknown';
    return kind === 'link' ? { bytes, mode: undefined, kind } : { bytes, mode: modeOf(marks) };
  }

  private async statOf(file: string): Promise<BigIntStats | undefined> {
    return lstat(path.join(this.root, file), { bigint: true }).catch(() => undefined);
  }

  private async bytesOf(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const read = await readFile(path.join(this.root, file)).catch(() => undefined);
    return read && Uint8Array.from(read);
  }

  private async targetOf(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const target = await readlink(path.join(this.root, file), { encoding: 'buffer' }).catch(() => undefined);
    return target && Uint8Array.from(target);
  }
}

/** The folder as it is afterwards. */
class Later {
  private readonly filled: ReadonlySet<string>;

  constructor(private readonly tree: FolderTree) {
    const own = [...tree.repositories.keys()].map((base) => below(base, '.git'));
    const inside = [...tree.entries.keys(), ...tree.unwatched, ...own];
    this.filled = new Set(inside.flatMap((file) => foldersAbove(file).slice(-1)));
  }

  kindOf(file: string): TreeEntry | undefined {
    return this.tree.entries.get(file);
  }

  isUnwatched(file: string): boolean {
    return this.tree.unwatched.has(file);
  }

  /** Whether it is below what is not looked into. */
  isHidden(file: string): boolean {
    return foldersAbove(file).some((folder) => this.tree.unwatched.has(folder));
  }

  isEmpty(folder: string): boolean {
    return !this.filled.has(folder);
  }
}

/** How the ignored files next to a file are named together. */
function restAbove(file: string): string {
  return restOf(foldersAbove(file).at(-1) ?? '');
}

/** Whether it can be written again on every system. */
function isPortable(file: string): boolean {
  try {
    pathParts(file);
    return true;
  } catch (error) {
    if (error instanceof WorkspaceFileError) return false;
    throw error;
  }
}

function kindOf(stat: BigIntStats): TreeEntry {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  return stat.isSymbolicLink() ? 'link' : 'other';
}

function marksOf({ ino, size, mtimeNs, ctimeNs, mode, uid, gid, nlink }: BigIntStats): Marks {
  const body = [ino, size, mtimeNs].join(' ');
  return {
    stamp: [body, ctimeNs, mode].join(' '),
    body,
    mode: Number(mode),
    uid: Number(uid),
    gid: Number(gid),
    names: Number(nlink),
  };
}

function modeOf({ mode }: Marks): number | undefined {
  return hasModes ? permissionsOf({ mode: BigInt(mode) }) : undefined;
}

function folderContent(marks: Marks): FileContent {
  return { bytes: new Uint8Array(), mode: modeOf(marks), kind: 'folder' };
}

function isSameContent(a: FileContent | 'unknown', b: FoundChange['after']): boolean {
  if (a === 'unknown' || b === 'unknown' || b === null) return false;
  const canRun = ({ mode = 0 }: FileContent): boolean => (mode & EXECUTABLE) !== 0;
  return canRun(a) === canRun(b) && Buffer.compare(a.bytes, b.bytes) === 0;
}

/** Whether there is something about it that what comes back in its place does not have. */
function isSpecial({ kind, marks }: KnownEntry): boolean {
  const { mode, uid, gid, names } = marks;
  // Of a folder, the number counts the folders in it.
  if (!isPlain({ mode, uid, gid, nlink: kind === 'file' ? names : 1 })) return true;
  return hasModes && kind === 'folder' && (mode & OWNER) !== OWNER;
}

function hasOtherOwnerOrMode(
  { marks: { mode, uid, gid } }: KnownEntry,
  now: Marks,
  { isExecutionKept }: { readonly isExecutionKept: boolean },
): boolean {
  const bits = mode ^ now.mode;
  // With the permission to run it, a restore sets all of them.
  const isRestored = isExecutionKept && (bits & EXECUTABLE) !== 0;
  const others = isRestored ? SPECIAL : SPECIAL | 0o777;
  return uid !== now.uid || gid !== now.gid || (hasModes && (bits & others) !== 0);
}

/** Of two files or links. */
function hasOtherAttributes(known: KnownEntry, now: Marks, isSame: boolean): boolean {
  if (known.kind === 'other') return false;
  if (hasOtherOwnerOrMode(known, now, { isExecutionKept: known.kind === 'file' })) return true;
  if (known.kind !== 'file') return false;
  if (now.names < known.marks.names) return true;
  // Nothing but the time of its last change of any kind differs: it was about what Node does not show.
  const isMode = known.marks.mode !== now.mode;
  return isSame && !isMode && now.names === known.marks.names && now.body === known.marks.body;
}

async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(items.slice(at, at + AT_ONCE).map(work));
  }
}
