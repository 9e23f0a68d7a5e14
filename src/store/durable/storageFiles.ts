import type { Files } from '../../platform/files.ts';

/** The names of the files in a storage folder (design, "Storage"). */
export class StorageFiles {
  readonly snapshot: string;
  readonly snapshotBackup: string;
  readonly journal: string;
  /** The journal that the next snapshot is being made of. */
  readonly sealedJournal: string;
  /** With `snapshotBackup` and what follows, all there is: a second way back should the snapshot be damaged. */
  readonly journalBackup: string;
  readonly lock: string;
  private readonly stem: string;

  /** @param database the name of the database file; the others are named after it */
  constructor(
    readonly files: Files,
    readonly folder: string,
    database = 'offshoot.db',
  ) {
    this.stem = database.replace(/\.db$/, '');
    const inFolder = (name: string): string => files.join(folder, name);
    this.snapshot = inFolder(database);
    this.snapshotBackup = inFolder(`${database}.bak`);
    this.journal = inFolder(`${this.stem}.journal`);
    this.sealedJournal = inFolder(`${this.stem}.journal.sealed`);
    this.journalBackup = inFolder(`${this.stem}.journal.bak`);
    this.lock = inFolder(`${this.stem}.lock`);
  }

  /** Copies a damaged file to a name of its own, so that nothing ever writes over it. @returns the copy */
  async keepAside(path: string, now: number): Promise<string | undefined> {
    const bytes = await this.files.read(path);
    if (!bytes) return undefined;
    const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
    const name = path.slice(path.lastIndexOf(this.stem) + this.stem.length);
    const copy = this.files.join(this.folder, `${this.stem}.damaged-${time}${name}`);
    await this.files.replace(copy, bytes);
    return copy;
  }
}
