import type { z } from 'zod';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf } from '../chatBuilder.ts';
import { readSession, type SourceFile } from '../importBatch.ts';
import {
  consoleText,
  piCustom,
  piEntry,
  piHeader,
  piInfo,
  piLabel,
  piMessage,
  piMessageEntry,
  piModelName,
  piRoles,
  piSettings,
  piSummary,
  piTitle,
  type PiBlock,
  type PiMessage,
} from './piRecords.ts';
import type { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { addSessions, jsonLines, newestSessions } from '../sessionPlaces.ts';
import type { ProgramFormat } from '../programFormat.ts';

/** The longest line before the header that is read as a title. */
const MAX_TITLE_LINE = 1_000;

export const pi: ProgramFormat = {
  program: 'pi',
  lines: {
    // A session begins with its header, or a title and then the header.
    detect: (lines) => headerLine(linesOf(lines.slice(0, 3).join('\n'))) !== undefined,
    read: readPi,
  },
  find: async ({ places, list, now }) => {
    const root = places.userFolder(
      { variable: 'PI_CODING_AGENT_DIR', base: 'home', below: ['.pi', 'agent'] },
      'sessions',
    );
    const names = places.folders.map(
      (each) => `--${each.replace(/^[/\\]/u, '').replaceAll(/[/\\:]/gu, '-')}--`,
    );
    const found = await Promise.all([...new Set(names)].map((name) => places.list(root, name)));
    const sessions = found.flatMap(({ files }) => jsonLines(files));
    await addSessions(list, readPi, newestSessions('pi', sessions, list), now);
  },
};

export function readPi(file: SourceFile, now: number): Promise<ForeignChat[]> {
  return readSession('pi', file, (text, report) => piChat(text, now, report));
}

/** @throws ImportError with the line of the first error */
function piChat(
  text: string,
  now: number,
  report: ImportReport,
): { readonly chat: PortableChat; readonly id: string | undefined } {
  const lines = linesOf(text);
  const reading = new PiReader(now, report);
  const start = headerLine(lines) ?? 0;
  const last = lines.length - 1;
  for (const [index, { line, number }] of lines.entries()) {
    if (index < start) reading.entitle(line);
    else {
      const value = parsed(line);
      if (value !== undefined) reading.take(value, number);
      else if (index === last) report.add(defineMessage('A last line that was cut off'));
      else throw new ImportError(defineMessage('line {0} is not JSON', number));
    }
  }
  return { chat: reading.chat(), id: reading.sessionId };
}

function linesOf(text: string): { readonly line: string; readonly number: number }[] {
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
  private readonly calls = new Map<string, unknown>();
  /** The last label of each entry; empty if it was removed. */
  private readonly labels = new Map<string, { readonly name: string; readonly at: number }>();
  private last: string | null = null;
  private key = '';
  private model: string | undefined;
  sessionId: string | undefined;
  private title: string | undefined;
  private firstQuestion: string | undefined;

  constructor(
    private readonly now: number,
    private readonly report: ImportReport,
  ) {
    this.builder = new ChatBuilder(now);
  }

  chat(): PortableChat {
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
      this.sessionId ??= id;
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
    this.last = this.added(type, value, line, above, createdAt) ?? above;
    if (id !== undefined) {
      if (this.messageOf.has(id))
        throw new ImportError(defineMessage('line {0}: the id {1} is there twice', line, JSON.stringify(id)));
      this.messageOf.set(id, this.last);
    }
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
    if (type === 'branch_summary' || type === 'compaction') {
      return add('assistant', textParts(checkedLine(piSummary, value, line).summary));
    }
    // An extension's message to the model, shown there or not; here it is shown.
    if (type === 'custom_message')
      return add('user', this.partsOf(checkedLine(piCustom, value, line).content));
    if (type !== 'message') {
      if (!piSettings.has(type)) this.report.add(defineMessage('Records of an unknown kind'));
      return undefined;
    }
    const given = checkedLine(piMessageEntry, value, line).message;
    if (!piRoles.has(given.role)) {
      this.report.add(defineMessage('Messages of an unknown kind'));
      return undefined;
    }
    const read = checkedLine(piMessage, given, line);
    this.model = piModelName.safeParse(given).data?.model;
    if (read.role === 'toolResult') return this.addResult(read, add, createdAt);
    if (read.role === 'user') this.firstQuestion ??= titleOf(textIn(read.content));
    return add(isAnswer(read) ? 'assistant' : 'user', this.contentParts(read));
  }

  private contentParts(read: Exclude<PiMessage, { role: 'toolResult' }>): UIMessagePart[] {
    switch (read.role) {
      case 'user':
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

  /** A tool's result, followed by its pictures as a separate message: an answer has no pictures. */
  private addResult(
    read: ToolResult,
    add: (role: 'assistant', parts: readonly UIMessagePart[]) => string | undefined,
    createdAt: number,
  ): string | undefined {
    const resultId = add('assistant', [this.resultOf(read)]);
    const pictures = this.partsOf(read.content.filter(({ type }) => type === 'image'));
    if (resultId === undefined || pictures.length === 0) return resultId;
    const parts = [...textParts(`[Pictures that the tool ${read.toolName} returned:]`), ...pictures];
    const key = `${this.key}:shown`;
    return this.builder.add({ key, parentId: resultId, role: 'user', parts, createdAt });
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
          this.calls.set(each.id, each.arguments);
          return [];
        case 'other':
          this.report.add(defineMessage('Parts of messages of an unknown kind'));
          return [];
      }
    });
  }

  private resultOf(result: ToolResult): UIMessagePart {
    const { toolCallId, toolName, isError } = result;
    const call = {
      type: 'dynamic-tool',
      toolName,
      toolCallId,
      input: this.calls.get(toolCallId) ?? {},
    } as const;
    const text = textIn(result.content);
    return isError === true
      ? { ...call, state: 'output-error', errorText: text }
      : { ...call, state: 'output-available', output: text };
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
