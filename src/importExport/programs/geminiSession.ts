import { sha256 } from '../../engine/bytes.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { ChatBuilder, titleOf, ToolCalls } from '../chatBuilder.ts';
import { oneChat, startOf, textOf, type BatchList, type SourceFile } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import type { ProgramFormat } from '../programFormat.ts';
import { parsedRecord, recordLines } from '../recordLines.ts';
import { SessionGroups } from '../sessionGroups.ts';
import { isOfWorkspace, newestSessions, oldestFirst, type SessionPlaces } from '../sessionPlaces.ts';
import { GeminiHistory } from './geminiHistory.ts';
import { GeminiPlaces, placeAfter, type Place } from './geminiPlaces.ts';
import {
  geminiHeader,
  geminiNotices,
  geminiWords,
  isGeminiContext,
  isGeminiStop,
  isGeminiSummary,
  type GeminiMessage,
  type GeminiPart,
} from './geminiRecords.ts';

const program = 'gemini';

/** How much of a session is read to find its id, in UTF-16 units. */
const HEADER_LENGTH = 8_192;

/** The folders of projects that are looked at. */
const MAX_PROJECTS = 2_000;

export const gemini: ProgramFormat = {
  program,
  lines: {
    detect: (_lines, [first]) => geminiHeader.safeParse(first).success,
    read: (file, now) => readFiles([file], now),
  },
  value: {
    detect: (value) => geminiHeader.safeParse(value).data?.messages !== undefined,
    read: (file, now) => readFiles([file], now),
  },
  // A folder for each project, with a folder for the agents of each session.
  find: async ({ places, list, now }) => {
    const home = { variable: 'GEMINI_CLI_HOME', base: 'home', below: [] } as const;
    const root = places.userFolder(home, '.gemini', 'tmp');
    const found: { readonly file: SourceFile; readonly session: string | undefined; changedAt: number }[] =
      [];
    const take = (files: readonly SourceFile[], session?: string): void => {
      for (const file of files.filter(({ name }) => /\.jsonl?$/u.test(name)))
        found.push({ file, session, changedAt: file.changedAt });
    };
    for (const project of await projectsIn(root, places)) {
      const { files, folders } = await places.list(root, project, 'chats');
      take(files.filter(({ name }) => name.startsWith('session-')));
      for (const session of folders)
        take((await places.list(root, project, 'chats', session)).files, session);
    }
    const newest = newestSessions(program, found, list);
    const sessionOf = new Map(newest.map(({ file, session }) => [file, session]));
    await addGemini(list, [...sessionOf.keys()], now, (file) => sessionOf.get(file));
  },
};

/** The names of the projects' folders of the workspace: each has a file with its path, or is named by the path's hash. */
async function projectsIn(root: string, places: SessionPlaces): Promise<string[]> {
  const hashes = await Promise.all(
    places.folders.map((folder) => sha256(Uint8Array.from(new TextEncoder().encode(folder)))),
  );
  const names: string[] = [];
  for (const name of (await places.list(root)).folders.slice(0, MAX_PROJECTS)) {
    const marker = (await places.list(root, name)).files.find((file) => file.name === '.project_root');
    const folder = marker && (await startOf(marker, HEADER_LENGTH)).trim();
    if (hashes.includes(name) || isOfWorkspace(places, folder)) names.push(name);
  }
  return names;
}

/**
 * The files of one session become one chat, with its agents.
 * @param sessionOf the session that started the agent of a file; undefined: the file is no agent's
 */
export async function addGemini(
  list: BatchList,
  files: readonly SourceFile[],
  now: number,
  sessionOf: (file: SourceFile) => string | undefined,
): Promise<void> {
  const groups = new SessionGroups<SourceFile>();
  for (const file of oldestFirst(files)) {
    await list.add(file.name, async () => {
      const start = await startOf(file, HEADER_LENGTH);
      const session = sessionOf(file) ?? /"sessionId"\s*:\s*"([^"]+)"/u.exec(start)?.[1] ?? file.name;
      groups.add(file, [session]);
      return undefined;
    });
  }
  for (const group of groups.all()) {
    await list.add(group[0]?.name ?? '', () => oneChat(async () => (await readFiles(group, now))[0]));
  }
}

async function readFiles(files: readonly SourceFile[], now: number): Promise<ForeignChat[]> {
  const report = new ImportReport();
  const histories = new Map<string, GeminiHistory>();
  for (const file of files) {
    const text = await textOf(file);
    const found = new ImportReport(file.name);
    const history = new GeminiHistory(found);
    const whole = parsedRecord(text);
    for (const record of whole === undefined ? recordLines(text, found) : [whole]) history.take(record);
    report.addAll(found);
    const id = history.id ?? file.name;
    histories.set(id, history);
  }
  const agents = new Map([...histories].filter(([, { isAgent }]) => isAgent));
  const own = new Map([...histories].filter(([, { isAgent }]) => !isAgent));
  // An agent's file alone is a conversation as well.
  const main = own.size > 0 ? own : agents;
  const reading = new GeminiReader(report, now, own.size > 0 ? agents : new Map());
  for (const history of main.values()) reading.read(history);
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(reading.chat(), blobs, report);
  return [{ source: { program, ids: [...main.keys()] }, chat, blobs, report }];
}

class GeminiReader {
  private readonly builder: ChatBuilder;
  private readonly calls = new ToolCalls();
  private readonly answered = new Set<string>();
  private readonly start = placeAfter(undefined, null);
  private end = this.start;
  private title: string | undefined;
  private firstQuestion: string | undefined;

  constructor(
    private readonly report: ImportReport,
    private readonly now: number,
    private readonly agents: ReadonlyMap<string, GeminiHistory>,
  ) {
    this.builder = new ChatBuilder(now);
  }

  chat(): ForeignChat['chat'] {
    this.calls.reportOpen(this.report);
    return this.builder.build(this.title ?? this.firstQuestion, this.end.messageId, this.now);
  }

  read(history: GeminiHistory): void {
    this.title = history.summary ?? this.title;
    const end = new GeminiPlaces(history, this.start, (message, before, keptFrom) => {
      if (message.type === 'user') this.firstQuestion ??= questionIn(message);
      return this.added(message, before, keptFrom);
    }).all();
    if (end !== this.start) this.end = end;
  }

  private added(message: GeminiMessage, before: Place, keptFrom: string | null): Place {
    const { type } = message;
    if (type === 'user') return this.addUser(message, before, keptFrom);
    if (type === 'gemini') return this.addAnswer(message, before);
    if (isGeminiStop(message)) {
      if (before.messageId !== null) this.builder.interrupt(before.messageId);
      return before;
    }
    if (type === 'error') this.report.add(defineMessage('Errors of the provider'));
    else if (geminiNotices.has(type)) this.report.bookkeeping();
    else this.report.add(defineMessage('Messages of an unknown kind'));
    return before;
  }

  private addUser(message: GeminiMessage, before: Place, keptFrom: string | null): Place {
    const { own, files } = geminiWords(message.content);
    if (isGeminiContext(own)) {
      this.report.add(defineMessage('Notes of the program to the model'));
      return before;
    }
    if (isGeminiSummary(own)) {
      const { id: key, model } = message;
      const parentId = before.messageId;
      return placeAfter(
        before,
        this.builder.fold({ key, parentId, text: own, createdAt: this.timeOf(message), model, keptFrom }),
      );
    }
    const results = this.resultsIn(message.content);
    const isQuestion = !message.content.some(({ type }) => type === 'result');
    const words = message.displayContent ? geminiWords(message.displayContent).own : own;
    const spoken = [words, files]
      .filter((text) => text.trim() !== '')
      .map((text): UIMessagePart => ({ type: 'text', text }));
    const pictures = isQuestion ? picturesIn(message.content) : [];
    const place = this.add(message, before, 'assistant', results, ':results');
    return this.add(message, place, 'user', [...spoken, ...pictures]);
  }

  private addAnswer(message: GeminiMessage, before: Place): Place {
    const { content, thoughts, toolCalls } = message;
    const reasoning = thoughts.map(({ subject, description }) =>
      subject === '' ? description : `**${subject}** ${description}`.trim(),
    );
    if (reasoning.length === 0)
      reasoning.push(...content.flatMap((each) => (each.type === 'thought' ? [each.text] : [])));
    const { own } = geminiWords(content);
    const spoken = this.add(message, before, 'assistant', [
      ...reasoning.filter((text) => text !== '').map((text): UIMessagePart => ({ type: 'reasoning', text })),
      ...(own === '' ? [] : [{ type: 'text', text: own } as const]),
      ...picturesIn(content),
    ]);
    for (const { id = '', name, args } of content.filter((each) => each.type === 'call'))
      this.calls.called(id, name, args);
    const results: UIMessagePart[] = [];
    for (const { id, name, args, result, agentId } of toolCalls) {
      this.calls.called(id, name, args);
      if (result) results.push(...this.resultsIn(result, id));
      if (agentId !== undefined) this.addAgent(agentId, spoken);
    }
    return this.add(message, spoken, 'assistant', results, ':results');
  }

  /** The agent's own conversation is a branch from where it was started. */
  private addAgent(id: string, before: Place): void {
    const history = this.agents.get(id);
    if (!history) {
      this.report.add(defineMessage('Conversations of agents, which are in files of their own'));
      return;
    }
    const start = placeAfter(before, before.messageId);
    const end = new GeminiPlaces(history, start, (...added) => this.added(...added)).all();
    if (end !== start && end.messageId !== null) this.builder.nameBranch(end.messageId, 'sidechain');
  }

  /** Those that were not shown before: the program writes them with the call, and again as what the model was sent. */
  private resultsIn(parts: readonly GeminiPart[], callId?: string): UIMessagePart[] {
    const found = parts.flatMap((each) => (each.type === 'result' ? [each] : []));
    const pictures = picturesIn(parts);
    return found.flatMap(({ id = callId ?? '', name, response }, at) => {
      if (this.answered.has(id)) return [];
      this.answered.add(id);
      const { output, isError } = outputOf(response);
      // Which of several results showed them is not written.
      return [this.calls.result(id, output, isError, name, at === found.length - 1 ? pictures : [])];
    });
  }

  private add(
    answered: GeminiMessage,
    before: Place,
    role: 'user' | 'assistant',
    parts: readonly UIMessagePart[],
    suffix = '',
  ): Place {
    if (parts.length === 0) return before;
    const { id, model } = answered;
    const createdAt = this.timeOf(answered);
    const message = { key: `${id}${suffix}`, parentId: before.messageId, role, parts, createdAt, model };
    return placeAfter(before, this.builder.add(message));
  }

  private timeOf({ timestamp }: GeminiMessage): number {
    const at = Date.parse(timestamp ?? '');
    return Number.isFinite(at) ? at : this.now;
  }
}

function questionIn({ content, displayContent }: GeminiMessage): string | undefined {
  const { own } = geminiWords(displayContent ?? content);
  return own.trim() === '' || isGeminiContext(own) || isGeminiSummary(own) ? undefined : titleOf(own);
}

function picturesIn(parts: readonly GeminiPart[]): UIMessagePart[] {
  return parts.flatMap((each): UIMessagePart[] => {
    if (each.type !== 'blob') return [];
    const { mimeType, data } = each;
    return [{ type: 'file', mediaType: mimeType, url: `data:${mimeType};base64,${data}` }];
  });
}

function outputOf(response: unknown): { readonly output: unknown; readonly isError: boolean } {
  if (typeof response === 'object' && response !== null) {
    if ('error' in response) return { output: response.error, isError: true };
    if ('output' in response) return { output: response.output, isError: false };
  }
  return { output: response ?? null, isError: false };
}
