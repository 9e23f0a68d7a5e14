import type { z } from 'zod';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf, ToolCalls } from '../chatBuilder.ts';
import { readSession, type Session, type SourceFile } from '../importBatch.ts';
import type { ProgramFormat } from '../programFormat.ts';
import type { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { recordLines } from '../recordLines.ts';
import { addSessions, jsonLines, newestSessions } from '../sessionPlaces.ts';
import { inTreeOrder } from '../treeOrder.ts';
import {
  isQwenRecord,
  qwenAtCommand,
  qwenBookkeeping,
  qwenCompression,
  qwenPicture,
  qwenRecord,
  qwenTitle,
  type QwenPart,
  type QwenRecord,
} from './qwenRecords.ts';

export const qwenCode: ProgramFormat = {
  program: 'qwen-code',
  lines: { detect: (_lines, records) => records.some(isQwenRecord), read: readQwen },
  find: async ({ places, list, now }) => {
    const root = places.userFolder(
      { variable: 'QWEN_RUNTIME_DIR', base: 'home', below: ['.qwen'] },
      'projects',
    );
    const found: SourceFile[] = [];
    for (const name of new Set(places.folders.flatMap(foldersOf))) {
      found.push(...jsonLines((await places.list(root, name, 'chats')).files));
    }
    await addSessions(list, readQwen, newestSessions('qwen-code', found, list), now);
  },
};

/** On Windows, paths are taken in small letters. */
function foldersOf(folder: string): string[] {
  return [folder, folder.toLowerCase()].map((each) => each.replaceAll(/[^a-zA-Z0-9]/gu, '-'));
}

export function readQwen(file: SourceFile, now: number): Promise<ForeignChat[]> {
  return readSession('qwen-code', file, (text, report) => qwenChat(text, now, report));
}

function qwenChat(text: string, now: number, report: ImportReport): Session {
  const records = new Map<string, QwenRecord>();
  for (const value of recordLines(text, report)) {
    const record = qwenRecord.safeParse(value).data;
    if (!record) report.add(defineMessage('Records of an unknown kind'));
    else if (!records.has(record.uuid)) records.set(record.uuid, record);
  }
  const [first] = records.values();
  return { chat: new QwenReader(records, report, now).chat(), id: first?.sessionId };
}

class QwenReader {
  private readonly builder: ChatBuilder;
  private readonly calls = new ToolCalls();
  /** For each record its message, or the message it follows. */
  private readonly messageOf = new Map<string, string | null>();
  /** What the model is sent again after summaries, without its id, and the last message that says it. */
  private readonly keptAgain = new Set<string>();
  private readonly lastWith = new Map<string, string>();
  private title: string | undefined;
  private firstQuestion: string | undefined;

  constructor(
    private readonly records: ReadonlyMap<string, QwenRecord>,
    private readonly report: ImportReport,
    private readonly now: number,
  ) {
    this.builder = new ChatBuilder(now);
    for (const { systemPayload } of records.values()) {
      const kept = qwenCompression.safeParse(systemPayload).data?.compressedHistory[2];
      if (kept) this.keptAgain.add(JSON.stringify(kept.parts));
    }
  }

  chat(): Session['chat'] {
    const { placed, orphans } = inTreeOrder(this.records, ({ parentUuid }) => parentUuid ?? null);
    this.report.add(defineMessage('Messages whose predecessor is missing, kept as first messages'), orphans);
    for (const { id, parentId, record } of placed) {
      const above = parentId === null ? null : (this.messageOf.get(parentId) ?? null);
      const at = this.added(record, above);
      this.messageOf.set(id, at);
      const said = this.keptAgain.size > 0 ? JSON.stringify(record.message?.parts) : undefined;
      if (said !== undefined && at !== null && this.keptAgain.has(said)) this.lastWith.set(said, at);
    }
    this.calls.reportOpen(this.report);
    // The program goes on from the last record, also after it has only gone back.
    const last = [...this.records.keys()].at(-1);
    const current = last === undefined ? null : (this.messageOf.get(last) ?? null);
    return this.builder.build(this.title ?? this.firstQuestion, current, this.now);
  }

  private added(record: QwenRecord, parentId: string | null): string | null {
    const { type, uuid, message, subtype, model } = record;
    if (type === 'system') return this.system(record, parentId);
    if (!message) {
      this.report.add(defineMessage('Records of an unknown kind'));
      return parentId;
    }
    // What background agents and timers tell the model.
    if (type === 'user' && (subtype === 'notification' || subtype === 'cron')) {
      this.report.add(defineMessage('Notes of the program to the model'));
      return parentId;
    }
    const asked = type === 'user' ? this.askedWithFiles(record) : undefined;
    const parts = asked ? this.withoutFiles(asked, message.parts) : message.parts;
    const content = parts.flatMap((part) => this.partOf(part, record));
    if (content.length === 0) return parentId;
    const role = type === 'user' ? 'user' : 'assistant';
    if (role === 'user') {
      const text = content.find((part) => part.type === 'text');
      if (text && 'text' in text && typeof text.text === 'string') this.firstQuestion ??= titleOf(text.text);
    }
    return this.builder.add({
      key: uuid,
      parentId,
      role,
      parts: content,
      createdAt: this.timeOf(record),
      model,
    });
  }

  private system(record: QwenRecord, parentId: string | null): string | null {
    const { uuid, subtype = '', systemPayload } = record;
    if (subtype === 'custom_title')
      this.title = qwenTitle.safeParse(systemPayload).data?.customTitle ?? this.title;
    const compressed =
      subtype === 'chat_compression' ? qwenCompression.safeParse(systemPayload).data : undefined;
    if (compressed) {
      const [summary, , ...kept] = compressed.compressedHistory;
      const text = (summary?.parts ?? []).flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
      const keptFrom = kept[0] && this.lastWith.get(JSON.stringify(kept[0].parts));
      return this.builder.fold({ key: uuid, parentId, text, createdAt: this.timeOf(record), keptFrom });
    }
    if (subtype === 'slash_command') {
      this.report.add(defineMessage('Commands to the program, and their output'));
    } else if (qwenBookkeeping.has(subtype)) this.report.bookkeeping();
    else this.report.add(defineMessage('Records of an unknown kind'));
    return parentId;
  }

  /** What was typed, where the program has put the contents of files with it. */
  private askedWithFiles({ parentUuid }: QwenRecord): string | undefined {
    const before = parentUuid ? this.records.get(parentUuid) : undefined;
    return before?.subtype === 'at_command'
      ? qwenAtCommand.safeParse(before.systemPayload).data?.userText
      : undefined;
  }

  private withoutFiles(asked: string, parts: readonly QwenPart[]): QwenPart[] {
    const texts = parts.filter((part) => 'text' in part && part.text.trim() !== asked.trim());
    if (texts.length > 0) this.report.add(defineMessage('Texts of files that questions named'));
    return [{ text: asked }, ...parts.filter((part) => 'inlineData' in part)];
  }

  private partOf(part: QwenPart, { toolCallResult }: QwenRecord): UIMessagePart[] {
    if ('text' in part) {
      if (part.text === '') return [];
      return [{ type: part.thought === true ? 'reasoning' : 'text', text: part.text }];
    }
    if ('inlineData' in part) return [pictureOf(part)];
    if ('functionCall' in part) {
      const { id, name, args } = part.functionCall;
      this.calls.called(id, name, args);
      return [];
    }
    if ('functionResponse' in part) {
      const { id, name, response = {}, parts = [] } = part.functionResponse;
      const pictures = parts.flatMap((each) => {
        const picture = qwenPicture.safeParse(each).data;
        if (!picture) this.report.add(defineMessage('Parts of messages of an unknown kind'));
        return picture ? [pictureOf(picture)] : [];
      });
      const isError =
        response.error !== undefined || /^(?:error|cancelled)$/u.test(toolCallResult?.status ?? '');
      const output = response.error ?? response.output ?? response;
      return [this.calls.result(id, output, isError, name, pictures)];
    }
    this.report.add(defineMessage('Parts of messages of an unknown kind'));
    return [];
  }

  private timeOf({ timestamp }: QwenRecord): number {
    const at = Date.parse(timestamp ?? '');
    return Number.isFinite(at) ? at : this.now;
  }
}

function pictureOf({ inlineData: { mimeType, data } }: z.infer<typeof qwenPicture>): UIMessagePart {
  return { type: 'file', mediaType: mimeType, url: `data:${mimeType};base64,${data}` };
}
