import { completesRepository, isStillInRepository, type LookInto } from '../gitRepository.ts';
import { pathParts, refuseGitNames } from '../pathSyntax.ts';
import type { UriEntry, UriFiles } from '../uriFiles.ts';
import { WorkspaceFileError, type FileLocation, type OpenedFolder } from '../workspaceFiles.ts';
import { uriAt } from './virtualPaths.ts';

export interface WayTo {
  readonly uri: string;
  /** Undefined when there is none. */
  readonly entry: UriEntry | undefined;
  /** The missing folders on the path, outermost first. */
  readonly missing: readonly string[];
}

/** As `PathGuard`, for folders by URI. No part of a path may be a link, because its target is not available. */
export class VirtualFolders {
  /** @param folders called on each use, because they change */
  constructor(
    private readonly files: UriFiles,
    readonly folders: () => readonly OpenedFolder[],
  ) {}

  /** @throws WorkspaceFileError when the path contains a link or a repository */
  async wayTo(file: FileLocation, { isForReading }: { isForReading: boolean }): Promise<WayTo> {
    const parts = isForReading ? partsToRead(file.path) : pathParts(file.path);
    if (!this.folders().some(({ uri }) => uri === file.folder)) {
      throw new WorkspaceFileError('outside-workspace', file.path);
    }
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const on = paths.slice(0, -1);
    const [entries, marks] = await Promise.all([
      Promise.all(paths.map((path) => this.files.stat(uriAt({ folder: file.folder, path })))),
      Promise.all(['', ...on].map((path) => this.marksOf({ folder: file.folder, path }))),
    ]);
    const missing: string[] = [];
    for (const [index, path] of paths.entries()) {
      const entry = entries[index];
      if (entry?.isLink === true) {
        throw new WorkspaceFileError(index < on.length ? 'outside-workspace' : 'not-a-file', file.path);
      }
      if (index === on.length) break;
      if (!entry) missing.push(path);
      else if (entry.kind !== 'folder') throw new WorkspaceFileError('not-a-file', file.path);
    }
    let inRepository = false;
    for (const look of marks) inRepository = await isStillInRepository(inRepository, look);
    if (inRepository) throw new WorkspaceFileError('git-repository', file.path);
    return { uri: uriAt(file), entry: entries.at(-1), missing };
  }

  /** @throws WorkspaceFileError when a file must not be written there */
  async wayToWrite(file: FileLocation): Promise<WayTo> {
    const way = await this.wayTo(file, { isForReading: false });
    if (this.files.isWritable(way.uri) === false || way.entry?.isReadOnly === true) {
      throw new WorkspaceFileError('read-only', file.path);
    }
    if (way.entry && way.entry.kind !== 'file') throw new WorkspaceFileError('not-a-file', file.path);
    for (const path of way.missing) {
      await this.refuseCompletion({ folder: file.folder, path }, 'folder', file.path);
    }
    await this.refuseCompletion(file, 'file', file.path);
    return way;
  }

  private async refuseCompletion(
    { folder, path }: FileLocation,
    kind: 'folder' | 'file',
    shown: string,
  ): Promise<void> {
    const end = path.lastIndexOf('/');
    const look = this.lookInto({ folder, path: path.slice(0, Math.max(0, end)) });
    if (await completesRepository(path.slice(end + 1), kind, look)) {
      throw new WorkspaceFileError('git-repository', shown);
    }
  }

  /** Reads them in parallel when they are likely to be needed: each request may go to another machine. */
  private async marksOf(folder: FileLocation): Promise<LookInto> {
    const look = this.lookInto(folder);
    const head = await look('HEAD');
    return (name) => (name === 'HEAD' ? Promise.resolve(head) : look(name));
  }

  private lookInto({ folder, path }: FileLocation): LookInto {
    return async (name) => {
      const entry = await this.files.stat(uriAt({ folder, path: path === '' ? name : `${path}/${name}` }));
      return entry && (entry.kind === 'folder' && !entry.isLink ? 'folder' : 'other');
    };
  }
}

/** Names that are not portable may be read; the empty path is the folder itself. */
function partsToRead(path: string): string[] {
  if (path === '') return [];
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) {
    throw new WorkspaceFileError('invalid-path', path);
  }
  refuseGitNames(parts, path);
  return parts;
}
