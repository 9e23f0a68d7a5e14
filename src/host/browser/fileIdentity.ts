import type { Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { FilesLostError, type FilesLoss } from '../files.ts';
import { requested, type Access, type IndexedDatabase, type Tables, type Work } from './indexedDatabase.ts';

/**
 * The browser or its user can remove all data of a site, and the next opening of the database finds it empty. So the
 * first writer gives the files a random name, and each transaction begins by checking it.
 */
export class FileIdentity implements FilesLoss {
  private readonly lost = new Emitter<undefined>();
  private readonly rewritten = new Emitter<undefined>();
  /** The name; undefined until one has been given. */
  private known: string | undefined;
  private isLost = false;
  private isRewriting = false;

  constructor(private readonly database: IndexedDatabase) {
    database.onDidClose(() => {
      // Whether the files are lost shows when the database is opened again.
      this.run('read', () => Promise.resolve()).catch(() => undefined);
    });
  }

  readonly onDidLose: Event<undefined> = this.lost.event;
  readonly onDidRewrite: Event<undefined> = this.rewritten.event;

  /** @throws FilesLostError */
  async run<T>(access: Access, work: Work<T>): Promise<T> {
    try {
      return await this.database.transaction(access, async (tables) => {
        if (!this.isRewriting) await this.check(tables);
        return work(tables);
      });
    } catch (error) {
      if (error instanceof FilesLostError) this.lose();
      throw error;
    }
  }

  /** As `run`, and names the files if they have no name. */
  async claim<T>(work: Work<T>): Promise<T> {
    let made: string | undefined;
    const result = await this.run('write', async (tables) => {
      made = undefined;
      if (!this.isRewriting && this.known === undefined) {
        made = crypto.randomUUID();
        await requested(tables.meta.put(made, KEY));
      }
      return work(tables);
    });
    this.known ??= made;
    return result;
  }

  async rewrite<T>(work: () => Promise<T>): Promise<T> {
    const other = await this.database.transaction('read', named);
    if (other !== undefined && other !== this.known) {
      throw new Error('Other conversations are kept in their place now.');
    }
    this.isRewriting = true;
    let result: T;
    try {
      result = await work();
      const { known } = this;
      await this.database.transaction('write', ({ meta }) => requested(meta.put(known, KEY)));
      this.isLost = false;
    } finally {
      this.isRewriting = false;
    }
    this.rewritten.fire(undefined);
    return result;
  }

  private async check(tables: Tables): Promise<void> {
    const found = await named(tables);
    this.known ??= found;
    if (found !== this.known) throw new FilesLostError();
    this.isLost = false;
  }

  private lose(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.lost.fire(undefined);
  }
}

const KEY = 'identity';

async function named({ meta }: Tables): Promise<string | undefined> {
  const found: unknown = await requested(meta.get(KEY));
  return typeof found === 'string' ? found : undefined;
}
