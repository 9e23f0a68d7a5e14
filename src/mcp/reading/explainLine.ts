import { z } from 'zod';
import { PromiseCache } from '../../base/promiseCache.ts';
import { textLines } from '../../base/textLines.ts';
import { isArchived } from '../../engine/chatFlags.ts';
import { LOCAL_USER } from '../../engine/users.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import { findImportedEdits, importedLines } from '../../lineOrigins/importedLines.ts';
import { isSameStep, type LineOrigin } from '../../lineOrigins/lineOrigin.ts';
import { LineOrigins, type FileOrigins } from '../../lineOrigins/lineOrigins.ts';
import { otherAttempts } from '../../lineOrigins/otherAttempts.ts';
import type { RecordedEdit } from '../../lineOrigins/recordedFiles.ts';
import { readStepDetails, type StepDetails, type StepPlace } from '../../lineOrigins/stepDetails.ts';
import { utf8TextOf } from '../../lineOrigins/utf8Text.ts';
import { locationsOf, type ReadingFiles } from './readingFiles.ts';
import { defineReadingTool, ToolFailure, type Reading } from './readingTool.ts';
import { counted, oneLine, quoted, timeText } from './shownText.ts';
import { whereVisible } from './visible.ts';

const QUESTION = 500;
const NAME = 120;

/** How many lines are explained at once, and how many other attempts are named of a step. */
const MOST_LINES = 500;
const MOST_ATTEMPTS = 10;

/** In UTF-16 units: the lines of a larger file are not told. */
const MOST_TEXT = 5_000_000;

const range = z.object({ from: z.int(), to: z.int() });
const written = z.object({
  chat: z.string(),
  title: z.string(),
  branch: z.string().optional(),
  message: z.string(),
  question: z.string().optional(),
  step: z.int(),
  model: z.string().optional(),
  at: z.string(),
  person: z.string().optional(),
  importedFrom: z.string().optional(),
});
const explained = written.extend({
  lines: z.array(range),
  // `session`: a session that was imported put them there as they are; there are no versions to follow.
  knownBy: z.enum(['versions', 'session']),
  changedSince: z.boolean(),
  otherAttempts: z.array(written),
});
type Range = z.infer<typeof range>;
type Written = z.infer<typeof written>;
type Explained = z.infer<typeof explained>;

export const explainLine = defineReadingTool({
  name: 'explain_line',
  title: 'Explain Line',
  description:
    'Why lines of a file are as they are: which step of which chat wrote them, for which question, by which model, and what was tried there on other branches.',
  input: z.object({
    path: z.string().min(1).max(4_000).describe('absolute, or in an open folder'),
    line: z.int().min(1).describe('from 1'),
    endLine: z.int().min(1).optional().describe('the last line, if there are several'),
  }),
  output: z.object({ path: z.string(), steps: z.array(explained), notKnown: z.array(range) }),
  run: async (reading, { path, line, endLine = line }) => {
    if (endLine < line) throw new ToolFailure('invalid-input', 'endLine comes before line.');
    if (endLine - line >= MOST_LINES) {
      throw new ToolFailure('too-many-lines', `Ask for at most ${MOST_LINES} lines at once.`);
    }
    const shared = await reading.lineOrigins?.();
    const origins = shared ?? lineOriginsOf(reading);
    try {
      const { location, text } = await fileOf(reading.files, origins, path);
      const count = textLines(text).length;
      if (line > count) throw new ToolFailure('no-such-line', `The file has only ${counted(count, 'line')}.`);
      const all = { from: line, to: Math.min(endLine, count) };
      const file = await origins.of(location, text);
      const told = { ...reading, written: new PromiseCache<Written | undefined>() };
      const recorded = await stepsOf(told, file, all);
      const recordedLines = new Set(file.lines.map((origin) => origin.line + 1));
      const others = numbersOf(all).filter((each) => !recordedLines.has(each));
      const steps = [...recorded, ...(await importedStepsOf(told, location.path, text, others))];
      const known = new Set(steps.flatMap(({ lines }) => lines.flatMap(numbersOf)));
      const notKnown = rangesOf(numbersOf(all).filter((each) => !known.has(each)));
      const data = { path: location.path, steps, notKnown };
      const none = notKnown.length === 0 ? [] : [`${rangesText(notKnown)}: no step of a chat is known.`];
      return { text: [quoted(location.path), ...steps.map(stepText), ...none].join('\n\n'), data };
    } finally {
      if (!shared) origins.dispose();
    }
  },
});

/** What is told in one answer, where a step is an attempt at the lines of many others. */
interface Telling extends Reading {
  readonly written: PromiseCache<Written | undefined>;
}

function lineOriginsOf({ store, userId, history }: Reading): LineOrigins {
  return new LineOrigins(store, userId, utf8TextOf, history);
}

/** @throws ToolFailure when there is no such file */
async function fileOf(
  files: ReadingFiles | undefined,
  origins: LineOrigins,
  path: string,
): Promise<{ readonly location: FileLocation; readonly text: string }> {
  const folders = files?.folders(await origins.folders()) ?? [];
  for (const location of locationsOf(path, folders)) {
    const text = await files?.text(location);
    if (text === undefined) continue;
    if (text.length > MOST_TEXT) throw new ToolFailure('file-too-large', 'The file is too large.');
    return { location, text };
  }
  throw new ToolFailure(
    'file-not-found',
    `There is no text file ${quoted(path)} in the folders of these conversations.`,
  );
}

async function stepsOf(telling: Telling, file: FileOrigins, { from, to }: Range): Promise<Explained[]> {
  const asked = file.lines.filter(({ line }) => line + 1 >= from && line + 1 <= to);
  const steps: LineOrigin[][] = [];
  for (const origin of asked) {
    const same = steps.find(([first]) => first && isTold(first, origin));
    if (same) same.push(origin);
    else steps.push([origin]);
  }
  const found: Explained[] = [];
  for (const lines of steps) {
    const [first] = lines;
    const step = first && (await writtenOf(telling, first.edit));
    if (!step) continue;
    found.push({
      ...step,
      lines: rangesOf(lines.map(({ line }) => line + 1)),
      knownBy: 'versions',
      changedSince: first.isChangedSince,
      otherAttempts: await attemptsOf(telling, file, lines),
    });
  }
  return found;
}

/** The steps of imported chats that put lines there, the last first. @param numbers those that no recorded step wrote */
async function importedStepsOf(
  telling: Telling,
  path: string,
  text: string,
  numbers: readonly number[],
): Promise<Explained[]> {
  if (numbers.length === 0) return [];
  const known = importedLines(await findImportedEdits(telling.store, telling.userId, path), text);
  const lines = new Map<StepPlace, number[]>();
  for (const number of numbers) {
    for (const step of known.get(number - 1) ?? []) lines.set(step, [...(lines.get(step) ?? []), number]);
  }
  const found: Explained[] = [];
  for (const [step, own] of [...lines].sort(([one], [other]) => other.at - one.at)) {
    const told = await writtenOf(telling, step);
    if (told)
      found.push({
        ...told,
        lines: rangesOf(own),
        knownBy: 'session',
        changedSince: false,
        otherAttempts: [],
      });
  }
  return found;
}

/** Whether the same is told of two lines. */
function isTold(one: LineOrigin, other: LineOrigin): boolean {
  return isSameStep(one.edit, other.edit) && one.isChangedSince === other.isChangedSince;
}

async function attemptsOf(
  telling: Telling,
  file: FileOrigins,
  lines: readonly LineOrigin[],
): Promise<Written[]> {
  const edits: RecordedEdit[] = [];
  for (const origin of lines) {
    for (const edit of file.otherEdits(origin)) {
      if (edits.some((each) => isSameStep(each, edit))) continue;
      const [attempt] = await otherAttempts(telling.store, {
        origin,
        file: { otherEdits: () => [edit] },
      });
      if (attempt) edits.push(attempt);
    }
  }
  const found: Written[] = [];
  for (const edit of edits) {
    if (found.length === MOST_ATTEMPTS) break;
    const attempt = await writtenOf(telling, edit);
    if (attempt) found.push(attempt);
  }
  return found;
}

/** Undefined: the user does not see the message in lists either. */
function writtenOf(telling: Telling, place: StepPlace): Promise<Written | undefined> {
  const key = JSON.stringify([place.chatId, place.messageId, place.at]);
  return telling.written.get(key, () => readWritten(telling, place));
}

async function readWritten(reading: Reading, place: StepPlace): Promise<Written | undefined> {
  const { store, userId, authors } = reading;
  const { chatId, messageId, at } = place;
  const chat = await store.getChat(chatId, { userId });
  if (!chat || isArchived(chat)) return undefined;
  const where = await whereVisible(reading, chatId, messageId);
  const details = where && (await readStepDetails(store, userId, place, authors));
  if (!details) return undefined;
  const { question, step, model, importedFrom } = details;
  return {
    chat: chatId,
    title: oneLine(chat.title ?? '', NAME),
    ...(where.branch ? { branch: where.branch.name } : {}),
    message: messageId,
    ...(question ? { question: oneLine(question.text, QUESTION) } : {}),
    step,
    ...(model === undefined ? {} : { model: oneLine(model, NAME) }),
    at: timeText(at),
    ...personOf(details),
    ...(importedFrom === undefined ? {} : { importedFrom }),
  };
}

/** Who wrote it, where several people may. */
function personOf({ userId }: StepDetails): Pick<Written, 'person'> {
  return userId === LOCAL_USER ? {} : { person: oneLine(userId, NAME) };
}

function stepText(step: Explained): string {
  const { lines, knownBy, changedSince, otherAttempts: others } = step;
  const how =
    knownBy === 'session'
      ? '; known by what its session edited, as the lines are now: there are no versions'
      : '';
  return [
    `${rangesText(lines)}: ${writtenText(step)}${changedSince ? '; changed since by something else' : how}`,
    ...questionText(step),
    ...others.flatMap((each) => [`- Other attempt: ${writtenText(each)}`, ...questionText(each)]),
  ].join('\n');
}

function writtenText({
  chat,
  title,
  branch,
  message,
  step,
  model,
  at,
  person,
  importedFrom,
}: Written): string {
  return [
    `message ${quoted(message)} in chat ${quoted(chat)} (${title || 'no title'})`,
    branch === undefined ? 'at a checkpoint' : `branch ${quoted(branch)}`,
    `step ${step}`,
    ...(model === undefined ? [] : [model]),
    at,
    ...(person === undefined ? [] : [`of ${person}`]),
    ...(importedFrom === undefined ? [] : [`imported from ${importedFrom}`]),
  ].join(', ');
}

function questionText({ question }: Written): string[] {
  return question === undefined || question === '' ? [] : [`  Question: ${question}`];
}

function rangesText(ranges: readonly Range[]): string {
  const isOne = ranges.length === 1 && ranges[0]?.from === ranges[0]?.to;
  const all = ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
  return `${isOne ? 'Line' : 'Lines'} ${all.join(', ')}`;
}

/** @param numbers in their order */
function rangesOf(numbers: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges;
}

function numbersOf({ from, to }: Range): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
