import type { BigIntStats } from 'node:fs';
import { realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { isGitName } from '../fileNames.ts';
import { isStillInRepository } from '../gitRepository.ts';
import { pathParts, refuseGitNames, shownPath } from '../pathSyntax.ts';
import { protectionOf, isSecretName, type ProtectionReason } from '../protectedFiles.ts';
import {
  hasReadOnlyMode,
  WorkspaceFileError,
  type FileIdentity,
  type FileLocation,
  type WorkspaceFolder,
} from '../workspaceFiles.ts';
import { isPlain, permissionsOf } from './fileModes.ts';
import { NotAFolderError, OpenFolder } from './openFolder.ts';
import { isInRepository, lookInto, refuseCompletion } from './repositories.ts';
import {
  innermost,
  isInside,
  namedFolder,
  relativeParts,
  resolveLinks,
  type WorkspaceRoot,
} from './workspaceRoots.ts';

/** As `GuardedFile`, with a path on this machine in place of its URI. */
export interface GuardedPath extends FileLocation {
  readonly fsPath: string;
  readonly shown: string;
  readonly protection: ProtectionReason | undefined;
  readonly isSecret: boolean;
  readonly isReadOnly: boolean;
  readonly isPlain: boolean;
  readonly identity: FileIdentity;
}

export interface EnterOptions {
  /** Missing folders are made, and their paths are added to this. */
  readonly made?: string[];
  /** Allows names that do not mean the same on every system. */
  readonly isForReading?: boolean;
  /** Rejects paths whose missing folders could not be made; none is made yet. */
  readonly isToBeMade?: boolean;
  /** The expected identities along the path, from an earlier check. */
  readonly identity?: FileIdentity | undefined;
  /** Receives the identity of each folder that is entered. */
  readonly entered?: string[];
}

/**
 * Keeps all code that names files within the workspace folders and out of git repositories: tools of the model,
 * restored files, links in answers, attachments, instructions. Paths are resolved once; after that the path is walked
 * folder by folder without following any link, so that it cannot lead elsewhere later.
 */
export class PathGuard {
  /** @param folders called on each use, because they change */
  constructor(private readonly folders: () => readonly WorkspaceFolder[]) {}

  /** By the real path of a workspace folder, whether it is in a repository: nothing above it is written here. */
  private readonly above = new Map<string, Promise<boolean>>();

  /** It need not exist, and nothing is created. @throws WorkspaceFileError */
  async resolve(given: string): Promise<GuardedPath> {
    const folders = this.folders();
    if (folders.length === 0) throw new WorkspaceFileError('no-folder', given);
    const { folder, rest } = await namedFolder(folders, given);
    const lexical = path.resolve(folder.root, ...rest);
    if (!isInside(folder.root, lexical)) throw new WorkspaceFileError('outside-workspace', given);
    const named = relativeParts(folder.root, lexical);
    refuseGitNames(named, given);
    return this.place(await resolveLinks(lexical, given), { given, named: named.join('/') });
  }

  /** As {@link resolve}, for writing: the name must mean the same on every system, and complete no repository. */
  async resolveForWriting(given: string): Promise<GuardedPath> {
    const at = await this.resolve(given);
    await this.checkWrite(at);
    return at;
  }

  /** @throws WorkspaceFileError when a file must not be written there; nothing is made */
  async checkWrite(file: FileLocation): Promise<void> {
    await this.inFolderOf(file, { isToBeMade: true }, (folder, name) =>
      refuseCompletion(folder, name, 'file', file.path),
    );
  }

  /** Whether its workspace folder is open. */
  hasFolder({ folder }: FileLocation): boolean {
    return this.folders().some(({ uri }) => uri === folder);
  }

  /** Those in the workspace folders and in no repository. They are not opened. */
  async nameable(fsPaths: readonly string[]): Promise<Pick<GuardedPath, 'fsPath' | 'shown' | 'isSecret'>[]> {
    const roots = await this.roots();
    const known = new Map<string, Promise<string | undefined>>();
    const found = await Promise.all(
      fsPaths.map(async (fsPath) => {
        const dirname = path.dirname(fsPath);
        const entered = known.get(dirname) ?? this.enterable(dirname, roots);
        known.set(dirname, entered);
        const real = await entered;
        if (real === undefined || isGitName(path.basename(fsPath))) return [];
        const file = path.join(real, path.basename(fsPath));
        const inner = innermost(roots, file);
        if (!inner) return [];
        const below = relativeParts(inner.root, file).join('/');
        const shown = shownPath(roots.length, inner.folder.name, below);
        return [{ fsPath, shown, isSecret: isSecretName(below) }];
      }),
    );
    return found.flat();
  }

  /** @throws WorkspaceFileError when it does not exist, or is not a file */
  async withFile<T>(
    at: FileLocation & { readonly shown: string },
    work: (file: FileHandle) => Promise<T>,
  ): Promise<T> {
    if (at.path === '') throw new WorkspaceFileError('is-folder', at.shown);
    const result = await this.inFolderOf(at, { isForReading: true }, async (folder, name) => {
      const found = await folder.stat(name);
      if (!found) throw new WorkspaceFileError('not-found', at.shown);
      if (found.isDirectory()) throw new WorkspaceFileError('is-folder', at.shown);
      await using file = await folder.openFile(name);
      if (!file) throw new WorkspaceFileError('not-a-file', at.shown);
      return { value: await work(file) };
    });
    if (!result) throw new WorkspaceFileError('not-found', at.shown);
    return result.value;
  }

  /** The contents of a folder, except repositories. @throws WorkspaceFileError when there is no such folder */
  async list(at: GuardedPath): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
    const inside = { folder: at.folder, path: at.path === '' ? ANY_NAME : `${at.path}/${ANY_NAME}` };
    const found = await this.inFolderOf(inside, { isForReading: true }, (folder) => folder.list());
    if (!found) throw new WorkspaceFileError('not-found', at.shown);
    return found.filter(({ name }) => !isGitName(name));
  }

  /**
   * Runs work in the folder of a file, held open as far as the system can; undefined when it does not exist.
   * @throws WorkspaceFileError when the path contains a link or a repository, or is not the expected one
   */
  async inFolderOf<T>(
    file: FileLocation,
    { made, isToBeMade = made !== undefined, isForReading = false, identity, entered }: EnterOptions,
    work: (folder: OpenFolder, name: string) => Promise<T>,
  ): Promise<T | undefined> {
    const parts = isForReading ? partsToRead(file.path) : pathParts(file.path);
    const name = parts.pop() ?? '';
    const workspace = this.folders().find(({ uri }) => uri === file.folder);
    if (!workspace) throw new WorkspaceFileError('outside-workspace', file.path);
    let folder = await OpenFolder.root(workspace.root);
    let depth = 0;
    let inRepository = false;
    const arrive = async (): Promise<void> => {
      const expected = identity?.folders[depth];
      depth += 1;
      if (expected === undefined && !entered) return;
      const own = identityOf(await folder.ownStat());
      entered?.push(own);
      if (expected !== undefined && own !== expected) throw new WorkspaceFileError('changed', file.path);
    };
    try {
      refuseGitNames(folder.path.split(path.sep), file.path);
      inRepository = await isStillInRepository(await this.isBelowRepository(folder.path), lookInto(folder));
      await arrive();
      for (const [index, part] of parts.entries()) {
        if (isToBeMade && !(await folder.stat(part))) {
          if (inRepository) throw new WorkspaceFileError('git-repository', file.path);
          await refuseCompletion(folder, part, 'folder', file.path);
          if (!made) return undefined;
          if (await folder.make(part)) made.push(parts.slice(0, index + 1).join('/'));
        }
        const inside = await folder.enter(part);
        if (!inside) break;
        await folder.close();
        folder = inside;
        await arrive();
        inRepository = await isStillInRepository(inRepository, lookInto(folder));
      }
      if (inRepository) throw new WorkspaceFileError('git-repository', file.path);
      return depth > parts.length ? await work(folder, name) : undefined;
    } catch (error) {
      if (!(error instanceof NotAFolderError)) throw error;
      if (inRepository) throw new WorkspaceFileError('git-repository', file.path);
      // Nothing can be below a file.
      if (!error.isLink && !made) return undefined;
      throw new WorkspaceFileError(error.isLink ? 'outside-workspace' : 'not-a-file', file.path);
    } finally {
      await folder.close();
    }
  }

  private async place(
    real: string,
    { given, named }: { given: string; named: string },
  ): Promise<GuardedPath> {
    const roots = await this.roots();
    const inner = innermost(roots, real);
    if (!inner) throw new WorkspaceFileError('outside-workspace', given);
    const parts = relativeParts(inner.root, real);
    refuseGitNames(parts, given);
    const below = parts.join('/');
    const location = { folder: inner.folder.uri, path: below };
    const { identity, found } = await this.identify(location);
    return {
      ...location,
      fsPath: real,
      shown: shownPath(this.folders().length, inner.folder.name, below),
      // Checks both the given name and its target: a link must not hide either.
      protection: protectionOf(below) ?? protectionOf(named),
      isSecret: isSecretName(below) || isSecretName(named),
      isReadOnly: found?.isFile() === true && hasReadOnlyMode(permissionsOf(found)),
      isPlain: !found?.isFile() || isPlain(found),
      identity,
    };
  }

  private async identify({
    folder,
    path: below,
  }: FileLocation): Promise<{ identity: FileIdentity; found: BigIntStats | undefined }> {
    const folders: string[] = [];
    const found = await this.inFolderOf(
      { folder, path: below === '' ? ANY_NAME : below },
      { entered: folders, isForReading: true },
      async (opened, name) => (below === '' ? undefined : opened.stat(name)),
    );
    return { identity: { file: found && identityOf(found), folders }, found };
  }

  private isBelowRepository(root: string): Promise<boolean> {
    const above = path.dirname(root);
    const known = this.above.get(root) ?? (above === root ? Promise.resolve(false) : isInRepository(above));
    this.above.set(root, known);
    return known;
  }

  private async roots(): Promise<WorkspaceRoot[]> {
    const roots = this.folders().map(async (folder) => {
      const root = await realpath(folder.root).catch(() => undefined);
      return root === undefined ? [] : [{ folder, root }];
    });
    return (await Promise.all(roots)).flat();
  }

  /** The real path of a folder if files in it may be named. */
  private async enterable(dirname: string, roots: readonly WorkspaceRoot[]): Promise<string | undefined> {
    const real = await realpath(dirname).catch(() => undefined);
    if (real === undefined || !innermost(roots, real)) return undefined;
    if (real.split(path.sep).some(isGitName)) return undefined;
    return (await isInRepository(real)) ? undefined : real;
  }
}

/** To examine a folder, any name in it is used. */
const ANY_NAME = 'any';

export function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** Names that are not portable may be read. */
function partsToRead(file: string): string[] {
  const parts = file.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) {
    throw new WorkspaceFileError('invalid-path', file);
  }
  refuseGitNames(parts, file);
  return parts;
}
