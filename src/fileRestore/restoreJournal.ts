import { z } from 'zod';
import { fileVersion } from '../engine/effects.ts';
import type { Files } from '../platform/files.ts';

const journalStep = z.object({
  folder: z.string(),
  path: z.string(),
  from: fileVersion.nullable(),
  to: fileVersion.nullable(),
  madeFolders: z.array(z.string()),
  /** What its editor held and nobody saved. */
  unsaved: z.string().optional(),
});

const journal = z.object({
  version: z.literal(1),
  restoreId: z.string(),
  chatId: z.string(),
  steps: z.array(journalStep),
});

/** What a restore is about to do, on the disk before it begins: a crash in the middle is undone at the next start. */
export type RestoreRecord = Omit<z.infer<typeof journal>, 'version'>;

/** The journal of the one restore that runs, as a file in the storage folder. */
export class RestoreJournal {
  constructor(
    private readonly files: Pick<Files, 'read' | 'replace' | 'remove' | 'move' | 'ensureFolder'>,
    private readonly folder: string,
    private readonly path: string,
  ) {}

  async begin(record: RestoreRecord): Promise<void> {
    await this.files.ensureFolder(this.folder);
    await this.files.replace(this.path, new TextEncoder().encode(JSON.stringify({ version: 1, ...record })));
  }

  async end(): Promise<void> {
    await this.files.remove(this.path);
  }

  /**
   * What a restore that did not end was about to do. `damaged`: it cannot be read; it is kept beside under another name.
   */
  async left(): Promise<RestoreRecord | 'damaged' | undefined> {
    const bytes = await this.files.read(this.path);
    if (!bytes) return undefined;
    const read = journal.safeParse(parsed(new TextDecoder().decode(bytes)));
    if (read.success) return read.data;
    await this.files.move(this.path, `${this.path}.damaged`);
    return 'damaged';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is reported as damaged.
    return undefined;
  }
}
