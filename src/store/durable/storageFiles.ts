import type { Files } from '../../host/files.ts';

/**
 * The names of the files in a storage folder. The snapshot of generation 7 holds everything before journal 7; only
 * it, its backup and the journals since the backup are kept, so that the backup leads to the same conversations.
 */
export class StorageFiles {
  readonly snapshot: string;
  readonly snapshotBackup: string;
  /** The snapshot being made; it is not read before it is renamed. */
  readonly nextSnapshot: string;
  readonly lock: string;
  /** Where the writing process can be reached. */
  readonly channel: string;
  /** A separate folder. */
  readonly blobs: string;

  /** @param database the name of the database file; the others are named after it */
  constructor(
    readonly files: Files,
    readonly folder: string,
    readonly database = 'offshoot.db',
  ) {
    this.snapshot = this.named('');
    this.snapshotBackup = this.named('.bak');
    this.nextSnapshot = this.named('.next');
    this.lock = this.named('.lock');
    this.channel = this.named('.channel');
    this.blobs = files.join(folder, 'blobs');
  }

  journal(generation: number): string {
    return this.named(`.${generation}.journal`);
  }

  /** The generations of the existing journals, in order. */
  async journals(): Promise<number[]> {
    const generations: number[] = [];
    for (const ending of await this.endings()) {
      const [, generation] = /^\.(\d+)\.journal$/.exec(ending) ?? [];
      if (generation !== undefined) generations.push(Number(generation));
    }
    return generations.sort((a, b) => a - b);
  }

  /** Whether nothing of the database exists. */
  async isEmpty(): Promise<boolean> {
    const endings = await this.endings();
    return !endings.some((ending) => /^(?:|\.bak|\.\d+\.journal)$/.test(ending));
  }

  /** Makes sure, before anything is touched, that only files have the names of these. @throws FileKindError */
  async check(): Promise<void> {
    const used = (await this.endings()).filter((ending) =>
      /^(?:|\.bak|\.next|\.lock|\.channel|\.\d+\.journal)$/.test(ending),
    );
    await Promise.all(used.map((ending) => this.files.stamp(this.named(ending))));
  }

  /**
   * Renames a file to a unique name, so that it is never overwritten.
   * @param why part of the name
   * @returns the new path
   */
  async setAside(path: string, why: 'damaged' | 'foreign', now: number): Promise<string> {
    const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
    const aside = this.named(`.${why}-${time}${path.slice(this.snapshot.length)}`);
    await this.files.move(path, aside);
    return aside;
  }

  /**
   * Restricts access to the files to their owner: earlier versions left that to the umask.
   * @param own the folder belongs to this program alone, so its access is restricted as well
   * @returns errors; none of them prevents opening the conversations
   */
  async protect(own: boolean): Promise<unknown[]> {
    const found = await this.files.list(this.folder);
    const ours = found.filter(
      ({ name }) => own || name === this.database || name.startsWith(`${this.database}.`),
    );
    const paths = [
      ...(own ? [this.folder] : []),
      this.blobs,
      ...ours.map(({ name }) => this.files.join(this.folder, name)),
    ];
    const done = await Promise.allSettled(paths.map((path) => this.files.protect(path)));
    return done.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
  }

  /** Removes files that a crash left half-written. Only the writer may call this. */
  async sweep(): Promise<void> {
    for (const { name } of await this.files.list(this.folder)) {
      const ending = name.startsWith(this.database) ? name.slice(this.database.length) : '';
      if (/^\.next$|^\.(?:\d+\.journal|channel)(?:\.[0-9a-f-]{36})?\.tmp$/.test(ending))
        await this.files.remove(this.named(ending));
    }
  }

  /** What the names in the folder that begin with the one of the database end with. */
  private async endings(): Promise<string[]> {
    const names = await this.files.names(this.folder);
    return names
      .filter((name) => name.startsWith(this.database))
      .map((name) => name.slice(this.database.length));
  }

  private named(ending: string): string {
    return this.files.join(this.folder, `${this.database}${ending}`);
  }
}
