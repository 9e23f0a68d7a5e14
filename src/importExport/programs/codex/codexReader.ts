import { readDataUrl } from '../../../base/dataUrl.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../../engine/uiMessage.ts';
import { chainKey, ToolCalls, titleOf, type ChatBuilder } from '../../chatBuilder.ts';
import {
  codexMeta,
  compacted,
  eventMessage,
  isContextual,
  partText,
  payloadOf,
  responseItem,
  rolloutLine,
  silentItems,
  silentLines,
  spawnedAgent,
  structuredOutput,
  SUMMARY_HEADING,
  textOfParts,
  turnContext,
  withoutPictureTags,
  type CodexPart,
  type ResponseItem,
} from './codexItems.ts';
import { spawnOf, type Rollout } from './codexRollout.ts';
import { ImportReport } from '../../importReport.ts';
import { parsedRecord, recordLines } from '../../recordLines.ts';

/** What holds at a position in the conversation, for what continues there. */
export interface Standing {
  /** Of the path to it. */
  readonly key: string;
  /** The message before it. */
  readonly messageId: string | null;
  /** The time of that message. */
  readonly at: number;
  /** The user's questions before it that were not undone, from the last one. */
  readonly asked: Asked | undefined;
  readonly model: string | undefined;
}

interface Asked {
  readonly before: Pick<Standing, 'key' | 'messageId' | 'at'>;
  readonly earlier: Asked | undefined;
}

export const BEGINNING: Standing = {
  key: '',
  messageId: null,
  at: Number.NEGATIVE_INFINITY,
  asked: undefined,
  model: undefined,
};

/** A rollout that was read, as far as it matters to those that continue it. */
export interface Course {
  /** After each record that changed it, the first one before all of them. */
  readonly standings: readonly { readonly ordinal: number; readonly standing: Standing }[];
  /** After each call that started an agent, by the agent's session or path. */
  readonly spawns: ReadonlyMap<string, Standing>;
  readonly name: string | undefined;
  readonly firstQuestion: string | undefined;
  readonly report: ImportReport;
}

export function readCourse(
  rollout: Rollout,
  start: Standing,
  builder: ChatBuilder,
  now: number,
): Promise<Course> {
  return new CourseReader(rollout, start, builder, now).read();
}

class CourseReader {
  private readonly standings: Course['standings'][number][];
  private readonly spawns = new Map<string, Standing>();
  private readonly calls = new ToolCalls();
  private readonly failed = new Set<string>();
  /** Calls of `spawn_agent` without a result so far. */
  private readonly spawning = new Set<string>();
  private readonly report: ImportReport;
  private name: string | undefined;
  private firstQuestion: string | undefined;

  constructor(
    private readonly rollout: Rollout,
    private standing: Standing,
    private readonly builder: ChatBuilder,
    private readonly now: number,
  ) {
    this.report = new ImportReport(rollout.name);
    this.standings = [{ ordinal: -1, standing }];
  }

  async read(): Promise<Course> {
    const { text, meta, repeated } = this.rollout;
    // An agent is given a copy of what its parent said, or of some of it.
    const first = meta.subagent_history_start_ordinal ?? 0;
    const started = spawnOf(meta) ? this.standing.at : Number.NEGATIVE_INFINITY;
    let index = -1;
    for (const value of recordLines(text, this.report)) {
      index += 1;
      const { ordinal = index, timestamp } = rolloutLine.safeParse(value).data ?? {};
      if (ordinal < first || repeated.has(index) || codexMeta(value)) continue;
      const time = Date.parse(timestamp ?? '');
      // An agent may be there before the call that started it has its result.
      const at = Math.max(Number.isFinite(time) ? time : this.now, started);
      const before = this.standing;
      await this.take(value, at);
      if (this.standing !== before) this.standings.push({ ordinal, standing: this.standing });
    }
    this.calls.reportOpen(this.report);
    const { standings, spawns, name, firstQuestion, report } = this;
    return { standings, spawns, name, firstQuestion, report };
  }

  private async take(value: unknown, createdAt: number): Promise<void> {
    const line = rolloutLine.safeParse(value).data;
    switch (line?.type) {
      case 'response_item':
        return this.item(line.payload, createdAt);
      case 'turn_context': {
        const model = turnContext.safeParse(line.payload).data?.model ?? this.standing.model;
        this.standing = { ...this.standing, model };
        this.report.bookkeeping();
        return;
      }
      case 'compacted': {
        const summary = compacted.safeParse(line.payload).data?.message ?? '';
        if (summary === '') this.report.add(defineMessage('Summaries that are encrypted'));
        else await this.fold(summary.replace(SUMMARY_HEADING, ''), createdAt);
        return;
      }
      case 'event_msg':
        this.event(line.payload);
        this.report.bookkeeping();
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
        if (line && silentLines.has(line.type)) this.report.bookkeeping();
        else this.report.add(defineMessage('Records of an unknown kind'));
    }
  }

  private event(payload: unknown): void {
    const event = eventMessage.safeParse(payload).data;
    if (event?.type === 'thread_name_updated') this.name = event.thread_name ?? this.name;
    else if (event?.type === 'call_failed') this.failed.add(event.callId);
    else if (event?.type === 'turn_aborted') {
      if (this.standing.messageId !== null) this.builder.interrupt(this.standing.messageId);
    } else if (event?.type === 'thread_rolled_back') {
      // Kept as a branch: what comes next follows the position before that question.
      for (let left = event.num_turns; left > 0 && this.standing.asked; left--) {
        const { before, earlier } = this.standing.asked;
        this.standing = { ...this.standing, ...before, asked: earlier };
      }
    }
  }

  private async item(payload: unknown, createdAt: number): Promise<void> {
    const item = responseItem.safeParse(payload).data;
    switch (item?.type) {
      case 'message':
        return this.message(item, payload, createdAt);
      case 'agent_message':
        return this.agentMessage(item, createdAt);
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
        if (item.name === 'spawn_agent') this.spawning.add(item.call_id);
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
      case undefined: {
        const { type } = rolloutLine.safeParse(payload).data ?? {};
        if (silentItems.has(type ?? '')) this.report.bookkeeping();
        else this.report.add(defineMessage('Records of an unknown kind'));
      }
    }
  }

  private async message(
    item: Extract<ResponseItem, { type: 'message' }>,
    payload: unknown,
    createdAt: number,
  ): Promise<void> {
    const { role } = item;
    const content = withoutPictureTags(item.content);
    const text = textOfParts(content);
    if (role !== 'user' && role !== 'assistant') {
      this.report.add(defineMessage('Instructions of the other program'));
    } else if (role === 'user' && isContextual(payload, text)) {
      this.report.add(defineMessage('Notes of the program to the model'));
    } else if (role === 'user') await this.ask(item, text, this.partsOf(content), createdAt);
    else await this.add(item, role, this.partsOf(content), createdAt);
  }

  /** An agent's task is its question; what agents report stands on their own branches. */
  private async agentMessage(
    item: Extract<ResponseItem, { type: 'agent_message' }>,
    createdAt: number,
  ): Promise<void> {
    const path = spawnOf(this.rollout.meta)?.agent_path ?? undefined;
    const text = payloadOf(item.content);
    if (path === undefined || item.recipient !== path) {
      this.report.add(defineMessage('Notes of the program to the model'));
    } else if (text === undefined) this.report.add(defineMessage('Tasks of agents that are encrypted'));
    else await this.ask(item, text, [{ type: 'text', text }], createdAt);
  }

  private async ask(
    answered: unknown,
    text: string,
    parts: readonly UIMessagePart[],
    createdAt: number,
  ): Promise<void> {
    this.firstQuestion ??= titleOf(text);
    const { key, messageId, at, asked: earlier } = this.standing;
    this.standing = { ...this.standing, asked: { before: { key, messageId, at }, earlier } };
    await this.add(answered, 'user', parts, createdAt);
  }

  private async result(item: Extract<ResponseItem, { output: unknown }>, createdAt: number): Promise<void> {
    const { call_id: id, output } = item;
    const { text: answered, hasFailed } = outcomeOf(output);
    const isError = hasFailed || this.failed.has(id);
    const shown = Array.isArray(output)
      ? this.partsOf(withoutPictureTags(output)).filter(({ type }) => type === 'file')
      : [];
    const result = this.calls.result(id, answered, isError, undefined, shown);
    await this.add(item, 'assistant', [result], createdAt);
    const agent = this.spawning.delete(id) ? spawnedAgent.safeParse(parsedRecord(answered)).data : undefined;
    if (agent !== undefined) this.spawns.set(agent, this.standing);
  }

  private async add(
    answered: unknown,
    role: 'user' | 'assistant',
    parts: readonly UIMessagePart[],
    createdAt: number,
  ): Promise<void> {
    if (parts.length === 0) return;
    const { messageId: parentId, model } = this.standing;
    const key = await chainKey(this.standing.key, answered);
    const messageId = this.builder.add({ key, parentId, role, parts, createdAt, model });
    this.standing = { ...this.standing, key, messageId, at: createdAt };
  }

  private async fold(text: string, createdAt: number): Promise<void> {
    const { messageId: parentId, model } = this.standing;
    const key = await chainKey(this.standing.key, text);
    const messageId = this.builder.fold({ key, parentId, text, createdAt, model });
    this.standing = { ...this.standing, key, messageId, at: createdAt };
  }

  private partsOf(parts: readonly CodexPart[]): UIMessagePart[] {
    return parts.flatMap((part): UIMessagePart[] => {
      if (part.type === 'input_image') {
        const mediaType = readDataUrl(part.image_url)?.mediaType ?? 'image/png';
        return [{ type: 'file', mediaType, url: part.image_url }];
      }
      if (part.type === 'other' || part.type === 'encrypted_content')
        this.report.add(defineMessage('Parts of messages of an unknown kind'));
      return partText(part).map((text) => ({ type: 'text', text }));
    });
  }
}

function outcomeOf(output: Extract<ResponseItem, { output: unknown }>['output']): {
  readonly text: string;
  readonly hasFailed: boolean;
} {
  if (Array.isArray(output)) return { text: textOfParts(output), hasFailed: false };
  if (typeof output !== 'string') return { text: output.content, hasFailed: output.success === false };
  const structured = structuredOutput.safeParse(parsedRecord(output)).data;
  return structured
    ? { text: structured.output, hasFailed: structured.metadata.exit_code !== 0 }
    : { text: output, hasFailed: false };
}
