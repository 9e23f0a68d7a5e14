import { z } from 'zod';
import { tryParseJson } from '../base/tryParseJson.ts';
import { fileVersion } from '../engine/effects.ts';
import type { Files } from '../host/files.ts';
import type { LockOwner } from '../host/platform.ts';

const journalStep = z.object({
  folder: z.string(),
  path: z.string(),
  from: fileVersion.nullable(),
  to: fileVersion.nullable(),
  madeFolders: z.array(z.string()),
  /** Unsaved text of its editor. */
  unsaved: z.string().optional(),
});

const journal = z.object({
  version: z.literal(1),
  restoreId: z.string(),
  chatId: z.string(),
  steps: z.array(journalStep),
});

/** What a restore is about to do, written to disk before it begins: a crash is undone at the next start. */
export type RestoreRecord = Omit<z.infer<typeof journal>, 'version'>;

/** The file name contains the id of the restoring process. Earlier versions had one name for all. */
const fileName = /^restore(?:\.(\d+))?\.json$/;

/** The journal of a window's only restore, as a file in the storage folder. */
export class RestoreJournal {
  private readonly path: string;

  constructor(
    private readonly files: Pick<
      Files,
      'read' | 'replace' | 'remove' | 'move' | 'ensureFolder' | 'list' | 'join'
    >,
    private readonly folder: string,
    private readonly owner: Pick<LockOwner, 'pid' | 'isAlive'>,
  ) {
    this.path = files.join(folder, `restore.${owner.pid}.json`);
  }

  async begin(record: RestoreRecord): Promise<void> {
    await this.files.ensureFolder(this.folder);
    await this.files.replace(this.path, new TextEncoder().encode(JSON.stringify({ version: 1, ...record })));
  }

  async end(): Promise<void> {
    await this.files.remove(this.path);
  }

  /** An interrupted restore, which this window takes over. `damaged`: it cannot be read, and has another name now. */
  async left(): Promise<RestoreRecord | 'damaged' | undefined> {
    const found = (await this.files.list(this.folder)).find(({ name }) => this.isLeft(name));
    if (!found) return undefined;
    const path = this.files.join(this.folder, found.name);
    if (path !== this.path) await this.files.move(path, this.path);
    const bytes = await this.files.read(this.path);
    if (!bytes) return undefined;
    const read = journal.safeParse(tryParseJson(new TextDecoder().decode(bytes)));
    if (read.success) return read.data;
    await this.files.move(this.path, this.files.join(this.folder, 'restore.json.damaged'));
    return 'damaged';
  }

  /** A running window may be in the middle of its own restore. */
  private isLeft(name: string): boolean {
    const [isOne, pid] = fileName.exec(name) ?? [];
    if (isOne === undefined) return false;
    return pid === undefined || Number(pid) === this.owner.pid || !this.owner.isAlive(Number(pid));
  }
}
