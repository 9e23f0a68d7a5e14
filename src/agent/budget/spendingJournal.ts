import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Files, LogFile } from '../../host/files.ts';
import type { Amount } from './quote.ts';
import { dayOf } from './spends.ts';
import { errorName, type RunLog } from '../run/runLog.ts';

const amount = z.object({ dollars: z.number().min(0).optional(), tokens: z.number().min(0) });

const reserved = amount.extend({
  kind: z.literal('reserved'),
  id: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  chatId: z.string(),
  branchId: z.string().optional(),
  messageId: z.string().optional(),
});
/** Replaces the amount that was reserved under this id. */
const settled = amount.extend({ kind: z.literal('settled'), id: z.string() });
const line = z.discriminatedUnion('kind', [reserved, settled]);

/** One request to a model. Until it is settled it counts with all that was reserved, even if its window is gone. */
export interface Spent extends Omit<z.infer<typeof reserved>, 'kind' | 'dollars' | 'tokens'> {
  readonly amount: Amount;
  readonly isPending: boolean;
  /** Of this window. */
  readonly isOwn: boolean;
}

export interface SpendingJournalOptions {
  readonly files: Pick<
    Files,
    'createExclusively' | 'ensureFolder' | 'join' | 'list' | 'openLog' | 'read' | 'remove'
  >;
  /** Shared by all windows of a workspace. */
  readonly folder: string;
  readonly now: () => number;
  readonly log: Pick<RunLog, 'warn'>;
}

/** How long entries count, in days; what is older stands in the conversations. */
const KEPT_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * What requests to models took, in files that all windows of a workspace read and each window appends to its own: a
 * reservation is on the disk before the others are read, so that of two windows at least one sees the other's.
 */
export class SpendingJournal {
  private readonly all = new Map<string, Spent>();
  /** How far each file has been read, in bytes. */
  private readonly readTo = new Map<string, number>();
  private readonly session = crypto.randomUUID();
  private readonly writing = new Sequencer();
  /** The file of this session and day. */
  private path = '';
  private isTidied = false;
  private hasFailed = false;

  constructor(private readonly options: SpendingJournalOptions) {}

  /** As far as it was read. */
  get entries(): Iterable<Spent> {
    return this.all.values();
  }

  /** Counts at once; resolves once it is on the disk. */
  async reserve(entry: Omit<Spent, 'isPending' | 'isOwn'>): Promise<void> {
    this.all.set(entry.id, { ...entry, isPending: true, isOwn: true });
    const { amount: reservedAmount, ...rest } = entry;
    await this.append({ kind: 'reserved', ...rest, ...reservedAmount });
  }

  async settle(id: string, taken: Amount): Promise<void> {
    this.end(id, taken);
    await this.append({ kind: 'settled', id, ...taken });
  }

  /** Reads what other windows, and earlier sessions, have added. */
  async read(): Promise<void> {
    const { files, folder } = this.options;
    try {
      const listed = await files.list(folder);
      // A request of an earlier day is settled in a later file.
      const others = listed.filter(({ name }) => !name.includes(this.session)).sort(byName);
      const first = dayOf(this.options.now() - KEPT_DAYS * DAY_MS);
      for (const { name, size } of others) {
        if (!this.isTidied && name < first) await files.remove(files.join(folder, name));
        else if (size > (this.readTo.get(name) ?? 0)) await this.readFile(name);
      }
      this.isTidied = true;
    } catch (error) {
      this.failed(error);
    }
  }

  private end(id: string, taken: Amount): void {
    const entry = this.all.get(id);
    if (entry) this.all.set(id, { ...entry, amount: taken, isPending: false });
  }

  private async readFile(name: string): Promise<void> {
    const { files, folder } = this.options;
    const start = this.readTo.get(name) ?? 0;
    const bytes = await files.read(files.join(folder, name), { start });
    // The last line may not be complete yet.
    const end = bytes ? bytes.lastIndexOf(10) + 1 : 0;
    if (!bytes || end === 0) return;
    this.readTo.set(name, start + end);
    for (const text of new TextDecoder().decode(bytes.subarray(0, end)).split('\n')) this.take(text);
  }

  /** A line that cannot be read was cut off by a crash, or is of a later version. */
  private take(text: string): void {
    const read = line.safeParse(tryParseJson(text)).data;
    if (read?.kind === 'reserved') {
      const { kind: _kind, dollars, tokens, ...entry } = read;
      this.all.set(entry.id, { ...entry, amount: { dollars, tokens }, isPending: true, isOwn: false });
    } else if (read) {
      this.end(read.id, { dollars: read.dollars, tokens: read.tokens });
    }
  }

  private async append(entry: z.infer<typeof line>): Promise<void> {
    await this.writing.run(async () => {
      try {
        const file = await this.file();
        try {
          await file.append(new TextEncoder().encode(`${JSON.stringify(entry)}\n`));
        } finally {
          await file.close();
        }
      } catch (error) {
        this.failed(error);
      }
    });
  }

  private async file(): Promise<LogFile> {
    const { files, folder, now } = this.options;
    const path = files.join(folder, `${dayOf(now())}.${this.session}.jsonl`);
    if (path !== this.path) {
      await files.ensureFolder(folder);
      await files.createExclusively(path, '');
      this.path = path;
    }
    return files.openLog(path);
  }

  /** In this window the caps still hold. */
  private failed(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.options.log.warn(`Spending can’t be shared with other windows or kept (${errorName(error)})`);
  }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}
