import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isGitName } from '../../fileNames.ts';
import { isRepository } from '../../gitRepository.ts';
import { usuallyIgnored } from '../../ignoredFolders.ts';
import { isSecretName, protectionOf } from '../../protectedFiles.ts';
import { WallError } from '../../sandbox.ts';
import { linuxPlaces, macPlaces, secretPlaces, systemSecrets, toolPlaces } from '../../walls/walledPlaces.ts';
import { isAtOrBelow, type Walls } from '../../walls/walls.ts';

interface PathKind {
  readonly isProtected: boolean;
  readonly isSecret: boolean;
}

/** What paths mean, by their names alone: there are many rules, and the same paths before each command. */
export class PathKinds {
  private readonly known = new Map<string, PathKind>();

  /** @param path below an open folder; `/` at its end: what is in that folder */
  of(path: string): PathKind {
    let kind = this.known.get(path);
    if (!kind) {
      const file = path.endsWith('/') ? `${path}_` : path;
      kind = { isProtected: protectionOf(file) !== undefined, isSecret: isSecretName(file) };
      if (this.known.size >= MAX_SEEN) this.known.clear();
      this.known.set(path, kind);
    }
    return kind;
  }
}

export interface WalledMachine {
  readonly system: 'linux' | 'darwin';
  /** The user's own folder. */
  readonly home: string;
  /** The folders that programs are looked for in. */
  readonly programFolders: readonly string[];
  readonly kinds: PathKinds;
}

export interface WalledFolders {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly temporary: string;
  readonly shell: string;
}

/** How many files and folders are looked at, and how many of them may be places of their own in a sandbox. */
const MAX_SEEN = 300_000;
const MAX_PLACES = 1_500;

/** What is protected in the folders that may be written. */
export interface ProtectedPlaces {
  readonly kept: readonly string[];
  /** Those of them that are repositories by what is in them, whatever they are called. */
  readonly repositories: ReadonlySet<string>;
  /** Links with protected names, and where they lead. */
  readonly links: ReadonlyMap<string, string>;
  /** There is too much to be looked through. */
  readonly isCut: boolean;
}

export async function findProtected(
  machine: WalledMachine,
  folders: WalledFolders,
): Promise<ProtectedPlaces> {
  const { writable, outer } = await rootsOf(machine, folders);
  const found = new FoundPlaces(writable, machine.kinds);
  let isCut = false;
  for (const each of outer) {
    await found.walk(each).catch((error: unknown) => {
      if (!(error instanceof WallError)) throw error;
      isCut = true;
    });
  }
  return { ...found.protected(), isCut };
}

async function rootsOf({ home }: WalledMachine, folders: WalledFolders) {
  const writable = await realPaths(folders.writable);
  const readable = await realPaths(folders.readable);
  const tops = await realPaths(
    await Promise.all([...writable, ...readable].map(async (each) => (await topOf(each, home)) ?? each)),
  );
  return { writable, readable, tops, outer: outermost([...writable, ...readable, ...tops]) };
}

/** Looks at the machine and the folders as they are now. @throws WallError */
export async function findWalls(
  machine: WalledMachine,
  folders: WalledFolders,
): Promise<{ readonly walls: Walls; readonly before: ProtectedPlaces }> {
  const { writable, readable, tops, outer } = await rootsOf(machine, folders);
  const found = new FoundPlaces(writable, machine.kinds);
  for (const each of outer) await found.walk(each);
  const repositories = await realPaths(await repositoriesOf([...new Set([...writable, ...tops])]));
  const { places, links } = await placesOf(machine);
  const visible = outermost([
    ...(await realPaths(places)),
    ...(await programPlaces(machine, [...machine.programFolders, path.dirname(folders.shell)], writable)),
    ...repositories,
    ...tops,
    ...readable,
  ]);
  const isVisible = (each: string): boolean =>
    [...visible, ...writable].some((folder) => isAtOrBelow(folder, each));
  const secrets = await existing(
    [...secretPlaces.map((each) => path.join(machine.home, each)), ...systemSecrets].filter(isVisible),
  );
  // What the user has opened is not hidden.
  const isOpened = (folder: string): boolean => writable.some((each) => isAtOrBelow(folder, each));
  const walls: Walls = {
    readable: visible,
    links,
    writable,
    held: [],
    kept: [...found.kept, ...repositories.filter((each) => writable.some((root) => isAtOrBelow(root, each)))],
    hiddenFiles: [...found.secretFiles, ...secrets.files],
    hiddenFolders: [...found.secretFolders, ...secrets.folders].filter((each) => !isOpened(each)),
    temporary: folders.temporary,
  };
  return { walls, before: { ...found.protected(), isCut: false } };
}

/** What a walk through folders finds that needs a place of its own. */
class FoundPlaces {
  readonly kept: string[] = [];
  readonly secretFiles: string[] = [];
  readonly secretFolders: string[] = [];
  private readonly links = new Map<string, string>();
  private readonly repositories = new Set<string>();
  private seen = 0;

  constructor(
    private readonly writable: readonly string[],
    private readonly kinds: PathKinds,
  ) {}

  protected(): Omit<ProtectedPlaces, 'isCut'> {
    const { kept, links, repositories } = this;
    return { kept, links, repositories };
  }

  /** @param isKept it stands below what is kept whole: only secrets are looked for */
  async walk(root: string, below = '', isKept = false): Promise<void> {
    const folder = path.join(root, below);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    this.seen += entries.length;
    if (this.seen > MAX_SEEN) throw new WallError('too-many-files');
    const names = new Map(entries.map((entry) => [entry.name, entry]));
    const look = (name: string): Promise<'folder' | 'other' | undefined> => {
      const entry = names.get(name);
      return Promise.resolve(entry && (entry.isDirectory() ? 'folder' : 'other'));
    };
    if (below !== '' && (await isRepository(look))) {
      if (!isKept) this.keep(folder);
      this.repositories.add(folder);
      return;
    }
    for (const entry of entries) {
      await this.take(root, below === '' ? entry.name : `${below}/${entry.name}`, entry, isKept);
    }
  }

  private async take(root: string, below: string, entry: Dirent, isKept: boolean): Promise<void> {
    const { name } = entry;
    const at = path.join(root, below);
    // A link is no place: what it leads to is looked at where it is.
    if (entry.isSymbolicLink()) {
      if (!isKept && this.isNamed(below, name)) this.links.set(at, await readlink(at).catch(() => ''));
      return;
    }
    const isFolder = entry.isDirectory();
    const kind = this.kinds.of(isFolder ? `${below}/` : below);
    const isProtected = isGitName(name) || kind.isProtected;
    if (isProtected && !isKept) this.keep(at);
    if (kind.isSecret) this.add(isFolder ? this.secretFolders : this.secretFiles, at);
    else if (isFolder && !usuallyIgnored.has(name)) await this.walk(root, below, isKept || isProtected);
  }

  /** Whether a file or a folder with this name is protected. */
  private isNamed(below: string, name: string): boolean {
    return isGitName(name) || [below, `${below}/`].some((each) => this.kinds.of(each).isProtected);
  }

  private keep(at: string): void {
    if (this.writable.some((root) => isAtOrBelow(root, at))) this.add(this.kept, at);
  }

  private add(list: string[], at: string): void {
    list.push(at);
    if (this.kept.length + this.secretFiles.length + this.secretFolders.length > MAX_PLACES)
      throw new WallError('too-many-files');
  }
}

/** The folder of the repository that a folder is in; undefined: it is in none, or that is the user's own folder. */
async function topOf(folder: string, home: string): Promise<string | undefined> {
  for (let at = folder; !isAtOrBelow(at, home) && at !== '/'; at = path.dirname(at)) {
    const git = path.join(at, '.git');
    const kind = await kindOf(git);
    if (kind === 'other' || (kind === 'folder' && (await looksLikeRepository(git)))) return at;
  }
  return undefined;
}

/** Where the repositories of folders are, for those whose `.git` only says so, and the objects that they share. */
async function repositoriesOf(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const add = async (folder: string, isWhole: boolean): Promise<void> => {
    if (found.includes(folder) || (isWhole && !(await looksLikeRepository(folder)))) return;
    found.push(folder);
    const common = await firstLine(path.join(folder, 'commondir'));
    if (common !== undefined) await add(path.resolve(folder, common), true);
    const shared = await textOf(path.join(folder, 'objects', 'info', 'alternates'));
    for (const line of shared?.split('\n') ?? []) {
      const objects = path.resolve(folder, 'objects', line.trim());
      if (line.trim() !== '' && path.basename(objects) === 'objects') await add(path.dirname(objects), true);
    }
  };
  for (const folder of folders) {
    const link = /^gitdir: (.+)$/u.exec((await firstLine(path.join(folder, '.git'))) ?? '')?.[1];
    await add(link === undefined ? path.join(folder, '.git') : path.resolve(folder, link), true);
  }
  return found;
}

async function looksLikeRepository(folder: string): Promise<boolean> {
  return isRepository(async (name) => kindOf(path.join(folder, name)));
}

async function placesOf({
  system,
  home,
}: WalledMachine): Promise<{ readonly places: readonly string[]; readonly links: Walls['links'] }> {
  const links: (readonly [string, string])[] = [];
  const places: string[] = [];
  for (const each of system === 'linux' ? linuxPlaces : macPlaces) {
    const target = await readlink(each).catch(() => undefined);
    if (target === undefined) places.push(each);
    else links.push([each, target]);
  }
  return { places: [...places, ...toolPlaces.map((each) => path.join(home, each))], links };
}

/** Of programs on the path: `bin` in its own folder, whose other parts they need; of the user's own folder no more. */
async function programPlaces(
  { home }: WalledMachine,
  folders: readonly string[],
  writable: readonly string[],
): Promise<readonly string[]> {
  const real = await realPaths(folders.filter((each) => path.isAbsolute(each)));
  return Promise.all(
    real.map(async (folder) => {
      const above = path.dirname(folder);
      if ([home, path.join(home, '.local'), ...writable].some((each) => isAtOrBelow(above, each)))
        return folder;
      const parts = await readdir(above).catch(() => []);
      const isOwn = ['bin', 'sbin', 'shims'].includes(path.basename(folder));
      return isOwn && parts.some((each) => ['lib', 'libexec', 'versions'].includes(each)) ? above : folder;
    }),
  );
}

/** Those that exist, without links in them. */
async function realPaths(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((each) => realpath(each).catch(() => undefined)));
  return [...new Set(real.filter((each) => each !== undefined))];
}

/** Without those that are below others. */
function outermost(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter(
    (each) => !paths.some((other) => other !== each && isAtOrBelow(other, each)),
  );
}

async function existing(
  paths: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  for (const each of paths) {
    const kind = await kindOf(each);
    if (kind !== undefined) (kind === 'folder' ? folders : files).push(await realpath(each));
  }
  return { files, folders };
}

async function kindOf(file: string): Promise<'folder' | 'other' | undefined> {
  const found = await lstat(file).catch(() => undefined);
  return found && (found.isDirectory() ? 'folder' : 'other');
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

async function firstLine(file: string): Promise<string | undefined> {
  return (await textOf(file))?.split('\n')[0]?.trim();
}
