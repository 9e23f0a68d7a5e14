import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { Platform, ProgramLock } from '../../host/platform.ts';
import { delay } from '../../host/timers.ts';
import { WriterLock } from '../durable/writerLock.ts';
import { textsToFind } from './projectMatch.ts';
import { readRecord, type ProjectFolder, type ProjectRecord } from './projectRecord.ts';

/** The first line. A file of a later version is read as far as it is understood, and not written. */
const header = z.object({ format: z.literal('offshoot-projects'), version: z.number() });
const HEADER: z.infer<typeof header> = { format: 'offshoot-projects', version: 1 };

/** How often, and after how many milliseconds each, the turn to write is tried for: for longer than any window has it. */
const TURNS = 160;
const TURN_MS = 50;

class IndexBusyError extends OffshootError {
  constructor() {
    super(
      'index-busy',
      defineMessage('Other windows are writing the list of projects. Try again in a few seconds.'),
    );
  }
}

/** `isWhole`: nothing of it is damaged or missing. */
export interface FoundRecords {
  readonly records: readonly ProjectRecord[];
  readonly isWhole: boolean;
}

/**
 * The records of all workspaces, one line each, so that those of a few folders are found among thousands without
 * reading the others. It is a copy: what is lost of it is written again from the storage folders.
 */
export class ProjectIndex {
  private readonly path: string;

  /** @param folder a path, of a folder that is the same for all windows */
  constructor(
    private readonly platform: Pick<Platform, 'files' | 'lock' | 'owner'>,
    private readonly folder: string,
  ) {
    this.path = platform.files.join(folder, 'projects.jsonl');
  }

  /** The records that one of these folders may match. */
  async find(folders: readonly ProjectFolder[]): Promise<FoundRecords> {
    const text = await this.read();
    if (text === undefined) return { records: [], isWhole: false };
    const lines = new Set<string>();
    for (const wanted of new Set(folders.flatMap(textsToFind))) {
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        const end = text.indexOf('\n', at);
        lines.add(text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end));
      }
    }
    const found = recordsOf([...lines]);
    return { records: found.records, isWhole: found.isWhole && isComplete(text) };
  }

  async all(): Promise<FoundRecords> {
    const text = await this.read();
    if (text === undefined) return { records: [], isWhole: false };
    const [, ...lines] = text.split('\n');
    const found = recordsOf(lines.filter((line) => line !== ''));
    return { records: found.records, isWhole: found.isWhole && isComplete(text) };
  }

  /** Adds records, in place of earlier ones of the same places. */
  put(...records: readonly ProjectRecord[]): Promise<void> {
    return this.update((known) => {
      for (const record of records) known.set(record.place, record);
    });
  }

  /** @param places URIs of storage folders */
  remove(places: readonly string[]): Promise<void> {
    return this.update((known) => {
      for (const place of places) known.delete(place);
    });
  }

  /** @throws IndexBusyError */
  private async update(change: (known: Map<string, ProjectRecord>) => void): Promise<void> {
    const { files, lock, owner } = this.platform;
    await files.ensureFolder(this.folder);
    const path = `${this.path}.lock`;
    const turn = lock ? lock(path) : new WriterLock(files, path, owner);
    await waitFor(turn);
    try {
      const text = await this.read();
      if (text !== undefined && (versionOf(text) ?? 0) > HEADER.version) return;
      const { records } = await this.all();
      const known = new Map(records.map((record) => [record.place, record]));
      change(known);
      const lines = [HEADER, ...known.values()].map((each) => `${JSON.stringify(each)}\n`);
      const written = lines.join('');
      // Each window notes the same again when it opens.
      if (written !== text) await files.replace(this.path, new TextEncoder().encode(written));
    } finally {
      await turn.release();
    }
  }

  private async read(): Promise<string | undefined> {
    const bytes = await this.platform.files.read(this.path);
    return bytes && new TextDecoder().decode(bytes);
  }
}

async function waitFor(turn: ProgramLock): Promise<void> {
  for (let turns = 0; turns < TURNS; turns += 1) {
    if (await turn.tryAcquire()) return;
    await delay(TURN_MS);
  }
  throw new IndexBusyError();
}

/** Of two lines of one place, the later one counts. */
function recordsOf(lines: readonly string[]): FoundRecords {
  const known = new Map<string, ProjectRecord>();
  let isWhole = true;
  for (const line of lines) {
    const record = readRecord(line);
    if (record) known.set(record.place, record);
    else isWhole = false;
  }
  return { records: [...known.values()], isWhole };
}

/** The version of the file; undefined if it is damaged. */
function versionOf(text: string): number | undefined {
  try {
    return header.parse(JSON.parse(text.slice(0, text.indexOf('\n')))).version;
  } catch {
    return undefined;
  }
}

function isComplete(text: string): boolean {
  return versionOf(text) !== undefined && text.endsWith('\n');
}
