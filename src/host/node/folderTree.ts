import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isGitName } from '../fileNames.ts';
import { isRepository } from '../gitRepository.ts';
import { usuallyIgnored } from '../ignoredFolders.ts';
import { gitFiles, type CleanFile, type GitFiles } from './gitFiles.ts';

/** `other`: a pipe, a socket, a device. */
export type TreeEntry = 'file' | 'link' | 'folder' | 'other';

/** What is in a folder at one moment. Paths are below it, with `/` between the parts. */
export interface FolderTree {
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The files that git has as they are. */
  readonly clean: ReadonlyMap<string, CleanFile>;
  /** By the folder of each repository, what changes with its own data. */
  readonly repositories: ReadonlyMap<string, string>;
  /**
   * What is not looked into: folders, files that are not known by their names, and, as `folder/*`, the files of a
   * folder that git ignores.
   */
  readonly unwatched: ReadonlySet<string>;
}

export interface TreeOptions {
  /** How many files there may be; less what was found when it is read. */
  readonly room: { files: number };
  /** What is not to be looked into; it is `unwatched` again. */
  readonly skip: ReadonlySet<string>;
  /** Whether it is to be known which files git has as they are. */
  readonly withObjects: boolean;
}

/**
 * Reads a folder with the repositories in it, each by its own git. Links are never followed. What a repository ignores
 * is read last, as far as there is room, and so is each repository within.
 * @returns undefined when the files of the folder itself are too many
 */
export async function readTree(root: string, options: TreeOptions): Promise<FolderTree | undefined> {
  const reader = new TreeReader(root, options);
  return (await reader.readAll()) ? reader : undefined;
}

/** The maximum number of files in one folder that git ignores: more of them are generated, or downloaded. */
const MAX_IGNORED = 10_000;

/** The maximum number of folders in one part. */
const MAX_FOLDERS = 50_000;

/** The maximum number of repositories that git is asked about; files of others are copied. */
const MAX_REPOSITORIES = 100;

/** How many folders are read concurrently. */
const AT_ONCE = 100;

interface Repository {
  /** Its folder. */
  readonly base: string;
  readonly files: GitFiles;
  /** The folders that have something in them that is not ignored. */
  readonly folders: ReadonlySet<string>;
}

/** What is read whole or not at all. */
interface Part {
  readonly top: string;
  /** Whether the top is the folder of a repository, or of the workspace. */
  readonly isOwn: boolean;
  /** Undefined without git, and in what it ignores. */
  readonly repository: Repository | undefined;
  readonly limit: number;
}

/** What was found of a part. */
interface Found {
  readonly entries: Map<string, TreeEntry>;
  readonly unwatched: Set<string>;
  readonly repositories: string[];
  readonly ignoredFolders: string[];
  /** By their folder. */
  readonly ignoredFiles: Map<string, [string, TreeEntry][]>;
  /** How many of the entries are no folders. */
  files: number;
}

class TreeReader implements FolderTree {
  readonly entries = new Map<string, TreeEntry>();
  readonly clean = new Map<string, CleanFile>();
  readonly repositories = new Map<string, string>();
  readonly unwatched = new Set<string>();
  private readonly laterRepositories: string[] = [];
  private readonly laterFolders: string[] = [];
  private readonly laterFiles: (readonly [folder: string, files: readonly [string, TreeEntry][]])[] = [];

  constructor(
    private readonly root: string,
    private readonly options: TreeOptions,
  ) {}

  /** @returns false when the folder itself has too many files */
  async readAll(): Promise<boolean> {
    const { room } = this.options;
    if (!(await this.readRepository(''))) return false;
    for (;;) {
      const repository = this.laterRepositories.shift();
      if (repository !== undefined) {
        if (!(await this.readRepository(repository))) this.unwatched.add(repository);
        continue;
      }
      const folder = this.laterFolders.shift();
      if (folder === undefined) break;
      const limit = Math.min(room.files, MAX_IGNORED);
      const part = { top: folder, isOwn: false, repository: undefined, limit };
      if (!(await this.readPart(part))) this.unwatched.add(folder);
    }
    for (const [folder, files] of this.laterFiles) {
      if (files.length > room.files || files.length > MAX_IGNORED) this.unwatched.add(restOf(folder));
      else this.add(files);
    }
    return true;
  }

  private async readRepository(base: string): Promise<boolean> {
    const isAsked = this.repositories.size < MAX_REPOSITORIES;
    const { withObjects, room } = this.options;
    const files = isAsked ? await gitFiles(path.join(this.root, base), { withObjects }) : undefined;
    const repository = files && { base, files, folders: foldersIn(files.paths) };
    if (!(await this.readPart({ top: base, isOwn: true, repository, limit: room.files }))) return false;
    if (!files) return true;
    this.repositories.set(base, files.mark);
    for (const [file, clean] of files.clean) this.clean.set(below(base, file), clean);
    return true;
  }

  /** @returns false when it has too many files: then nothing of it counts */
  private async readPart(part: Part): Promise<boolean> {
    const found: Found = {
      entries: new Map(),
      unwatched: new Set(),
      repositories: [],
      ignoredFolders: [],
      ignoredFiles: new Map(),
      files: 0,
    };
    let count = 1;
    for (let open = [part.top]; open.length > 0; count += open.length) {
      if (count > MAX_FOLDERS) return false;
      const inside: string[] = [];
      for (let at = 0; at < open.length; at += AT_ONCE) {
        if (found.files > part.limit) return false;
        const some = open.slice(at, at + AT_ONCE);
        const lists = await Promise.all(some.map((folder) => this.list(folder)));
        for (const [index, folder] of some.entries()) {
          for (const each of await this.sort(folder, lists[index], part, found)) inside.push(each);
        }
      }
      open = inside;
    }
    if (found.files > part.limit) return false;
    this.add([...found.entries]);
    for (const each of found.unwatched) this.unwatched.add(each);
    this.laterRepositories.push(...found.repositories);
    this.laterFolders.push(...found.ignoredFolders);
    this.laterFiles.push(...found.ignoredFiles);
    return true;
  }

  private add(entries: readonly (readonly [string, TreeEntry])[]): void {
    for (const [name, kind] of entries) {
      this.entries.set(name, kind);
      if (kind !== 'folder') this.options.room.files -= 1;
    }
  }

  private async list(folder: string): Promise<Map<string, TreeEntry> | undefined> {
    const found = await readdir(path.join(this.root, folder), { withFileTypes: true }).catch(() => undefined);
    return found && new Map(found.map((entry) => [entry.name, kindOf(entry)] as const));
  }

  /** Sorts what is in a folder into `found`. @returns the folders in it that belong to the same part */
  private async sort(
    folder: string,
    entries: ReadonlyMap<string, TreeEntry> | undefined,
    { top, isOwn, repository }: Part,
    found: Found,
  ): Promise<string[]> {
    // It cannot be read, or it is git's own data without a working tree.
    if (!entries || (await isGitsOwn(entries))) {
      found.unwatched.add(folder);
      return [];
    }
    const marker = [...entries.keys()].find(isGitName);
    if (marker !== undefined && !(isOwn && folder === top)) {
      found.repositories.push(folder);
      return [];
    }
    // Git does not know it: what it has of its own is not known either.
    if (marker !== undefined && repository?.base !== folder) found.unwatched.add(below(folder, marker));
    const inside: string[] = [];
    for (const [name, kind] of entries) {
      if (isGitName(name)) continue;
      const at = below(folder, name);
      if (name.includes('\uFFFD')) found.unwatched.add(at);
      else if (kind === 'folder') this.sortFolder(at, name, repository, found, inside);
      else this.sortFile(at, folder, kind, repository, found);
    }
    return inside;
  }

  private sortFolder(
    at: string,
    name: string,
    repository: Repository | undefined,
    found: Found,
    inside: string[],
  ): void {
    found.entries.set(at, 'folder');
    const isListed = repository?.folders.has(pathIn(repository, at)) === true;
    const isGenerated = usuallyIgnored.has(name) && !isListed;
    if (isGenerated || this.options.skip.has(at)) found.unwatched.add(at);
    else if (repository && !isListed) found.ignoredFolders.push(at);
    else inside.push(at);
  }

  private sortFile(
    at: string,
    folder: string,
    kind: TreeEntry,
    repository: Repository | undefined,
    found: Found,
  ): void {
    if (repository && !repository.files.paths.has(pathIn(repository, at))) {
      const rest = restOf(folder);
      const known = found.ignoredFiles.get(folder);
      if (this.options.skip.has(rest)) found.unwatched.add(rest);
      else if (known) known.push([at, kind]);
      else found.ignoredFiles.set(folder, [[at, kind]]);
      return;
    }
    found.entries.set(at, kind);
    found.files += 1;
  }
}

function kindOf(entry: Dirent): TreeEntry {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Whether the names are those of a repository itself. */
function isGitsOwn(entries: ReadonlyMap<string, TreeEntry>): Promise<boolean> {
  return isRepository((name) => {
    const kind = entries.get(name);
    return Promise.resolve(kind && (kind === 'folder' ? 'folder' : 'other'));
  });
}

function pathIn({ base }: Repository, at: string): string {
  return base === '' ? at : at.slice(base.length + 1);
}

export function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** How the files of a folder that git ignores are named together. */
export function restOf(folder: string): string {
  return below(folder, '*');
}

/** `a` and `a/b` of `a/b/c`. */
export function foldersAbove(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The folders of paths, and the paths themselves: some are folders of other repositories. */
function foldersIn(paths: ReadonlySet<string>): ReadonlySet<string> {
  const folders = new Set<string>(paths);
  for (const file of paths) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
