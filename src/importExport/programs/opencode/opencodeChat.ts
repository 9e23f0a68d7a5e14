import { defineMessage } from '../../../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../../../engine/uiMessage.ts';
import { chainKey, ChatBuilder, titleOf, ToolCalls } from '../../chatBuilder.ts';
import { ImportReport } from '../../importReport.ts';
import type { ForeignChat } from '../../importSource.ts';
import { keepPictures } from '../../keptPictures.ts';
import { isTooDeep } from '../../recordLines.ts';
import {
  messageInfo,
  messagePart,
  type FilePart,
  type MessageInfo,
  type MessagePart,
  type SessionInfo,
} from './opencodeRecords.ts';

/** A message as it is kept, with its parts in their order. */
export interface KeptMessage {
  readonly info: unknown;
  readonly parts: readonly unknown[];
}

export interface KeptSession {
  readonly info: SessionInfo;
  /** In their order. */
  readonly messages: () => AsyncIterable<KeptMessage>;
}

/** Sessions of one conversation: forks of each other, and the agents that they started. */
export interface SessionFamily {
  /** By when they were created; not empty. */
  readonly roots: readonly KeptSession[];
  readonly agents: readonly KeptSession[];
}

/** By what the chat of a family is found again. */
export function familyIds({ roots }: SessionFamily): string[] {
  return roots.map(({ info }) => info.id);
}

export async function opencodeChat(family: SessionFamily, now: number): Promise<ForeignChat> {
  const reading = new OpencodeReader(now);
  const chat = await reading.chat(family);
  const blobs = new Map<string, Uint8Array>();
  return {
    source: { program: 'opencode', ids: familyIds(family) },
    chat: await keepPictures(chat, blobs, reading.report),
    blobs,
    report: reading.report,
  };
}

/** The position in the conversation: after a message, with the key of the path to it. */
interface Place {
  readonly key: string;
  readonly messageId: string | null;
}

const BEGINNING: Place = { key: '', messageId: null };

/** What a session is called until the model has named it. */
const UNNAMED = /^(?:New|Child) session - \d{4}-\d{2}/u;

class OpencodeReader {
  readonly report = new ImportReport();
  private readonly builder: ChatBuilder;
  private readonly calls = new ToolCalls();
  /** Where each agent was started. */
  private readonly starts = new Map<string, Place>();
  private firstQuestion: string | undefined;

  constructor(private readonly now: number) {
    this.builder = new ChatBuilder(now);
  }

  async chat({ roots, agents }: SessionFamily): Promise<ForeignChat['chat']> {
    const ends = new Map<string, Place>();
    for (const root of roots) ends.set(root.info.id, await this.session(root, BEGINNING));
    for (const agent of agents) {
      const start = this.starts.get(agent.info.id) ?? BEGINNING;
      const { messageId } = await this.session(agent, start);
      if (messageId !== null && messageId !== start.messageId)
        this.builder.nameBranch(messageId, nameOf(agent) ?? 'agent');
    }
    this.calls.reportOpen(this.report);
    const current = roots.reduce((one, other) =>
      other.info.time.updated > one.info.time.updated ? other : one,
    );
    const title = roots.map(nameOf).find((name) => name !== undefined);
    return this.builder.build(
      title ?? this.firstQuestion,
      ends.get(current.info.id)?.messageId ?? null,
      this.now,
    );
  }

  /** @returns where its user is: after its last message, or before what was undone */
  private async session({ info: { revert }, messages }: KeptSession, start: Place): Promise<Place> {
    let at = start;
    let undone: Place | undefined;
    /** By the program's ids. */
    const places = new Map<string, Place>();
    let isCompacting: { readonly keptFrom: string | undefined } | undefined;
    for await (const kept of messages()) {
      const info = isTooDeep(kept.info, MAX_DEPTH) ? undefined : messageInfo.safeParse(kept.info).data;
      if (!info) {
        this.report.add(defineMessage('Messages of an unknown kind'));
        continue;
      }
      const parts = kept.parts.map(partOf);
      const compaction = parts.find((part) => part.type === 'compaction');
      const before = at;
      if (compaction) isCompacting = { keptFrom: compaction.tail_start_id ?? undefined };
      else if (info.role === 'assistant' && info.summary === true) {
        at = await this.folded(info, parts, at, places.get(isCompacting?.keptFrom ?? '')?.messageId);
        isCompacting = undefined;
      } else at = await this.message(info, parts, at);
      places.set(info.id, at);
      if (revert?.messageID === info.id) undone = typeof revert.partID === 'string' ? at : before;
    }
    return undone ?? at;
  }

  private async message(info: MessageInfo, parts: readonly MessagePart[], before: Place): Promise<Place> {
    const { role } = info;
    const created = this.timeOf(info);
    const shown = parts.flatMap((part) => this.shown(part, role));
    // A fork has copies under other ids; an answer grows.
    const key = await chainKey(before.key, [role, created, ...(role === 'user' ? shown : [])]);
    if (role === 'user') {
      const text = shown.find((part) => part.type === 'text');
      if (text && 'text' in text && typeof text.text === 'string') this.firstQuestion ??= titleOf(text.text);
    } else if (info.error && info.error.name !== ABORTED)
      this.report.add(defineMessage('Errors of the provider'));
    if (shown.length === 0) return { ...before, key };
    const messageId = this.builder.add({
      key,
      parentId: before.messageId,
      role,
      parts: shown,
      createdAt: created,
      model: role === 'assistant' ? info.modelID : undefined,
    });
    if (role === 'assistant' && info.error?.name === ABORTED) this.builder.interrupt(messageId);
    const place = { key, messageId };
    for (const part of parts) {
      const agent =
        part.type === 'tool' && 'metadata' in part.state ? part.state.metadata?.sessionId : undefined;
      // A fork has the calls of the session that it was forked from.
      if (agent !== undefined && !this.starts.has(agent)) this.starts.set(agent, place);
    }
    return place;
  }

  private async folded(
    info: Extract<MessageInfo, { role: 'assistant' }>,
    parts: readonly MessagePart[],
    before: Place,
    keptFrom: string | null | undefined,
  ): Promise<Place> {
    const created = this.timeOf(info);
    const key = await chainKey(before.key, ['summary', created]);
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
    if (text.trim() === '') return { ...before, key };
    const folded = {
      key,
      parentId: before.messageId,
      text,
      createdAt: created,
      model: info.modelID,
      keptFrom,
    };
    return { key, messageId: this.builder.fold(folded) };
  }

  private shown(part: MessagePart, role: 'user' | 'assistant'): UIMessagePart[] {
    switch (part.type) {
      case 'text':
        if (part.text.trim() === '') return [];
        if (role === 'user' && (part.synthetic === true || part.ignored === true)) {
          this.report.add(defineMessage('Notes of the program to the model'));
          return [];
        }
        return [{ type: 'text', text: role === 'user' ? part.text.trim() : part.text }];
      case 'reasoning':
        return part.text.trim() === '' ? [] : [{ type: 'reasoning', text: part.text }];
      case 'file':
        if (isPicture(part)) return [pictureOf(part)];
        this.report.add(defineMessage('Attached files: what was sent of them is a note of the program'));
        return [];
      case 'tool':
        return this.result(part);
      case 'subtask':
        return [{ type: 'text', text: part.prompt }];
      case 'other':
        this.report.add(defineMessage('Parts of messages of an unknown kind'));
        return [];
      case 'bookkeeping':
        this.report.bookkeeping();
        return [];
      case 'compaction':
        return [];
    }
  }

  private result({ callID, tool, state }: Extract<MessagePart, { type: 'tool' }>): UIMessagePart[] {
    this.calls.called(callID, tool, state.input);
    switch (state.status) {
      case 'completed':
        return [
          this.calls.result(
            callID,
            state.output,
            false,
            tool,
            (state.attachments ?? []).filter(isPicture).map(pictureOf),
          ),
        ];
      case 'error':
        return [this.calls.result(callID, state.error, true, tool)];
      case 'pending':
      case 'running':
        return [];
    }
  }

  private timeOf({ time: { created } }: MessageInfo): number {
    return Number.isFinite(created) ? created : this.now;
  }
}

const MAX_DEPTH = 200;
const ABORTED = 'MessageAbortedError';

function partOf(value: unknown): MessagePart {
  return (isTooDeep(value, MAX_DEPTH) ? undefined : messagePart.safeParse(value).data) ?? { type: 'other' };
}

function nameOf({ info: { title } }: KeptSession): string | undefined {
  return title === undefined || title === null || title.trim() === '' || UNNAMED.test(title)
    ? undefined
    : title;
}

function isPicture({ mime, url }: FilePart): boolean {
  return mime.startsWith('image/') && url.startsWith('data:');
}

function pictureOf({ mime, url }: FilePart): UIMessagePart {
  return { type: 'file', mediaType: mime, url };
}
