import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Driver } from './driver.ts';
import type { Flow } from './flows.ts';
import type { Told } from './told.ts';

/** Names below the user's folder, with what is in them. */
export type Files = ReadonlyMap<string, Buffer>;

export interface Sample {
  readonly told: Told;
  readonly files: Files;
  /** What there was when the last question was asked; undefined where that was the first. */
  readonly before: Files | undefined;
}

export const SAMPLES = path.join('test', 'realSessions', 'samples');

/** The project's folder in all samples. */
export const SAMPLE_PROJECT = '/work/birds';
const SAMPLE_HOME = '/home/ann';
const SAMPLE_START = Date.parse('2026-01-15T10:00:00Z');

/** Makes what a program wrote neutral: invented paths and times, numbered ids, without the program's instructions. */
export function neutralized({ told, files, before }: Sample, driver: Driver, folder: string): Sample {
  // Whole seconds, so that what is kept in seconds stays right.
  const shift = SAMPLE_START - Math.floor(told.from / 1_000) * 1_000;
  const neutral = neutralizer(driver, folder, told, shift);
  const all = (given: Files): Files =>
    new Map(
      [...given].flatMap(([name, content]) => {
        const kept = driver.sampled
          ? driver.sampled(name, content, neutral, given)
          : neutral(content.toString());
        return kept === undefined ? [] : [[neutral(name), Buffer.from(kept)] as const];
      }),
    );
  const neutralTold = JSON.parse(neutral(JSON.stringify(told))) as Told;
  return {
    // The day is no part of the conversation.
    told: { ...neutralTold, date: told.date, from: told.from + shift, to: told.to + shift },
    files: all(files),
    before: before && all(before),
  };
}

function neutralizer(
  { ids }: Driver,
  folder: string,
  { from, to }: Told,
  shift: number,
): (text: string) => string {
  const project = path.join(folder, 'project');
  const paths = [
    [project, SAMPLE_PROJECT],
    [path.join(folder, 'home'), SAMPLE_HOME],
    [path.join(folder, 'tmp'), '/tmp'],
  ] as const;
  const hash = (kind: string, text: string): string => createHash(kind).update(text).digest('hex');
  const flat = (text: string): string => text.slice(1).replaceAll(/[^a-zA-Z0-9]/gu, '-');
  const forms = paths.flatMap(([own, neutral]) => [
    [own, neutral] as const,
    // Relative to the root.
    [own.slice(1), neutral.slice(1)] as const,
    [encodeURIComponent(own), encodeURIComponent(neutral)] as const,
    [flat(own), flat(neutral)] as const,
    ...['sha256', 'sha1', 'md5'].map((kind) => [hash(kind, own), hash(kind, neutral)] as const),
  ]);
  const numbered = numbering();
  const timed = (time: number): boolean => time >= from - 5_000 && time <= to + 5_000;
  return (text) =>
    forms
      .reduce((all, [own, neutral]) => all.replaceAll(own, neutral), text)
      .replaceAll(UUID, (id) => numbered(id))
      .replaceAll(ids ?? NOTHING, (id) => numbered(id))
      .replaceAll(ISO_TIME, (written) => shifted(written, shift, timed))
      .replaceAll(/(?<![\w.])1\d{12}(?!\d)/gu, (time) =>
        timed(Number(time)) ? String(Number(time) + shift) : time,
      )
      .replaceAll(/(?<![\w.])1\d{9}(?!\d)/gu, (time) =>
        timed(Number(time) * 1_000) ? String(Number(time) + shift / 1_000) : time,
      );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
const NOTHING = /(?!)/gu;

/** As JSON has it, and as names of files do. */
const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d[:-]\d\d(?:[:-]\d\d(?:[.-]\d{3})?)?/gu;

/** In the form in which it was written. */
function shifted(written: string, shift: number, isOfRun: (time: number) => boolean): string {
  const [date = '', clock = ''] = written.split('T');
  const [hours = '', minutes = '', seconds = '00', fraction = '000'] = clock.split(/[:.-]/u);
  const time = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${fraction}Z`);
  // A name may have minutes alone.
  if (!isOfRun(time) && !isOfRun(time + 60_000)) return written;
  const moved = new Date(time + shift).toISOString();
  return written.replaceAll(/\d/gu, (digit, at: number) => moved[at] ?? digit);
}

/** Gives each id a number in the order they come in, in as many digits, and with the version of a UUID. */
function numbering(): (id: string) => string {
  const known = new Map<string, string>();
  return (id) => {
    const [prefix = ''] = /^[a-zA-Z]+_/u.exec(id) ?? [];
    const digits = String(known.size + 1);
    const blank = id
      .slice(prefix.length)
      .replaceAll(/[0-9a-zA-Z]/gu, (letter, at: number) => (id.length === 36 && at === 14 ? letter : '0'));
    const made = `${prefix}${blank.slice(0, -digits.length)}${digits}`;
    known.set(id, known.get(id) ?? made);
    return known.get(id) ?? made;
  };
}

/** How much of a file there was before, where it was only added to. */
interface Stored {
  readonly told: Told;
  readonly before?: Readonly<Record<string, number>> | undefined;
}

export async function writeSample(
  program: string,
  flow: Flow,
  { told, files, before }: Sample,
): Promise<void> {
  const folder = path.join(SAMPLES, program, flow);
  await rm(folder, { recursive: true, force: true });
  const write = async (name: string, content: Buffer | string): Promise<void> => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  for (const [name, content] of files) await write(path.join('home', name), content);
  const lengths: Record<string, number> = {};
  for (const [name, content] of before ?? []) {
    const after = files.get(name);
    if (after?.subarray(0, content.length).equals(content)) lengths[name] = content.length;
    else await write(path.join('before', name), content);
  }
  const stored: Stored = { told, ...(before ? { before: lengths } : {}) };
  await write('said.json', `${JSON.stringify(stored, null, 1)}\n`);
}

export async function readSample(program: string, flow: Flow): Promise<Sample | undefined> {
  const folder = path.join(SAMPLES, program, flow);
  const text = await readFile(path.join(folder, 'said.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { told, before } = JSON.parse(text) as Stored;
  const files = await filesBelow(path.join(folder, 'home'));
  if (!before) return { told, files, before: undefined };
  const cut = Object.entries(before).map(
    ([name, length]) => [name, files.get(name)?.subarray(0, length) ?? Buffer.alloc(0)] as const,
  );
  return { told, files, before: new Map([...cut, ...(await filesBelow(path.join(folder, 'before')))]) };
}

async function filesBelow(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = new Map<string, Buffer>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const name = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, name), await readFile(name));
  }
  return files;
}

/** Writes files below a folder, which becomes a user's folder. */
export async function laidOut(folder: string, files: Files): Promise<void> {
  for (const [name, content] of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
