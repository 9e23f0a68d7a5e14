import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { Platform, ProgramLock } from '../../host/platform.ts';
import { delay } from '../../host/timers.ts';
import { WriterLock } from '../durable/writerLock.ts';
import { textsToFind } from './projectMatch.ts';
import { readRecord, type ProjectFolder, type ProjectRecord } from './projectRecord.ts';

/** Written last. A later version is read as far as it is understood, and not written. */
const header = z.object({ format: z.literal('offshoot-projects'), version: z.number() });
const HEADER: z.infer<typeof header> = { format: 'offshoot-projects', version: 1 };

/** Over how many files the lines are spread: of 5,000 records, each then has a few hundred. */
const PARTS = 64;

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
 * The records of all workspaces, by what their folders are recognized by: each stands as a line in the part of each of
 * these texts, so that those of a few folders are found among thousands by reading a few parts. It is a copy: what is
 * lost of it is written again from the storage folders.
 */
export class ProjectIndex {
  /** @param folder a path, of a folder that is the same for all windows */
  constructor(
    private readonly platform: Pick<Platform, 'files' | 'lock' | 'owner'>,
    private readonly folder: string,
  ) {}

  /** The records that one of these folders may match. */
  async find(folders: readonly ProjectFolder[]): Promise<FoundRecords> {
    const texts = [...new Set(folders.flatMap(textsToFind))];
    const [version, ...parts] = await Promise.all([
      this.version(),
      ...texts.map(async (text) => linesWith(text, await this.read(partOf(text)))),
    ]);
    const found = recordsOf([...new Set(parts.flat())]);
    return { records: found.records, isWhole: found.isWhole && version !== undefined };
  }

  async all(): Promise<FoundRecords> {
    const parts = await Promise.all(everyPart.map((part) => this.read(part)));
    const found = recordsOf([...new Set(parts.flatMap(linesOf))]);
    return { records: found.records, isWhole: found.isWhole && (await this.version()) !== undefined };
  }

  /** Adds a record, in place of an earlier one of the same place. */
  async put(record: ProjectRecord): Promise<void> {
    const line = lineOf(record);
    const parts = await Promise.all(partsOf(record).map((part) => this.read(part)));
    // Each window notes the same again when it opens.
    if (parts.every((text) => text.includes(line))) return;
    await this.change([record.place], [record]);
  }

  /** @param places URIs of storage folders */
  remove(places: readonly string[]): Promise<void> {
    return this.change(places, []);
  }

  /** Writes all of it again, with these records: what is damaged is gone, and what other windows have put since stays. */
  async rewrite(records: readonly ProjectRecord[]): Promise<void> {
    await this.inTurn(async () => {
      const { files } = this.platform;
      const places = new Set(records.map(({ place }) => place));
      const others = (await this.all()).records.filter(({ place }) => !places.has(place));
      for (const part of everyPart) await this.write(part, [], [...records, ...others]);
      await files.replace(this.pathOf('index.json'), encoded(JSON.stringify(HEADER)));
    });
  }

  private async change(places: readonly string[], records: readonly ProjectRecord[]): Promise<void> {
    const outdated = places.map((place) => `{"place":${JSON.stringify(place)},`);
    await this.inTurn(async () => {
      for (const part of everyPart) {
        const lines = linesOf(await this.read(part));
        const kept = lines.filter((line) => !outdated.some((start) => line.startsWith(start)));
        await this.write(part, kept, records);
      }
    });
  }

  private async write(
    part: number,
    kept: readonly string[],
    records: readonly ProjectRecord[],
  ): Promise<void> {
    const added = records.filter((record) => partsOf(record).includes(part)).map(lineOf);
    const text = [...kept.map((line) => `${line}\n`), ...added].join('');
    if (text !== (await this.read(part)))
      await this.platform.files.replace(this.pathOf(`${part}.jsonl`), encoded(text));
  }

  /** One window writes at a time. @throws IndexBusyError */
  private async inTurn(work: () => Promise<void>): Promise<void> {
    const { files, lock, owner } = this.platform;
    await files.ensureFolder(this.folder);
    const path = this.pathOf('index.lock');
    const turn = lock ? lock(path) : new WriterLock(files, path, owner);
    await waitFor(turn);
    try {
      if (((await this.version()) ?? 0) <= HEADER.version) await work();
    } finally {
      await turn.release();
    }
  }

  /** Undefined where there is none yet, or it is lost or damaged. */
  private async version(): Promise<number | undefined> {
    try {
      return header.parse(JSON.parse(await this.text('index.json'))).version;
    } catch {
      return undefined;
    }
  }

  private read(part: number): Promise<string> {
    return this.text(`${part}.jsonl`);
  }

  private async text(name: string): Promise<string> {
    const bytes = await this.platform.files.read(this.pathOf(name));
    return bytes ? new TextDecoder().decode(bytes) : '';
  }

  private pathOf(name: string): string {
    return this.platform.files.join(this.folder, name);
  }
}

const everyPart = Array.from({ length: PARTS }, (_, part) => part);

/** The same for the same text, always: what is stored goes by it. */
function partOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return hash % PARTS;
}

function partsOf({ folders }: ProjectRecord): number[] {
  return [...new Set(folders.flatMap(textsToFind).map(partOf))];
}

/** Its place comes first: by that it is replaced. */
function lineOf({ place, ...record }: ProjectRecord): string {
  return `${JSON.stringify({ place, ...record })}\n`;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function linesWith(wanted: string, text: string): string[] {
  const lines: string[] = [];
  for (let at = text.indexOf(wanted); at >= 0;) {
    const end = text.indexOf('\n', at);
    lines.push(text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end));
    at = end < 0 ? -1 : text.indexOf(wanted, end);
  }
  return lines;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
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
