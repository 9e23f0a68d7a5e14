import { z } from 'zod';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { addTalk, readContent, withoutNotes, type AnthropicContent } from '../anthropicBlocks.ts';
import { isTextPart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf, ToolCalls } from '../chatBuilder.ts';
import {
  claudeNode,
  claudeTitle,
  inLine,
  isClaudeRecord,
  recordKind,
  silentRecords,
  withParallelResults,
  type ClaudeRecord,
} from './claudeCodeRecords.ts';
import { claudeFolder, claudeHome } from './claudeCodePlaces.ts';
import { claudeWords, CLAUDE_NOTES, isSynthetic, shellText, summaryText } from './claudeCodeWords.ts';
import { oneChat, textOf, type BatchList, type SourceFile } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import { recordLines } from '../recordLines.ts';
import { SessionGroups } from '../sessionGroups.ts';
import { jsonLines, MAX_SESSIONS, newestSessions, oldestFirst } from '../sessionPlaces.ts';
import { inTreeOrder } from '../treeOrder.ts';
import type { ProgramFormat } from '../programFormat.ts';

interface SessionText {
  readonly id: string;
  readonly text: string;
}

/** The records of one session, or of several that share records: the last one has the user's position. */
interface ClaudeSessions {
  readonly ids: readonly string[];
  readonly records: ReadonlyMap<string, ClaudeRecord>;
  readonly lastId: string | undefined;
  readonly title: string | undefined;
  readonly report: ImportReport;
}

export const claudeCode: ProgramFormat = {
  program: 'claude-code',
  lines: {
    // File history and other records, which depend on the version, may precede the first message.
    detect: (_lines, records) => records.some(isClaudeRecord),
    read: async (file, now) => {
      const session = readClaudeRecords({ id: sessionId(file), text: await textOf(file) });
      return [await claudeCodeChat(session, now)];
    },
  },
  find: async ({ places, list, now }) => {
    const root = claudeHome(places);
    const names = new Set(places.folders.map(claudeFolder));
    const found: SourceFile[] = [];
    for (const name of names) {
      const { files, folders: sessions } = await places.list(root, name);
      found.push(...jsonLines(files));
      for (const session of sessions.slice(0, MAX_SESSIONS)) {
        const { files: agents } = await places.list(root, name, session, 'subagents');
        found.push(...jsonLines(agents));
      }
    }
    await addClaudeCode(list, newestSessions('claude-code', found, list), now);
  },
};

/** Sessions that share records become one chat. */
export async function addClaudeCode(
  list: BatchList,
  files: readonly SourceFile[],
  now: number,
): Promise<void> {
  const groups = new SessionGroups<SourceFile>();
  for (const file of oldestFirst(files)) {
    await list.add(file.name, async () => {
      const id = sessionId(file);
      const { records } = readClaudeRecords({ id, text: await textOf(file) });
      const sessions = [...records.values()].flatMap(({ sessionId: of, isSidechain, agentId }) =>
        of !== undefined && isSidechain === true && agentId !== undefined ? [`session ${of}`] : [],
      );
      if (records.size > 0) groups.add(file, [`session ${id}`, ...records.keys(), ...new Set(sessions)]);
      return undefined;
    });
  }
  for (const group of groups.all())
    await list.add(group[0]?.name ?? '', () => oneChat(() => claudeChatOf(group, now)));
}

async function claudeChatOf(group: readonly SourceFile[], now: number): Promise<ForeignChat> {
  const sessions = [];
  for (const file of group)
    sessions.push(readClaudeRecords({ id: sessionId(file), text: await textOf(file) }));
  return claudeCodeChat(joinedSessions(sessions), now);
}

function sessionId({ name }: Pick<SourceFile, 'name'>): string {
  return name.replace(/\.jsonl$/u, '');
}

function readClaudeRecords({ id, text }: SessionText): ClaudeSessions {
  const report = new ImportReport(`${id}.jsonl`);
  const records = new Map<string, ClaudeRecord>();
  let lastId: string | undefined;
  let title: readonly [number, string] = [0, ''];
  for (const value of recordLines(text, report)) {
    const read = claudeNode.safeParse(value).data;
    if (read) {
      if (!records.has(read.uuid)) records.set(read.uuid, read);
      if (read.isSidechain !== true && read.message) lastId = read.uuid;
      continue;
    }
    const name = claudeTitle.safeParse(value).data;
    if (name && name[0] >= title[0]) title = name;
    if (name) continue;
    if (silentRecords.has(recordKind.safeParse(value).data?.type ?? '')) report.bookkeeping();
    else report.add(defineMessage('Records of an unknown kind'));
  }
  return {
    ids: [id],
    records: inLine(records),
    lastId,
    title: title[1] === '' ? undefined : title[1],
    report,
  };
}

/** Later ones count as newer. */
function joinedSessions(sessions: readonly ClaudeSessions[]): ClaudeSessions {
  const records = new Map<string, ClaudeRecord>();
  const report = new ImportReport();
  for (const session of sessions) {
    for (const [id, record] of session.records) if (!records.has(id)) records.set(id, record);
    report.addAll(session.report);
  }
  return {
    ids: sessions.flatMap(({ ids }) => ids),
    records,
    lastId: sessions.findLast(({ lastId }) => lastId !== undefined)?.lastId,
    title: sessions.findLast(({ title }) => title !== undefined)?.title,
    report,
  };
}

async function claudeCodeChat(sessions: ClaudeSessions, now: number): Promise<ForeignChat> {
  const report = new ImportReport();
  report.addAll(sessions.report);
  const reading = new ClaudeReader(sessions, report, now);
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(reading.chat(), blobs, report);
  // Agent sessions come and go; a chat is identified by its main sessions.
  const own = sessions.ids.filter((id) => !id.startsWith('agent-'));
  return {
    source: { program: 'claude-code', ids: own.length > 0 ? own : sessions.ids },
    chat,
    blobs,
    report,
  };
}

class ClaudeReader {
  private readonly builder: ChatBuilder;
  private readonly calls = new ToolCalls();
  /** For each record its message, or the message it follows. */
  private readonly messageOf = new Map<string, string | null>();
  /** For each record the model that spoke last on the way to it: what a tool returned has a record of its own. */
  private readonly modelOf = new Map<string, string>();
  private firstQuestion: string | undefined;
  /** The command that the next output is of. */
  private shellCommand = '';

  constructor(
    private readonly sessions: ClaudeSessions,
    private readonly report: ImportReport,
    private readonly now: number,
  ) {
    this.builder = new ChatBuilder(now);
  }

  chat(): ForeignChat['chat'] {
    const { records: given, lastId, title } = this.sessions;
    const records = withParallelResults(given);
    const starts = new SidechainStarts(records);
    const isThere = (id: string | null | undefined): id is string =>
      typeof id === 'string' && records.has(id);
    const parentOf = (record: ClaudeRecord): string | null => {
      const { parentUuid, logicalParentUuid } = record;
      if (isThere(parentUuid)) return parentUuid;
      return isThere(logicalParentUuid) ? logicalParentUuid : (starts.of(record) ?? parentUuid ?? null);
    };
    const { placed, orphans } = inTreeOrder(records, parentOf);
    this.report.add(defineMessage('Messages whose predecessor is missing, kept as first messages'), orphans);
    const ends = new Map<string, number>();
    for (const { id, parentId, record } of placed) {
      const above = parentId === null ? null : (this.messageOf.get(parentId) ?? null);
      const model = record.message?.model ?? this.modelOf.get(parentId ?? '');
      if (model !== undefined) this.modelOf.set(id, model);
      const at = this.added(record, above);
      this.messageOf.set(id, at);
      if (record.isSidechain === true && at !== null && at !== above) {
        if (above !== null) ends.delete(above);
        ends.set(at, ends.size);
      }
    }
    for (const end of ends.keys()) this.builder.nameBranch(end, 'sidechain');
    this.calls.reportOpen(this.report);
    const current = lastId === undefined ? null : (this.messageOf.get(lastId) ?? null);
    return this.builder.build(title ?? this.firstQuestion, current, this.now);
  }

  private added(record: ClaudeRecord, parentId: string | null): string | null {
    const { type, message: spoken, attachment } = record;
    // Progress, and states of the program.
    if (type === 'progress' || type === 'system') {
      this.report.bookkeeping();
      return parentId;
    }
    if (attachment && attachment.commandMode !== 'task-notification') {
      return this.addWords(record, parentId, attachment.prompt);
    }
    if (type === 'attachment' || !spoken || record.isMeta === true) {
      this.report.add(defineMessage('Notes of the program to the model'));
      return parentId;
    }
    if (record.isApiErrorMessage === true) {
      this.report.add(defineMessage('Errors of the provider'));
      return parentId;
    }
    const words = claudeWords(record);
    switch (words.kind) {
      case 'talk':
        return this.addWords(record, parentId, spoken.content);
      case 'question':
        return this.addWords(record, parentId, words.text);
      case 'interrupted':
        if (parentId !== null) this.builder.interrupt(parentId);
        return parentId;
      case 'shell-command':
        this.shellCommand = words.command;
        return parentId;
      case 'shell-output':
        return this.addWords(record, parentId, shellText(this.shellCommand, words.output));
      case 'local-command':
        this.report.add(defineMessage('Commands to the program, and their output'));
        return parentId;
      case 'placeholder':
        this.report.add(defineMessage('Answers that no model wrote'));
        return parentId;
    }
  }

  private addWords(record: ClaudeRecord, parentId: string | null, said: AnthropicContent): string | null {
    const { type, uuid, timestamp } = record;
    const model = this.modelOf.get(uuid);
    const time = Date.parse(timestamp ?? '');
    const createdAt = Number.isFinite(time) ? time : this.now;
    const content = readContent(said, this.calls, this.report);
    if (record.isCompactSummary === true) {
      const text = summaryText(
        content.spoken.flatMap((part) => (isTextPart(part) ? [part.text] : [])).join('\n'),
      );
      return this.builder.fold({ key: uuid, parentId, text, createdAt, keptFrom: this.keptFrom(record) });
    }
    const role = type === 'assistant' ? 'assistant' : 'user';
    const parts = role === 'user' ? withoutNotes(content.spoken, this.report, CLAUDE_NOTES) : content.spoken;
    if (role === 'user' && record.isSidechain !== true) {
      const text = parts.find(isTextPart)?.text;
      if (text !== undefined) this.firstQuestion ??= titleOf(text);
    }
    return addTalk(this.builder, {
      key: uuid,
      parentId,
      role,
      createdAt,
      model: isSynthetic(model) ? undefined : model,
      ...content,
      spoken: parts,
    });
  }

  /** The first message before a summary that the model was sent with it. */
  private keptFrom({ parentUuid }: ClaudeRecord): string | null | undefined {
    const boundary = parentUuid ? this.sessions.records.get(parentUuid) : undefined;
    const head = boundary?.compactMetadata?.preservedSegment.headUuid;
    return head === undefined ? undefined : this.messageOf.get(head);
  }
}

/** Which message started each agent: the agents' own messages name no parent. */
class SidechainStarts {
  private readonly byAgent = new Map<string, string>();
  private readonly byPrompt = new Map<string, string>();

  constructor(records: ReadonlyMap<string, ClaudeRecord>) {
    for (const [id, { message: spoken, isSidechain, toolUseResult, parentUuid }] of records) {
      if (toolUseResult && typeof parentUuid === 'string')
        this.byAgent.set(toolUseResult.agentId, parentUuid);
      if (isSidechain === true || !spoken || typeof spoken.content === 'string') continue;
      for (const each of spoken.content) {
        const prompt = each.type === 'tool_use' ? asked.safeParse(each.input).data?.prompt : undefined;
        if (prompt !== undefined && !this.byPrompt.has(prompt)) this.byPrompt.set(prompt, id);
      }
    }
  }

  of({ isSidechain, agentId, message: spoken }: ClaudeRecord): string | null {
    if (isSidechain !== true) return null;
    const agents = agentId === undefined ? undefined : this.byAgent.get(agentId);
    const [block] = typeof spoken?.content === 'object' ? spoken.content : [];
    const text =
      typeof spoken?.content === 'string' ? spoken.content : block?.type === 'text' ? block.text : '';
    return agents ?? this.byPrompt.get(text) ?? null;
  }
}

const asked = z.object({ prompt: z.string() });
