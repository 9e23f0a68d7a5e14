import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { conversationsFormat } from './conversationsFile.ts';
import {
  readTogether,
  startOf,
  textOf,
  type LinesFormat,
  type Reading,
  type SourceFile,
  type ValueFormat,
} from './importBatch.ts';
import { programs, type Program } from './importPrograms.ts';
import { parsedRecord } from './recordLines.ts';

/** Kinds of files; of each list, the first that detects a file reads it. */
export interface Formats {
  readonly lines: readonly LinesFormat[];
  readonly values: readonly ValueFormat[];
}

/** How much of a file is read to detect its format, in UTF-16 units. */
const START_LENGTH = 262_144;

/** How many records may precede a session's first message. */
const FIRST_RECORDS = 20;

/** A file of none of the formats. A list may be larger than memory, and is not read. */
export type OtherFile = { readonly isList: true } | { readonly isList: false; readonly value: unknown };

export async function readByFormat(
  file: SourceFile,
  now: number,
  { lines: lineFormats, values }: Formats,
): Promise<Reading | OtherFile> {
  const start = await startOf(file, START_LENGTH);
  const lines = start.split('\n', FIRST_RECORDS);
  const records = lines.map(parsedRecord);
  const ofLines = lineFormats.find(({ detect }) => detect(lines, records));
  if (ofLines) return readTogether(() => ofLines.read(file, now));
  if (/^\uFEFF?\s*\[/u.test(start)) return { isList: true };
  const value = parsedRecord(await textOf(file));
  // Our own format says why a file is not JSON.
  const format = value === undefined ? conversationsFormat : values.find(({ detect }) => detect(value));
  return format ? readTogether(() => format.read(file, now)) : { isList: false, value };
}

/** @throws ImportError with the names of the programs whose files are known */
export function refuse(known: readonly { readonly program: Program }[]): never {
  const names = new Set(known.map(({ program }) => programs[program].name));
  throw new ImportError(
    defineMessage('it is no file of conversations that Offshoot knows: {0}', [...names].join(', ')),
  );
}
