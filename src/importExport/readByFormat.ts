import { tryParseJson } from '../base/tryParseJson.ts';
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
} from './importBatch.ts';
import type { FindPicture } from './keptPictures.ts';
import { programs, type Program } from './importPrograms.ts';
import { isTooDeep, MAX_LINE, parsedRecord } from './recordLines.ts';
import type { ProgramFormat } from './programFormat.ts';

/** How much of a file is read to detect its format, in UTF-16 units. */
const START_LENGTH = 262_144;

/** How many records may precede a session's first message. */
const FIRST_RECORDS = 20;

/** A file of none of the formats. A list may be larger than memory, and is not read. */
export type OtherFile = { readonly isList: true } | { readonly isList: false; readonly value: unknown };

/** @param formats the first that detects the file reads it */
export async function readByFormat(
  file: SourceFile,
  now: number,
  formats: readonly ProgramFormat[],
  find?: FindPicture,
): Promise<Reading | OtherFile> {
  let { lines, records } = await firstRecords(file, START_LENGTH);
  const isList = /^\uFEFF?\s*\[/u.test(lines.find((line) => line.trim() !== '') ?? '');
  const detecting = (): LinesFormat | undefined =>
    formats.find((each) => each.lines?.detect(lines, records))?.lines;
  let ofLines = detecting();
  // The first record may hold a picture, or a snapshot of files.
  if (!ofLines && !isList && file.size > START_LENGTH) {
    ({ lines, records } = await firstRecords(file, MAX_LINE));
    ofLines = detecting();
  }
  const read = ofLines?.read;
  if (read) return readTogether(() => read(file, now));
  if (isList) return { isList: true };
  const value = parsedValue(await textOf(file), formats);
  if (value === undefined)
    refuseRecords(records.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1), formats);
  // Our own format says why a file is not JSON.
  const format =
    value === undefined ? conversationsFormat : formats.find((each) => each.value?.detect(value))?.value;
  return format ? readTogether(() => format.read(file, now, find)) : { isList: false, value };
}

async function firstRecords(
  file: SourceFile,
  length: number,
): Promise<{ readonly lines: readonly string[]; readonly records: readonly unknown[] }> {
  const lines = (await startOf(file, length)).split('\n', FIRST_RECORDS);
  return { lines, records: lines.map(parsedRecord) };
}

/** Undefined when it is invalid, or nested deeper than its reader takes. */
function parsedValue(text: string, formats: readonly ProgramFormat[]): unknown {
  const value = tryParseJson(text);
  const nests = formats.some(({ item }) => item?.nests === true && item.detect(value));
  return nests || !isTooDeep(value) ? value : undefined;
}

/** The most members of an unknown record that are named. */
const MAX_MEMBERS = 6;

/** @throws ImportError for a file with a JSON record on each line: it is JSON, only no program's that is known */
function refuseRecords(records: readonly unknown[], known: readonly ProgramFormat[]): void {
  const read = records.filter((each) => typeof each === 'object' && each !== null);
  if (read.length * 2 < records.length || records.length < 2) return;
  const members = Object.keys(read[0] ?? {}).slice(0, MAX_MEMBERS);
  throw new ImportError(
    defineMessage(
      'it has a JSON record on each line, the first with {0}, and is no session that Offshoot knows: {1}',
      members.map((name) => JSON.stringify(name.slice(0, 30))).join(', '),
      namesOf(known),
    ),
  );
}

/** @throws ImportError with the names of the programs whose files are known */
export function refuse(known: readonly { readonly program: Program }[]): never {
  throw new ImportError(
    defineMessage('it is no file of conversations that Offshoot knows: {0}', namesOf(known)),
  );
}

function namesOf(formats: readonly { readonly program: Program }[]): string {
  return [...new Set(formats.map(({ program }) => programs[program].name))].join(', ');
}
