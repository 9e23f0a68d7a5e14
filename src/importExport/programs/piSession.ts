import type { z } from 'zod';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import { isTextPart, type UIMessagePart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf, ToolCalls } from '../chatBuilder.ts';
import { oneChat, startOf, textOf, type BatchList, type SourceFile } from '../importBatch.ts';
import { piProjectFolder, piSessions, piSharedSessions } from './piPlaces.ts';
import {
  consoleText,
  piAnswer,
  piCustom,
  piEntry,
  piHeader,
  piInfo,
  piLabel,
  piMessage,
  piMessageEntry,
  piRoles,
  piSettings,
  piSummary,
  piTitle,
  type PiBlock,
  type PiMessage,
} from './piRecords.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import type { ProgramFormat } from '../programFormat.ts';
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
    detect: (lines) => headerLine(linesOf(lines.slice(0, 3).join('\n'))) !== undefined,
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
  const lines = linesOf(start);
  return piHeader.safeParse(parsed(lines[headerLine(lines) ?? 0]?.line ?? '')).data?.cwd;
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
        const texts: string[] = [];
        for (const file of group) texts.push(await textOf(file));
        return piChat(texts, group[0]?.name ?? '', now);
      }),
    );
  }
}

/** What no other entry has alike; nothing in the oldest files, whose entries have no ids. */
function firstEntry(start: string): string[] {
  const lines = linesOf(start);
  const { line = '' } = lines[(headerLine(lines) ?? 0) + 1] ?? {};
  const { id, parentId, timestamp, type } = piEntry.safeParse(parsed(line)).data ?? {};
  return id === undefined ? [] : [JSON.stringify([id, parentId, timestamp, type])];
}

export async function readPi(file: SourceFile, now: number): Promise<ForeignChat[]> {
  return [await piChat([await textOf(file)], file.name, now)];
}

/**
 * @param name stands for the id of a session without one
 * @throws ImportError with the line of the first error
 */
async function piChat(texts: readonly string[], name: string, now: number): Promise<ForeignChat> {
  const report = new ImportReport();
  const reading = new PiReader(now, report);
  for (const lines of texts.map(linesOf).toSorted((one, other) => endOf(one) - endOf(other))) {
    readLines(lines, reading, report);
  }
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(reading.chat(), blobs, report);
  const ids = reading.sessionIds.length > 0 ? reading.sessionIds : [name];
  return { source: { program: 'pi', ids }, chat, blobs, report };
}

function readLines(lines: readonly Line[], reading: PiReader, report: ImportReport): void {
  const start = headerLine(lines) ?? 0;
  const last = lines.length - 1;
  reading.begin();
  for (const [index, { line, number }] of lines.entries()) {
    if (index < start) reading.entitle(line);
    else {
      const value = parsed(line);
      if (value !== undefined) reading.take(value, number);
      else if (index === last) report.add(defineMessage('A last line that was cut off'));
      else throw new ImportError(defineMessage('line {0} is not JSON', number));
    }
  }
}

/** The time of its last entry: where the user was last is in the session that ends last. */
function endOf(lines: readonly Line[]): number {
  const entries = lines.slice(-2).map(({ line }) => piEntry.safeParse(parsed(line)).data?.timestamp);
  return Math.max(0, ...entries.map((time) => Date.parse(time ?? '')).filter(Number.isFinite));
}

interface Line {
  readonly line: string;
  readonly number: number;
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== '');
}

function headerLine(lines: readonly { readonly line: string }[]): number | undefined {
  const index = lines.slice(0, 2).findIndex(({ line }) => piHeader.safeParse(parsed(line)).success);
  const isTitled = index === 1 && (lines[0]?.line.length ?? 0) > MAX_TITLE_LINE;
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
  readonly sessionIds: string[] = [];
  private title: string | undefined;
  private firstQuestion: string | undefined;

  constructor(
    private readonly now: number,
    private readonly report: ImportReport,
  ) {
    this.builder = new ChatBuilder(now);
  }

  /** Another session begins. */
  begin(): void {
    this.own = new Set();
    this.last = null;
  }

  chat(): PortableChat {
    this.calls.reportOpen(this.report);
    for (const [targetId, { name, at }] of this.labels) this.mark(targetId, name, at);
    return this.builder.build(this.title ?? this.firstQuestion, this.last, this.now);
  }

  entitle(line: string): void {
    const value = parsed(line);
    if (value === undefined) this.title = line.replace(/^#+\s*/, '');
    else {
      const read = piTitle.safeParse(value).data;
      if (read) this.title = 'title' in read ? read.title : read.name;
    }
  }

  take(value: unknown, line: number): void {
    const { type, id, parentId, timestamp } = checkedLine(piEntry, value, line);
    if (type === 'session') {
      if (id !== undefined && !this.sessionIds.includes(id)) this.sessionIds.push(id);
      return;
    }
    if (id !== undefined && this.messageOf.has(id) && !this.own.has(id)) {
      // A fork begins with copies of the entries of its parent.
      this.own.add(id);
      this.last = this.messageOf.get(id) ?? null;
      return;
    }
    // The oldest files have no ids; line numbers are stable.
    this.key = id ?? `line ${line}`;
    const at = Date.parse(timestamp ?? '');
    const createdAt = Number.isFinite(at) ? at : this.now;
    const above = this.above(parentId);
    if (type === 'label') {
      const { targetId, label: name } = checkedLine(piLabel, value, line);
      // The last label counts, at its own position.
      this.labels.delete(targetId);
      this.labels.set(targetId, { name: name?.trim() ?? '', at: createdAt });
    } else if (type === 'session_info') {
      const name = checkedLine(piInfo, value, line).name?.trim() ?? '';
      this.title = name === '' ? undefined : name;
    }
    // An entry about the session passes on the message it follows.
    const added = this.added(type, value, line, above, createdAt);
    this.last = added ?? above;
    if (id !== undefined) {
      if (added === undefined) this.settings.set(id, { above: parentId ?? undefined });
      else this.followed(parentId ?? undefined, added);
      this.own.add(id);
      if (this.messageOf.has(id))
        throw new ImportError(defineMessage('line {0}: the id {1} is there twice', line, JSON.stringify(id)));
      this.messageOf.set(id, this.last);
    }
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
    line: number,
    parentId: string | null,
    createdAt: number,
  ): string | undefined {
    const add = (role: 'user' | 'assistant', parts: readonly UIMessagePart[]): string | undefined =>
      parts.length === 0
        ? undefined
        : this.builder.add({ key: this.key, parentId, role, parts, createdAt, model: this.model });
    if (type === 'branch_summary') {
      return add('assistant', textParts(checkedLine(piSummary, value, line).summary));
    }
    if (type === 'compaction') {
      const { summary, firstKeptEntryId: first = '' } = checkedLine(piSummary, value, line);
      const keptFrom = this.settings.has(first) ? this.settings.get(first)?.below : this.messageOf.get(first);
      return this.builder.fold({ key: this.key, parentId, text: summary, keptFrom, createdAt });
    }
    // An extension's message to the model, shown there or not; here it is shown.
    if (type === 'custom_message')
      return add('user', this.partsOf(checkedLine(piCustom, value, line).content));
    if (type !== 'message') {
      if (!piSettings.has(type)) this.report.add(defineMessage('Records of an unknown kind'));
      return undefined;
    }
    const given = checkedLine(piMessageEntry, value, line).message;
    // Its instructions to the model.
    if (given.role === 'system') return undefined;
    if (!piRoles.has(given.role)) {
      this.report.add(defineMessage('Messages of an unknown kind'));
      return undefined;
    }
    const read = checkedLine(piMessage, given, line);
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

/** Undefined when it is not JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

function checkedLine<T extends z.ZodType>(schema: T, value: unknown, line: number): z.infer<T> {
  const read = schema.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, `line ${line}`);
  return read.data;
}
