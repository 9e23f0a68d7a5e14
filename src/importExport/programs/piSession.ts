import type { z } from 'zod';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import { isTextPart, type UIMessagePart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf, ToolCalls } from '../chatBuilder.ts';
import { oneChat, startOf, textOf, type BatchList, type SourceFile } from '../importBatch.ts';
import { piProjectFolder, piSessions, piSharedSessions } from './piPlaces.ts';
import {
  piAnswer,
  piCustom,
  piEntry,
  piHeader,
  piInfo,
  piLabel,
  piMessage,
  piMessageEntry,
  piNotes,
  piRoles,
  piSettings,
  piSummary,
  piTitle,
  type PiBlock,
  type PiMessage,
} from './piRecords.ts';
import { consoleText } from '../consoleText.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { linesOf, parsedRecord } from '../recordLines.ts';
import { SessionGroups } from '../sessionGroups.ts';
import {
  isOfWorkspace,
  jsonLines,
  newestSessions,
  oldestFirst,
  type SessionPlaces,
} from '../sessionPlaces.ts';

/** The longest line before the header that is read as a title. */
const MAX_TITLE_LINE = 1_000;

/** How much of a session is read to find its folder and its first entry, in UTF-16 units. */
const HEADER_LENGTH = 65_536;

export const pi: ProgramFormat = {
  program: 'pi',
  lines: {
    // A session begins with its header, or a title and then the header.
    detect: (lines) => headerLine(firstLines(lines.join('\n'))) !== undefined,
    read: readPi,
  },
  find: async ({ places, list, now }) => {
    await addPi(list, newestSessions('pi', await sessionsIn(places), list), now);
  },
};

async function sessionsIn(places: SessionPlaces): Promise<SourceFile[]> {
  const names = new Set(places.folders.map(piProjectFolder));
  const found = await Promise.all([...names].map((name) => places.list(piSessions(places), name)));
  const shared = [];
  for (const file of jsonLines((await places.list(piSharedSessions(places))).files)) {
    if (isOfWorkspace(places, folderOf(await startOf(file, HEADER_LENGTH)))) shared.push(file);
  }
  return [...found.flatMap(({ files }) => jsonLines(files)), ...shared];
}

function folderOf(start: string): string | undefined {
  const lines = firstLines(start);
  return piHeader.safeParse(parsedRecord(lines[headerLine(lines) ?? 0] ?? '')).data?.cwd;
}

/** Sessions forked from each other have their first entries in common, and become one chat. */
export async function addPi(list: BatchList, files: readonly SourceFile[], now: number): Promise<void> {
  const groups = new SessionGroups<SourceFile>();
  for (const file of oldestFirst(files)) {
    await list.add(file.name, async () => {
      groups.add(file, firstEntry(await startOf(file, HEADER_LENGTH)));
      return undefined;
    });
  }
  for (const group of groups.all()) {
    await list.add(group[0]?.name ?? '', () =>
      oneChat(async () => {
        const sessions: Session[] = [];
        for (const file of group) sessions.push(await sessionOf(file));
        return piChat(sessions, now);
      }),
    );
  }
}

/** What no other entry has alike; nothing in the oldest files, whose entries have no ids. */
function firstEntry(start: string): string[] {
  const lines = firstLines(start, 3);
  const line = lines[(headerLine(lines) ?? 0) + 1];
  const { id, parentId, timestamp, type } = piEntry.safeParse(parsedRecord(line ?? '')).data ?? {};
  return id === undefined ? [] : [JSON.stringify([id, parentId, timestamp, type])];
}

interface Session {
  readonly name: string;
  readonly text: string;
}

async function sessionOf(file: SourceFile): Promise<Session> {
  return { name: file.name, text: await textOf(file) };
}

export async function readPi(file: SourceFile, now: number): Promise<ForeignChat[]> {
  return [await piChat([await sessionOf(file)], now)];
}

/** Read as far as it reads: what is wrong with one line is not wrong with the others. */
async function piChat(sessions: readonly Session[], now: number): Promise<ForeignChat> {
  const report = new ImportReport();
  const reading = new PiReader(now);
  for (const session of sessions.toSorted((one, other) => endOf(one) - endOf(other))) {
    const own = new ImportReport(session.name);
    reading.begin(own);
    readLines(session.text, reading, own);
    report.addAll(own);
  }
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(reading.chat(report), blobs, report);
  const ids = reading.sessionIds.length > 0 ? reading.sessionIds : sessions.map(({ name }) => name);
  return { source: { program: 'pi', ids }, chat, blobs, report };
}

function readLines(text: string, reading: PiReader, report: ImportReport): void {
  const start = headerLine(firstLines(text)) ?? 0;
  let index = 0;
  for (const { line, number, isLast } of linesOf(text)) {
    report.at(number);
    if (index < start) reading.entitle(line);
    else {
      const value = parsedRecord(line);
      if (value !== undefined) reading.take(value, number);
      else if (isLast) report.add(defineMessage('A last line that was cut off'));
      else report.add(defineMessage('Lines that are not JSON, or are too long or nested too deep'));
    }
    index += 1;
  }
}

/** The time of its last entries: where the user was last is in the session that ends last. */
function endOf({ text }: Session): number {
  const end = text.trimEnd();
  const lines = end.slice(end.lastIndexOf('\n', end.lastIndexOf('\n') - 1) + 1).split('\n');
  const times = lines.map((line) => piEntry.safeParse(parsedRecord(line)).data?.timestamp);
  return Math.max(0, ...times.map((time) => Date.parse(time ?? '')).filter(Number.isFinite));
}

/** Two of them have the header. */
function firstLines(text: string, count = 2): string[] {
  const lines: string[] = [];
  for (const { line } of linesOf(text)) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}

function headerLine(lines: readonly string[]): number | undefined {
  const index = lines.slice(0, 2).findIndex((line) => piHeader.safeParse(parsedRecord(line)).success);
  const isTitled = index === 1 && (lines[0]?.length ?? 0) > MAX_TITLE_LINE;
  return index < 0 || isTitled ? undefined : index;
}

/** Reads the entries in one pass: earlier entries are known. */
class PiReader {
  private readonly builder: ChatBuilder;
  /** For each entry its message, or the message it follows. */
  private readonly messageOf = new Map<string, string | null>();
  /** The entries of the session that is being read. */
  private own = new Set<string>();
  /** For each entry that is no message: the entry it follows, and the first message after it. */
  private readonly settings = new Map<string, { readonly above: string | undefined; below?: string }>();
  private readonly calls = new ToolCalls();
  /** The last label of each entry; empty if it was removed. */
  private readonly labels = new Map<string, { readonly name: string; readonly at: number }>();
  private last: string | null = null;
  private key = '';
  private model: string | undefined;
  private report = new ImportReport();
  readonly sessionIds: string[] = [];
  private title: string | undefined;
  private firstQuestion: string | undefined;

  constructor(private readonly now: number) {
    this.builder = new ChatBuilder(now);
  }

  /** Another session begins, with a report of its own. */
  begin(report: ImportReport): void {
    this.report = report;
    this.own = new Set();
    this.last = null;
  }

  chat(report: ImportReport): PortableChat {
    this.calls.reportOpen(report);
    for (const [targetId, { name, at }] of this.labels) this.mark(targetId, name, at);
    return this.builder.build(this.title ?? this.firstQuestion, this.last, this.now);
  }

  entitle(line: string): void {
    const value = parsedRecord(line);
    if (value === undefined) this.title = line.replace(/^#+\s*/, '');
    else {
      const read = piTitle.safeParse(value).data;
      if (read) this.title = 'title' in read ? read.title : read.name;
    }
  }

  take(value: unknown, line: number): void {
    const entry = this.readAs(piEntry, value);
    if (!entry) return;
    const { type, id, parentId, timestamp } = entry;
    if (type === 'session') {
      if (id !== undefined && !this.sessionIds.includes(id)) this.sessionIds.push(id);
      return;
    }
    if (id !== undefined && this.messageOf.has(id)) {
      if (this.own.has(id)) this.report.add(defineMessage('Records with the id of an earlier one'));
      // A fork begins with copies of the entries of its parent.
      else this.last = this.messageOf.get(id) ?? null;
      this.own.add(id);
      return;
    }
    // The oldest files have no ids; line numbers are stable.
    this.key = id ?? `line ${line}`;
    const at = Date.parse(timestamp ?? '');
    const createdAt = Number.isFinite(at) ? at : this.now;
    const above = this.above(parentId);
    if (type === 'label') {
      const label = this.readAs(piLabel, value);
      if (label) {
        const { targetId, label: name } = label;
        // The last label counts, at its own position.
        this.labels.delete(targetId);
        this.labels.set(targetId, { name: name?.trim() ?? '', at: createdAt });
      }
    } else if (type === 'session_info') {
      const info = this.readAs(piInfo, value);
      if (info) this.title = info.name?.trim() === '' ? undefined : info.name?.trim();
    }
    // An entry about the session, or one that cannot be read, passes on the message it follows.
    const added = this.added(type, value, above, createdAt);
    this.last = added ?? above;
    if (id !== undefined) {
      if (added === undefined) this.settings.set(id, { above: parentId ?? undefined });
      else this.followed(parentId ?? undefined, added);
      this.own.add(id);
      this.messageOf.set(id, this.last);
    }
  }

  /** Undefined for a value of another form, which is reported. */
  private readAs<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
    const read = schema.safeParse(value);
    if (!read.success) this.report.add(defineMessage('Records of an unknown kind'));
    return read.data;
  }

  /** Settings before a message lead to it. */
  private followed(parentId: string | undefined, messageId: string): void {
    for (
      let each = this.settings.get(parentId ?? '');
      each && each.below === undefined;
      each = this.settings.get(each.above ?? '')
    )
      each.below = messageId;
  }

  private above(parentId: string | null | undefined): string | null {
    // The oldest files have no ids: an entry follows the previous one.
    if (parentId === undefined) return this.last;
    if (parentId === null) return null;
    const above = this.messageOf.get(parentId);
    if (above !== undefined) return above;
    this.report.add(defineMessage('Messages whose predecessor is missing, kept as first messages'));
    return null;
  }

  private added(
    type: string,
    value: unknown,
    parentId: string | null,
    createdAt: number,
  ): string | undefined {
    const add = (role: 'user' | 'assistant', parts: readonly UIMessagePart[]): string | undefined =>
      parts.length === 0
        ? undefined
        : this.builder.add({ key: this.key, parentId, role, parts, createdAt, model: this.model });
    if (type === 'branch_summary') {
      const read = this.readAs(piSummary, value);
      return read && add('assistant', textParts(read.summary));
    }
    if (type === 'compaction') {
      const read = this.readAs(piSummary, value);
      if (!read) return undefined;
      const { summary, firstKeptEntryId: first = '' } = read;
      const keptFrom = this.settings.has(first) ? this.settings.get(first)?.below : this.messageOf.get(first);
      return this.builder.fold({ key: this.key, parentId, text: summary, keptFrom, createdAt });
    }
    // An extension's message to the model, shown there or not; here it is shown.
    if (type === 'custom_message') {
      const read = this.readAs(piCustom, value);
      return read && add('user', this.partsOf(read.content));
    }
    if (type !== 'message') {
      if (piSettings.has(type)) this.report.bookkeeping();
      else if (!piNotes.has(type)) this.report.add(defineMessage('Records of an unknown kind'));
      return undefined;
    }
    const given = this.readAs(piMessageEntry, value)?.message;
    if (!given) return undefined;
    // Its instructions to the model.
    if (given.role === 'system') {
      this.report.bookkeeping();
      return undefined;
    }
    if (!piRoles.has(given.role)) {
      this.report.add(defineMessage('Messages of an unknown kind'));
      return undefined;
    }
    const read = this.readAs(piMessage, given);
    if (!read) return undefined;
    const answer = piAnswer.safeParse(given).data;
    this.model = answer?.model;
    if (read.role === 'toolResult') return add('assistant', [this.resultOf(read)]);
    const parts = this.contentParts(read);
    if (read.role === 'user') this.firstQuestion ??= titleOf(wordsIn(parts));
    const id = add(isAnswer(read) ? 'assistant' : 'user', parts);
    if (id !== undefined && answer?.stopReason === 'aborted') this.builder.interrupt(id);
    return id;
  }

  private contentParts(read: Exclude<PiMessage, { role: 'toolResult' }>): UIMessagePart[] {
    switch (read.role) {
      case 'user':
        return this.partsOf(read.content.map(withoutPictureNames));
      case 'assistant':
      case 'custom':
      case 'hookMessage':
        return this.partsOf(read.content);
      case 'branchSummary':
      case 'compactionSummary':
        return textParts(read.summary);
      case 'bashExecution':
        if (read.excludeFromContext !== true) return textParts(consoleText(read));
        this.report.add(defineMessage('Commands that were kept from the model'));
        return [];
    }
  }

  private partsOf(blocks: readonly PiBlock[]): UIMessagePart[] {
    return blocks.flatMap((each): UIMessagePart[] => {
      switch (each.type) {
        case 'text':
          return each.text === '' ? [] : [{ type: 'text', text: each.text }];
        case 'thinking':
          return each.thinking === '' ? [] : [{ type: 'reasoning', text: each.thinking }];
        case 'image':
          return [
            { type: 'file', mediaType: each.mimeType, url: `data:${each.mimeType};base64,${each.data}` },
          ];
        case 'toolCall':
          // It is shown with its result, which is a separate entry.
          this.calls.called(each.id, each.name, each.arguments);
          return [];
        case 'other':
          this.report.add(defineMessage('Parts of messages of an unknown kind'));
          return [];
      }
    });
  }

  private resultOf({ content, toolCallId, toolName, isError }: ToolResult): UIMessagePart {
    const pictures = this.partsOf(content.filter(({ type }) => type === 'image'));
    return this.calls.result(toolCallId, textIn(content), isError === true, toolName, pictures);
  }

  private mark(targetId: string, name: string, createdAt: number): void {
    const messageId = this.messageOf.get(targetId);
    if (typeof messageId === 'string' && name !== '') this.builder.mark(name, messageId, createdAt);
  }
}

type ToolResult = Extract<PiMessage, { role: 'toolResult' }>;

function isAnswer({ role }: PiMessage): boolean {
  return role === 'assistant' || role === 'branchSummary' || role === 'compactionSummary';
}

function textParts(text: string): UIMessagePart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function textIn(blocks: readonly PiBlock[]): string {
  return blocks.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n\n');
}

function wordsIn(parts: readonly UIMessagePart[]): string {
  return parts.flatMap((part) => (isTextPart(part) ? [part.text] : [])).join('\n\n');
}

/** Before the words of the user, pi names each picture that goes with them, with a note on its size or none. */
function withoutPictureNames(block: PiBlock): PiBlock {
  return block.type === 'text'
    ? {
        ...block,
        text: block.text.replace(/^(?:<file name="[^"\n]*">(?:\[Image:[^\]\n]*\]\n?)*<\/file>\n?)+/u, ''),
      }
    : block;
}
