import type { Files } from '../../platform/files.ts';

/**
 * The names of the files in a storage folder. The snapshot of generation 7 holds everything before journal 7; it, its
 * backup and the journals since the backup are all there is, so that the backup leads to the same conversations.
 */
export class StorageFiles {
  readonly snapshot: string;
  readonly snapshotBackup: string;
  /** The snapshot that is being made; nobody reads it before it gets its name. */
  readonly nextSnapshot: string;
  readonly lock: string;
  /** Where the process that writes can be reached. */
  readonly channel: string;
  /** A folder of its own. */
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

  /** The generations of the journals there are, in order. */
  async journals(): Promise<number[]> {
    const generations: number[] = [];
    for (const { name } of await this.files.list(this.folder)) {
      const [, generation] = /^\.(\d+)\.journal$/.exec(name.slice(this.database.length)) ?? [];
      if (generation !== undefined && name.startsWith(this.database)) generations.push(Number(generation));
    }
    return generations.sort((a, b) => a - b);
  }

  /** Gives a damaged file a name of its own, so that nothing ever writes over it. @returns the new path */
  async setAside(path: string, now: number): Promise<string> {
    const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
    const aside = this.named(`.damaged-${time}${path.slice(this.snapshot.length)}`);
    await this.files.move(path, aside);
    return aside;
  }

  /**
   * Takes the files away from everybody but their owner: earlier versions left that to the umask.
   * @param own the folder is ours alone, so that it can be closed as well
   * @returns what went wrong; nothing of it keeps the conversations from being opened
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

  /** Removes what a crash left half-written. Only the writer may. */
  async sweep(): Promise<void> {
    for (const { name } of await this.files.list(this.folder)) {
      const ending = name.startsWith(this.database) ? name.slice(this.database.length) : '';
      if (/^\.next$|^\.(?:\d+\.journal|channel)(?:\.[0-9a-f-]{36})?\.tmp$/.test(ending))
        await this.files.remove(this.named(ending));
    }
  }

  private named(ending: string): string {
    return this.files.join(this.folder, `${this.database}${ending}`);
  }
}
