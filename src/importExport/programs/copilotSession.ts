import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf, ToolCalls, textPart } from '../chatBuilder.ts';
import { oneChat, startOf, textOf, type BatchList, type SourceFile } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { parsedRecord, recordLines } from '../recordLines.ts';
import { SessionGroups } from '../sessionGroups.ts';
import { isOfWorkspace, newestSessions } from '../sessionPlaces.ts';
import {
  copilotAgent,
  copilotAnswer,
  copilotAsset,
  copilotCompaction,
  copilotEvent,
  copilotNotes,
  copilotQuestion,
  copilotRequested,
  copilotResult,
  copilotStart,
  copilotTitle,
  isCopilotBookkeeping,
  type CopilotBinary,
  type CopilotEvent,
} from './copilotRecords.ts';

const program = 'copilot';

/** How much of a session is read to find its folder, in UTF-16 units. */
const HEADER_LENGTH = 65_536;

/** The files of a session: its events, and what else is known of it. */
export interface CopilotFiles {
  readonly events: SourceFile;
  /** `workspace.yaml`, which has its name. */
  readonly workspace?: SourceFile | undefined;
}

export const copilot: ProgramFormat = {
  program,
  lines: {
    detect: (_lines, records) => records.some((record) => copilotStart.safeParse(record).success),
    read: async (file, now) => {
      const chat = await copilotChat([{ events: file }], now);
      return chat ? [chat] : [];
    },
  },
  // A folder for each session, which contains the folder it worked in; the first versions wrote a file for each.
  find: async ({ places, list, now }) => {
    const home = { variable: 'COPILOT_HOME', base: 'home', below: ['.copilot'] } as const;
    const root = places.userFolder(home, 'session-state');
    const { files, folders } = await places.list(root);
    const found: (CopilotFiles & { readonly changedAt: number })[] = [];
    for (const events of files.filter(({ name }) => name.endsWith('.jsonl')))
      found.push({ events, changedAt: events.changedAt });
    for (const folder of folders) {
      const inside = (await places.list(root, folder)).files;
      const events = inside.find(({ name }) => name === 'events.jsonl');
      const workspace = inside.find(({ name }) => name === 'workspace.yaml');
      if (events) found.push({ events, workspace, changedAt: events.changedAt });
    }
    const newest = newestSessions(program, found, list);
    await addCopilot(list, newest, now, (folder) => isOfWorkspace(places, folder));
  },
};

/** Sessions forked from each other, which share events, become one chat. */
export async function addCopilot(
  list: BatchList,
  sessions: readonly CopilotFiles[],
  now: number,
  isWanted: (folder: string | undefined) => boolean,
): Promise<void> {
  const wanted: { readonly session: CopilotFiles; readonly event: CopilotEvent }[] = [];
  for (const session of sessions) {
    const { events } = session;
    await list.add(events.name, async () => {
      const [line = ''] = (await startOf(events, HEADER_LENGTH)).split('\n', 1);
      const record = parsedRecord(line);
      const start = copilotStart.safeParse(record).data;
      const event = copilotEvent.safeParse(record).data;
      if (start && event && isWanted(start.data.context?.cwd)) wanted.push({ session, event });
      return undefined;
    });
  }
  const timeOf = ({ timestamp }: CopilotEvent): number => Date.parse(timestamp ?? '') || 0;
  const groups = new SessionGroups<CopilotFiles>();
  // A fork begins after what it was forked from.
  for (const { session, event } of wanted.toSorted((one, other) => timeOf(one.event) - timeOf(other.event)))
    groups.add(session, [event.id]);
  for (const group of groups.all())
    await list.add(group[0]?.events.name ?? '', () => oneChat(() => copilotChat(group, now)));
}

async function copilotChat(sessions: readonly CopilotFiles[], now: number): Promise<ForeignChat | undefined> {
  const reading = new CopilotReader(now);
  for (const { events, workspace } of sessions) {
    reading.read(await textOf(events), events.name);
    if (workspace) reading.name(nameIn(await startOf(workspace, HEADER_LENGTH)));
  }
  if (reading.ids.length === 0) return undefined;
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(reading.chat(), blobs, reading.all);
  return { source: { program, ids: reading.ids }, chat, blobs, report: reading.all };
}

/** The name of a session, as the user or the program gave it; a name that YAML has to quote is JSON here. */
function nameIn(workspace: string): string | undefined {
  const name = /^name: *(.+)$/mu.exec(workspace)?.[1]?.trim();
  if (name === undefined || /^[>|'&*!]/u.test(name)) return undefined;
  const quoted = name.startsWith('"') ? parsedRecord(name) : name;
  return typeof quoted === 'string' ? quoted : undefined;
}

/** Of the session itself, for what has no agent. */
const OWN = '';

class CopilotReader {
  readonly ids: string[] = [];
  readonly all = new ImportReport();
  /** Of the file that is read. */
  private report = new ImportReport();
  private readonly builder: ChatBuilder;
  private readonly calls = new ToolCalls();
  private readonly assets = new Map<string, { readonly mimeType: string; readonly data: string }>();
  /** For each event that was read: the message it is, or that it follows. */
  private readonly messageOf = new Map<string, string | null>();
  /** The message that asked for a call. */
  private readonly askedBy = new Map<string, string | null>();
  /** The last message of the session and of each of its agents. */
  private readonly ends = new Map<string, string | null>();
  private readonly agents = new Set<string>();
  private end: string | null = null;
  private saidAt = 0;
  private given: string | undefined;
  private title: string | undefined;
  private firstQuestion: string | undefined;

  constructor(private readonly now: number) {
    this.builder = new ChatBuilder(now);
  }

  chat(): ForeignChat['chat'] {
    for (const id of this.agents) {
      const end = this.ends.get(id);
      if (typeof end === 'string') this.builder.nameBranch(end, 'sidechain');
    }
    this.calls.reportOpen(this.all);
    return this.builder.build(this.given ?? this.title ?? this.firstQuestion, this.end, this.now);
  }

  /** That of the first session counts: a fork is named after it. */
  name(name: string | undefined): void {
    this.given ??= name;
  }

  /** Where something was said last is where the user is. */
  read(text: string, file: string): void {
    this.report = new ImportReport(file);
    this.ends.set(OWN, null);
    let saidAt = 0;
    for (const record of recordLines(text, this.report)) {
      const start = copilotStart.safeParse(record).data;
      if (start) this.ids.push(start.data.sessionId);
      const event = copilotEvent.safeParse(record).data;
      if (event?.type === 'user.message') saidAt = Math.max(saidAt, this.timeOf(event));
      if (event) this.take(event);
      else this.report.add(defineMessage('Records of an unknown kind'));
    }
    this.all.addAll(this.report);
    if (saidAt < this.saidAt) return;
    this.saidAt = saidAt;
    this.end = this.endOf(OWN);
  }

  private take(event: CopilotEvent): void {
    const line = event.agentId ?? OWN;
    const known = this.messageOf.get(event.id);
    // The copy of it in a fork.
    const end = known === undefined ? this.added(event, this.endOf(line)) : known;
    this.ends.set(line, end);
    this.messageOf.set(event.id, end);
  }

  private endOf(line: string): string | null {
    return this.ends.get(line) ?? null;
  }

  /** @returns the last message then: the one before if it adds none */
  private added(event: CopilotEvent, before: string | null): string | null {
    const { type, data } = event;
    switch (type) {
      case 'user.message':
        return this.question(event, before);
      case 'assistant.message':
        return this.answer(event, before);
      case 'tool.execution_complete':
        return this.result(event, before);
      case 'tool.user_requested': {
        const read = copilotRequested.safeParse(data).data;
        if (read) this.calls.called(read.toolCallId, read.toolName, read.arguments);
        return before;
      }
      case 'session.binary_asset': {
        const read = copilotAsset.safeParse(data).data;
        if (read) this.assets.set(read.assetId, read);
        return before;
      }
      case 'session.compaction_complete': {
        const read = copilotCompaction.safeParse(data).data;
        if (read?.success !== true || read.summaryContent === '') return before;
        const { id: key } = event;
        const text = read.summaryContent;
        return this.builder.fold({ key, parentId: before, text, createdAt: this.timeOf(event) });
      }
      case 'abort':
        if (before !== null) this.builder.interrupt(before);
        return before;
      case 'session.title_changed':
        this.title = copilotTitle.safeParse(data).data?.title ?? this.title;
        return before;
      case 'session.error':
        this.report.add(defineMessage('Errors of the provider'));
        return before;
      case 'subagent.started':
        return this.agent(event, before);
      default:
        if (copilotNotes.has(type)) this.report.add(defineMessage('Notes of the program to the model'));
        else if (isCopilotBookkeeping(type)) this.report.bookkeeping();
        else this.report.add(defineMessage('Records of an unknown kind'));
        return before;
    }
  }
  private question(event: CopilotEvent, before: string | null): string | null {
    const read = copilotQuestion.safeParse(event.data).data;
    if (!read) {
      this.report.add(defineMessage('Messages of an unknown kind'));
      return before;
    }
    const { content, source = '', attachments } = read;
    const isAgents = event.agentId !== undefined;
    // What a skill, a hook or the program itself has the user say; an agent's task comes from an agent.
    if (!isAgents && source !== '' && source !== 'user') {
      this.report.add(defineMessage('Notes of the program to the model'));
      return before;
    }
    if (!isAgents && content.trim() !== '') this.firstQuestion ??= titleOf(content);
    const selected = attachments.flatMap(({ text }) => (text === undefined ? [] : textPart(text)));
    const pictures = this.picturesOf(attachments);
    this.report.add(defineMessage('Attachments'), attachments.length - selected.length - pictures.length);
    return this.add(event, before, 'user', [...textPart(content), ...selected, ...pictures]);
  }

  private answer(event: CopilotEvent, before: string | null): string | null {
    const read = copilotAnswer.safeParse(event.data).data;
    if (!read) {
      this.report.add(defineMessage('Messages of an unknown kind'));
      return before;
    }
    const { content, model, reasoningText, toolRequests } = read;
    const isEncrypted = read.reasoningOpaque !== undefined || read.encryptedContent !== undefined;
    if (reasoningText === '' && isEncrypted) this.report.add(defineMessage('Reasoning that is encrypted'));
    const reasoning: UIMessagePart[] =
      reasoningText === '' ? [] : [{ type: 'reasoning', text: reasoningText }];
    const end = this.add(event, before, 'assistant', [...reasoning, ...textPart(content)], model);
    for (const { toolCallId, name, arguments: input } of toolRequests) {
      this.calls.called(toolCallId, name, input);
      this.askedBy.set(toolCallId, end);
    }
    return end;
  }

  private result(event: CopilotEvent, before: string | null): string | null {
    const read = copilotResult.safeParse(event.data).data;
    if (!read) {
      this.report.add(defineMessage('Records of an unknown kind'));
      return before;
    }
    const { toolCallId, success, model, result, error } = read;
    const output = success ? (result?.content ?? '') : (error?.message ?? result?.content ?? '');
    const pictures = this.picturesOf(result?.binaryResultsForLlm ?? []);
    const part = this.calls.result(toolCallId, output, !success, undefined, pictures);
    return this.add(event, before, 'assistant', [part], model);
  }

  /** The agent's own conversation is a branch from where it was started. */
  private agent({ agentId, data }: CopilotEvent, before: string | null): string | null {
    if (agentId === undefined) return before;
    const call = copilotAgent.safeParse(data).data?.toolCallId ?? '';
    this.agents.add(agentId);
    return this.askedBy.get(call) ?? this.endOf(OWN);
  }

  private picturesOf(binaries: readonly CopilotBinary[]): UIMessagePart[] {
    return binaries.flatMap(({ mimeType, data, assetId }): UIMessagePart[] => {
      const asset = this.assets.get(assetId ?? '') ?? { mimeType, data };
      if (asset.data === undefined || asset.mimeType?.startsWith('image/') !== true) return [];
      const url = `data:${asset.mimeType};base64,${asset.data}`;
      return [{ type: 'file', mediaType: asset.mimeType, url }];
    });
  }

  private add(
    event: CopilotEvent,
    parentId: string | null,
    role: 'user' | 'assistant',
    parts: readonly UIMessagePart[],
    model?: string,
  ): string | null {
    if (parts.length === 0) return parentId;
    const createdAt = this.timeOf(event);
    return this.builder.add({ key: event.id, parentId, role, parts, createdAt, model });
  }

  private timeOf({ timestamp }: CopilotEvent): number {
    const at = Date.parse(timestamp ?? '');
    return Number.isFinite(at) ? at : this.now;
  }
}
