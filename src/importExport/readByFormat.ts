import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { conversationsFormat } from './conversationsFile.ts';
import { readTogether, startOf, textOf, type Reading, type SourceFile } from './importBatch.ts';
import { programs, type Program } from './importPrograms.ts';
import { parsedRecord } from './recordLines.ts';
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
): Promise<Reading | OtherFile> {
  const start = await startOf(file, START_LENGTH);
  const lines = start.split('\n', FIRST_RECORDS);
  const records = lines.map(parsedRecord);
  const ofLines = formats.find((each) => each.lines?.detect(lines, records))?.lines;
  if (ofLines) return readTogether(() => ofLines.read(file, now));
  if (/^\uFEFF?\s*\[/u.test(start)) return { isList: true };
  const value = parsedRecord(await textOf(file));
  // Our own format says why a file is not JSON.
  const format =
    value === undefined ? conversationsFormat : formats.find((each) => each.value?.detect(value))?.value;
  return format ? readTogether(() => format.read(file, now)) : { isList: false, value };
}

/** @throws ImportError with the names of the programs whose files are known */
export function refuse(known: readonly { readonly program: Program }[]): never {
  const names = new Set(known.map(({ program }) => programs[program].name));
  throw new ImportError(
    defineMessage('it is no file of conversations that Offshoot knows: {0}', [...names].join(', ')),
  );
}
