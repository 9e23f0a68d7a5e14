import type { Host } from '../../host/hostMachine.ts';
import { delay } from '../../host/timers.ts';
import { StorageFiles } from '../durable/storageFiles.ts';
import type { ProjectIndex } from './projectIndex.ts';
import { matchFolders, matchProject, type MatchKind } from './projectMatch.ts';
import { readRecord, type ProjectFolder, type ProjectRecord } from './projectRecord.ts';

/** In the storage folder of a workspace: its record. */
const RECORD = 'offshoot.project';

/** How long git may take while a window waits to show its chats, in milliseconds. */
const GIT_MS = 1_500;

/** The time of use is noted again only after this many milliseconds, so that opening a window rarely writes. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/** How many storage folders are looked into at once. */
const AT_ONCE = 32;

/** What is open in this window. */
export interface OpenedWorkspace {
  readonly name: string;
  /** The URI of its file. */
  readonly file?: string | undefined;
  readonly folders: readonly { readonly uri: string; readonly name: string }[];
}

export interface ProjectsOptions {
  readonly host: Pick<Host, 'folderFacts' | 'pathOf' | 'platformFor' | 'repositoryFacts'>;
  readonly index: ProjectIndex;
  /** The URI of the storage folder that the editor gave this workspace. */
  readonly place: string;
  readonly workspace: OpenedWorkspace;
  /** Whether programs may run on the folders. */
  readonly mayRunGit: () => boolean;
  /** The URIs of the storage folders of all workspaces, where they can be listed. */
  readonly places: (() => Promise<readonly string[]>) | undefined;
  /** What the editor itself knows of a workspace by its storage folder. */
  readonly describe: (place: string) => Promise<OpenedWorkspace | undefined>;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

/** The store that a workspace uses. */
export interface ChosenStore {
  /** The URI of its folder. */
  readonly store: string;
  /** Set when this workspace uses it for the first time: the workspace that it was made in. */
  readonly from?: ProjectRecord;
}

/** Conversations of this project that are in another store. */
export interface RelatedStore {
  readonly store: string;
  readonly kind: MatchKind;
  /** Of the workspace that used it last. */
  readonly record: ProjectRecord;
}

/** Which store the conversations of an opened workspace are in, and which others have conversations of its folders. */
export class Projects {
  private known: Promise<readonly ProjectFolder[]> | undefined;
  private withGit: Promise<readonly ProjectFolder[]> | undefined;
  private rebuilding: Promise<void> | undefined;

  constructor(private readonly options: ProjectsOptions) {}

  /**
   * The store to open: the one that was chosen before; else that of this place, if there is one; else one of the same
   * folders, if there is no doubt; else that of this place, which is still to be made.
   */
  async choose(): Promise<ChosenStore> {
    const { place } = this.options;
    const own = await this.readOwn();
    if (own && own.store !== place && (await this.hasStore(own.store))) return { store: own.store };
    if (await this.hasStore(place)) return { store: place };
    for (const { kind, record } of await this.matching(await this.foldersAtOnce())) {
      if (kind !== 'same' || isRefused(own, record.store) || record.store === place) continue;
      if (await this.hasStore(record.store)) return { store: record.store, from: record };
    }
    return { store: place };
  }

  /** Notes which store this workspace uses, so that it is found again. */
  async note(store: string): Promise<void> {
    const noted = (own: ProjectRecord): ProjectRecord => ({ ...own, store });
    // The window may be left before git has answered: what is known by now comes first.
    await this.change(noted, await Promise.race([this.foldersWithGit(), this.foldersAtOnce()]));
    await this.change(noted);
  }

  /** From the next start on, this workspace uses this store. */
  async use(store: string): Promise<void> {
    await this.change((own) => ({ ...own, store, refused: own.refused.filter((each) => each !== store) }));
  }

  /** Offers the store no more. */
  async refuse(store: string): Promise<void> {
    await this.change((own) => ({ ...own, refused: [...new Set([...own.refused, store])] }));
  }

  /** @param used the store in use */
  async related(used: string): Promise<RelatedStore[]> {
    const own = await this.readOwn();
    const found = new Map<string, RelatedStore>();
    for (const { kind, record } of await this.matching(await this.foldersWithGit())) {
      const { store } = record;
      if (store === used || isRefused(own, store) || found.has(store)) continue;
      if (await this.hasStore(store)) found.set(store, { store, kind, record });
    }
    return [...found.values()];
  }

  /** The records of all workspaces with conversations, as the storage folders have them; else as the index does. */
  async all(): Promise<ProjectRecord[]> {
    const { index } = this.options;
    const known = new Map((await index.all()).records.map((record) => [record.place, record]));
    const found = await this.scan();
    if (!found) return [...known.values()];
    return found.map((record) => known.get(record.place) ?? record);
  }

  /** @param store the URI of one that was removed */
  async forget(store: string): Promise<void> {
    const { index } = this.options;
    const { records } = await index.all();
    await index.remove(records.filter((record) => record.store === store).map(({ place }) => place));
  }

  /** Writes the index again from the storage folders. */
  async rebuild(): Promise<void> {
    const found = await this.scan();
    if (found) await this.options.index.rewrite(found);
  }

  /** Whether there are conversations. @param store the URI of a folder */
  async hasStore(store: string): Promise<boolean> {
    const { host } = this.options;
    try {
      return !(await new StorageFiles(host.platformFor(store).files, host.pathOf(store)).isEmpty());
    } catch (error) {
      this.options.onError(error);
      return false;
    }
  }

  private async change(
    change: (own: ProjectRecord) => ProjectRecord,
    known?: readonly ProjectFolder[],
  ): Promise<void> {
    const { host, index, place, workspace, now } = this.options;
    const { files } = host.platformFor(place);
    const before = await this.readOwn();
    const folders = (known ?? (await this.foldersWithGit())).map((folder) => withKnownGit(folder, before));
    const { name, file } = workspace;
    const usedAt = before && now() - before.usedAt < DAY_MS ? before.usedAt : now();
    const start = { place, store: place, refused: [], ...before };
    const record = change({ ...start, name, folders, usedAt, ...(file === undefined ? {} : { file }) });
    if (JSON.stringify(record) !== JSON.stringify(before)) {
      const folder = host.pathOf(place);
      await files.ensureFolder(folder);
      await files.replace(files.join(folder, RECORD), new TextEncoder().encode(JSON.stringify(record)));
    }
    await index.put(record);
  }

  private async readOwn(): Promise<ProjectRecord | undefined> {
    const { place } = this.options;
    const record = await this.readRecordAt(place);
    // A storage folder that was copied has the record of the one it was copied from.
    return record?.place === place ? record : undefined;
  }

  private async readRecordAt(place: string): Promise<ProjectRecord | undefined> {
    const { host, onError } = this.options;
    const { files } = host.platformFor(place);
    try {
      const bytes = await files.read(files.join(host.pathOf(place), RECORD));
      return bytes && readRecord(new TextDecoder().decode(bytes));
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /** Surest first, then the one used last. */
  private async matching(
    folders: readonly ProjectFolder[],
  ): Promise<{ readonly kind: MatchKind; readonly record: ProjectRecord }[]> {
    if (folders.length === 0) return [];
    const { index } = this.options;
    let found = await index.find(folders);
    if (!found.isWhole && this.options.places) {
      await (this.rebuilding ??= this.rebuild().catch(this.options.onError));
      found = await index.find(folders);
    }
    const { records } = found;
    const sure = await this.withGitWhereReplaced(folders, records);
    return records
      .flatMap((record) => {
        const kind = matchProject(record, sure);
        return kind ? [{ kind, record }] : [];
      })
      .sort((one, other) => rank(one.kind) - rank(other.kind) || other.record.usedAt - one.record.usedAt);
  }

  /** Another folder in the same place is the same project if it is of the same repository, as one that was cloned again. */
  private async withGitWhereReplaced(
    folders: readonly ProjectFolder[],
    records: readonly ProjectRecord[],
  ): Promise<readonly ProjectFolder[]> {
    const isReplaced = records.some((record) =>
      record.folders.some(
        ({ real, git, file }) =>
          git &&
          folders.some((folder) => !folder.git && folder.real === real && folder.file?.id !== file?.id),
      ),
    );
    if (!isReplaced) return folders;
    return (await Promise.race([this.foldersWithGit(), delay(GIT_MS)])) ?? folders;
  }

  private foldersAtOnce(): Promise<readonly ProjectFolder[]> {
    return (this.known ??= this.readFolders(this.options.workspace));
  }

  private foldersWithGit(): Promise<readonly ProjectFolder[]> {
    return (this.withGit ??= this.foldersAtOnce().then((folders) => this.addGit(folders)));
  }

  private readFolders({ folders }: OpenedWorkspace): Promise<ProjectFolder[]> {
    const { host } = this.options;
    return Promise.all(folders.map(async (each) => ({ ...each, ...(await host.folderFacts(each.uri)) })));
  }

  private async addGit(folders: readonly ProjectFolder[]): Promise<ProjectFolder[]> {
    const { host, mayRunGit } = this.options;
    return Promise.all(
      folders.map(async (folder) => {
        const git = mayRunGit() ? await host.repositoryFacts?.(folder.uri) : undefined;
        return git ? { ...folder, git } : folder;
      }),
    );
  }

  /** The records of all storage folders with conversations or a record; undefined where they can't be listed. */
  private async scan(): Promise<ProjectRecord[] | undefined> {
    const places = await this.options.places?.();
    if (!places) return undefined;
    const found: ProjectRecord[] = [];
    for (let start = 0; start < places.length; start += AT_ONCE) {
      const some = await Promise.all(
        places.slice(start, start + AT_ONCE).map((place) => this.attempt(place)),
      );
      found.push(...some.filter((record) => record !== undefined));
    }
    return found;
  }

  /** One that can't be read does not keep the others from being found. */
  private async attempt(place: string): Promise<ProjectRecord | undefined> {
    try {
      return await this.recordOf(place);
    } catch (error) {
      this.options.onError(error);
      return undefined;
    }
  }

  /** Earlier versions wrote none: what the editor knows takes its place. */
  private async recordOf(place: string): Promise<ProjectRecord | undefined> {
    const { host } = this.options;
    // Most workspaces never had any chats.
    if ((await host.platformFor(place).files.names(host.pathOf(place))).length === 0) return undefined;
    const record = await this.readRecordAt(place);
    if (record?.place === place) return record;
    if (!(await this.hasStore(place))) return undefined;
    const workspace = (await this.options.describe(place)) ?? { name: '', folders: [] };
    const { name, file } = workspace;
    return {
      place,
      store: place,
      name,
      ...(file === undefined ? {} : { file }),
      folders: await this.readFolders(workspace),
      usedAt: 0,
      refused: [],
    };
  }
}

/** Git may not be asked where a folder is not trusted, and what it said before still holds. */
function withKnownGit(folder: ProjectFolder, before: ProjectRecord | undefined): ProjectFolder {
  const known = before?.folders.find((each) => matchFolders(each, folder) === 'same');
  return folder.git || !known?.git ? folder : { ...folder, git: known.git };
}

function isRefused(own: ProjectRecord | undefined, store: string): boolean {
  return own?.refused.includes(store) === true;
}

function rank(kind: MatchKind): number {
  return ['same', 'part', 'likely'].indexOf(kind);
}
