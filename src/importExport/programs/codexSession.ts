import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { chainKey, ChatBuilder, titleOf, SHOWN, ToolCalls } from '../chatBuilder.ts';
import {
  compacted,
  eventMessage,
  isContextual,
  responseItem,
  rolloutLine,
  sessionMeta,
  silentItems,
  turnContext,
  type CodexPart,
  type ResponseItem,
  type SessionMeta,
} from './codexItems.ts';
import { oneChat, startOf, textOf, type BatchList, type SourceFile } from '../importBatch.ts';
import { ImportReport } from '../importReport.ts';
import type { ForeignChat } from '../importSource.ts';
import { keepPictures } from '../keptPictures.ts';
import { parsedRecord, recordLines } from '../recordLines.ts';
import { SessionGroups } from '../sessionGroups.ts';
import { isOfWorkspace, jsonLines, newestSessions, oldestFirst } from '../sessionPlaces.ts';
import type { ProgramFormat } from '../programFormat.ts';

/** How much of a rollout is read to find its folder, in UTF-16 units; its header holds instructions. */
const HEADER_LENGTH = 262_144;

/** Undefined when it is not the first record of a rollout. */
function codexMeta(value: unknown): SessionMeta | undefined {
  const line = rolloutLine.safeParse(value).data;
  if (line?.type === 'session_meta') return sessionMeta.safeParse(line.payload).data;
  // The first versions have a header without a type.
  const isHeader = typeof value === 'object' && value !== null && 'id' in value && 'instructions' in value;
  return isHeader ? sessionMeta.safeParse(value).data : undefined;
}

export const codex: ProgramFormat = {
  program: 'codex',
  lines: {
    detect: (_lines, [first]) => codexMeta(first) !== undefined,
    read: async (file, now) => {
      const chat = await codexChat([await textOf(file)], now);
      return chat ? [chat] : [];
    },
  },
  // Sorted by year, month and day; each session contains the folder it worked in.
  find: async ({ places, list, now }) => {
    const root = places.userFolder({ variable: 'CODEX_HOME', base: 'home', below: ['.codex'] }, 'sessions');
    const numbered = async (...below: readonly string[]): Promise<string[]> =>
      (await places.list(root, ...below)).folders.filter((name) => /^\d+$/u.test(name)).toSorted();
    const found: SourceFile[] = [];
    for (const year of await numbered())
      for (const month of await numbered(year))
        for (const day of await numbered(year, month))
          found.push(...jsonLines((await places.list(root, year, month, day)).files));
    const newest = newestSessions('codex', found, list);
    await addCodex(list, newest, now, (folder) => isOfWorkspace(places, folder));
  },
};

/** Rollouts forked from each other become one chat. */
export async function addCodex(
  list: BatchList,
  files: readonly SourceFile[],
  now: number,
  isWanted: (folder: string | undefined) => boolean,
): Promise<void> {
  const groups = new SessionGroups<SourceFile>();
  for (const file of oldestFirst(files)) {
    await list.add(file.name, async () => {
      const [line = ''] = (await startOf(file, HEADER_LENGTH)).split('\n', 1);
      const meta = codexMeta(parsedRecord(line));
      if (meta && isWanted(meta.cwd))
        groups.add(file, [meta.id, ...(meta.forked_from_id ? [meta.forked_from_id] : [])]);
      return undefined;
    });
  }
  for (const group of groups.all()) {
    await list.add(group[0]?.name ?? '', () =>
      oneChat(async () => {
        const texts: string[] = [];
        for (const file of group) texts.push(await textOf(file));
        return codexChat(texts, now);
      }),
    );
  }
}

/** Rollouts forked from each other become one chat; later ones count as newer. */
async function codexChat(texts: readonly string[], now: number): Promise<ForeignChat | undefined> {
  const reading = new CodexReader(now);
  for (const text of texts) await reading.read(text);
  if (reading.ids.length === 0) return undefined;
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(reading.chat(), blobs, reading.report);
  return { source: { program: 'codex', ids: reading.ids }, chat, blobs, report: reading.report };
}

/** The position in the conversation: after a message, with the key of the path to it. */
interface Place {
  readonly key: string;
  readonly messageId: string | null;
}

class CodexReader {
  readonly ids: string[] = [];
  readonly report = new ImportReport();
  private readonly builder: ChatBuilder;
  private calls = new ToolCalls();
  private place: Place = { key: '', messageId: null };
  /** The positions before each of the user's questions that was not undone. */
  private turns: Place[] = [];
  private model: string | undefined;
  private name: string | undefined;
  private firstQuestion: string | undefined;

  constructor(private readonly now: number) {
    this.builder = new ChatBuilder(now);
  }

  chat(): ForeignChat['chat'] {
    return this.builder.build(this.name ?? this.firstQuestion, this.place.messageId, this.now);
  }

  async read(text: string): Promise<void> {
    this.place = { key: '', messageId: null };
    this.turns = [];
    this.calls = new ToolCalls();
    this.model = undefined;
    let isKnown = false;
    for (const value of recordLines(text, this.report)) {
      const meta = codexMeta(value);
      // A fork begins with a full copy of its source session, including the header: its own header comes first.
      if (meta && !isKnown) this.ids.push(meta.id);
      isKnown ||= meta !== undefined;
      if (!meta) await this.take(value);
    }
    this.calls.reportOpen(this.report);
  }

  private async take(value: unknown): Promise<void> {
    const line = rolloutLine.safeParse(value).data;
    if (!line) {
      this.report.add(defineMessage('Records of an unknown kind'));
      return;
    }
    const at = Date.parse(line.timestamp ?? '');
    const createdAt = Number.isFinite(at) ? at : this.now;
    switch (line.type) {
      case 'response_item':
        return this.item(line.payload, createdAt);
      case 'turn_context':
        this.model = turnContext.safeParse(line.payload).data?.model ?? this.model;
        return;
      case 'compacted': {
        const summary = compacted.safeParse(line.payload).data?.message ?? '';
        if (summary !== '')
          await this.add(summary, 'assistant', [{ type: 'text', text: summary }], createdAt);
        return;
      }
      case 'event_msg':
        this.event(line.payload);
        return;
      case 'message':
      case 'reasoning':
      case 'function_call':
      case 'function_call_output':
      case 'local_shell_call':
      case 'custom_tool_call':
      case 'custom_tool_call_output':
      case 'web_search_call':
        return this.item(value, createdAt);
      default:
        this.report.add(defineMessage('Records of an unknown kind'));
    }
  }

  private event(payload: unknown): void {
    const event = eventMessage.safeParse(payload).data;
    if (event?.type === 'thread_name_updated') this.name = event.thread_name ?? this.name;
    else if (event?.type === 'thread_rolled_back' && event.num_turns > 0) {
      // Kept as a branch: what comes next follows the position before that question.
      const first = Math.max(0, this.turns.length - event.num_turns);
      this.place = this.turns[first] ?? this.place;
      this.turns = this.turns.slice(0, first);
    }
  }

  private async item(payload: unknown, createdAt: number): Promise<void> {
    const item = responseItem.safeParse(payload).data;
    if (!item) {
      const { type } = rolloutLine.safeParse(payload).data ?? {};
      if (!silentItems.has(type ?? '')) this.report.add(defineMessage('Records of an unknown kind'));
      return;
    }
    switch (item.type) {
      case 'message':
        return this.message(item, createdAt);
      case 'reasoning': {
        const texts = [...(item.summary ?? []), ...(item.content ?? [])].flatMap(partText);
        if (texts.length === 0) this.report.add(defineMessage('Reasoning that is encrypted'));
        return this.add(
          item,
          'assistant',
          texts.map((text) => ({ type: 'reasoning', text })),
          createdAt,
        );
      }
      case 'function_call':
        this.calls.called(
          item.call_id,
          item.name,
          parsedRecord(item.arguments) ?? { arguments: item.arguments },
        );
        return;
      case 'custom_tool_call':
        this.calls.called(item.call_id, item.name, { input: item.input });
        return;
      case 'local_shell_call':
        this.calls.called(item.call_id ?? item.id ?? '', 'local_shell', item.action);
        return;
      case 'web_search_call': {
        const id = item.id ?? 'web_search';
        this.calls.called(id, 'web_search', item.action);
        return this.add(item, 'assistant', [this.calls.result(id, null)], createdAt);
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.result(item, createdAt);
    }
  }

  private async message(item: Extract<ResponseItem, { type: 'message' }>, createdAt: number): Promise<void> {
    const { role, content } = item;
    const text = content.flatMap(partText).join('\n\n');
    if (role !== 'user' && role !== 'assistant') {
      this.report.add(defineMessage('Instructions of the other program'));
    } else if (role === 'user' && isContextual(text)) {
      this.report.add(defineMessage('Notes of the program to the model'));
    } else {
      if (role === 'user') {
        this.firstQuestion ??= titleOf(text);
        this.turns.push(this.place);
      }
      await this.add(item, role, this.partsOf(content), createdAt);
    }
  }

  private async result(item: Extract<ResponseItem, { output: unknown }>, createdAt: number): Promise<void> {
    const { call_id: id, output } = item;
    const isPlain = typeof output === 'string';
    const isList = Array.isArray(output);
    const answered = isPlain ? output : isList ? output.flatMap(partText).join('\n\n') : output.content;
    const isError = !isPlain && !isList && output.success === false;
    await this.add(item, 'assistant', [this.calls.result(id, answered, isError)], createdAt);
    const shown = isList ? this.partsOf(output).filter(({ type }) => type === 'file') : [];
    if (shown.length > 0) await this.add('shown', 'user', [SHOWN, ...shown], createdAt);
  }

  private async add(
    answered: unknown,
    role: 'user' | 'assistant',
    parts: readonly UIMessagePart[],
    createdAt: number,
  ): Promise<void> {
    if (parts.length === 0) return;
    const key = await chainKey(this.place.key, answered);
    const parentId = this.place.messageId;
    const messageId = this.builder.add({ key, parentId, role, parts, createdAt, model: this.model });
    this.place = { key, messageId };
  }

  private partsOf(parts: readonly CodexPart[]): UIMessagePart[] {
    return parts.flatMap((part): UIMessagePart[] => {
      if (part.type === 'input_image') {
        const mediaType = /^data:([^;,]+)/u.exec(part.image_url)?.[1] ?? 'image/png';
        return [{ type: 'file', mediaType, url: part.image_url }];
      }
      if (part.type === 'other') this.report.add(defineMessage('Parts of messages of an unknown kind'));
      return partText(part).map((text) => ({ type: 'text', text }));
    });
  }
}

function partText(part: CodexPart): string[] {
  return 'text' in part && part.text !== '' ? [part.text] : [];
}
