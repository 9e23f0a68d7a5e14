import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { ImportReport } from '../importReport.ts';
import {
  geminiHeader,
  geminiMessage,
  geminiRewind,
  geminiUpdate,
  type GeminiMessage,
} from './geminiRecords.ts';

/** A message on a way through the session, after the one before it. */
export interface GeminiStep {
  readonly message: string;
  readonly before: GeminiStep | undefined;
}

/** A session as it was: its messages, and every way through them that counted at some time. */
export class GeminiHistory {
  readonly messages = new Map<string, GeminiMessage>();
  /** Those that came back all at once, with ids of their own: they may have been said before. */
  readonly replayed = new Set<string>();
  /** The last step of each way that was replaced or taken back, in order. */
  readonly earlier: (GeminiStep | undefined)[] = [];
  /** The last step of the way that counts now. */
  last: GeminiStep | undefined;
  id: string | undefined;
  isAgent = false;
  summary: string | undefined;

  constructor(private readonly report: ImportReport) {}

  take(record: unknown): void {
    const rewind = geminiRewind.safeParse(record).data;
    const update = geminiUpdate.safeParse(record).data;
    const header = geminiHeader.safeParse(record).data;
    if (rewind) {
      this.rewind(rewind.$rewindTo);
    } else if (update) {
      this.summary = update.$set.summary ?? this.summary;
      if (update.$set.messages) this.replace(update.$set.messages);
    } else if (header) {
      this.id ??= header.sessionId;
      this.isAgent ||= header.kind === 'subagent';
      this.summary = header.summary ?? this.summary;
      for (const each of header.messages ?? []) this.append(each);
    } else {
      this.append(record);
    }
  }

  private append(record: unknown): void {
    const message = this.read(record);
    if (!message) return;
    const known = this.messages.get(message.id);
    if (!known) {
      this.messages.set(message.id, message);
      this.last = { message: message.id, before: this.last };
      return;
    }
    // Written again, with the results of its calls, or with less of it: what is known of it stays.
    this.messages.set(message.id, {
      ...known,
      model: known.model ?? message.model,
      thoughts: known.thoughts.length > 0 ? known.thoughts : message.thoughts,
      toolCalls: message.toolCalls.length > 0 ? message.toolCalls : known.toolCalls,
    });
  }

  /** As the program does: without that message, nothing is left. */
  private rewind(id: string): void {
    this.earlier.push(this.last);
    while (this.last && this.last.message !== id) this.last = this.last.before;
    this.last = this.last?.before;
  }

  /** What counts from now on. Messages that are known lack their models, times and reasoning there. */
  private replace(records: readonly unknown[]): void {
    const way: GeminiStep[] = [];
    for (let step = this.last; step; step = step.before) way.push(step);
    way.reverse();
    const ids = new Set<string>();
    for (const each of records) {
      const message = this.read(each);
      if (!message) continue;
      if (!this.messages.has(message.id)) {
        this.messages.set(message.id, message);
        this.replayed.add(message.id);
      }
      ids.add(message.id);
    }
    const now = [...ids];
    const same = now.findIndex((id, at) => id !== way[at]?.message);
    const shared = same < 0 ? now.length : same;
    if (isEndOf(now, way)) {
      this.earlier.push(way.at(-now.length - 1));
      for (const id of now) this.replayed.add(id);
    } else if (shared < way.length) this.earlier.push(way.at(-1));
    this.last = way[shared - 1];
    for (const message of now.slice(shared)) this.last = { message, before: this.last };
  }

  private read(record: unknown): GeminiMessage | undefined {
    const message = geminiMessage.safeParse(record).data;
    if (!message) this.report.add(defineMessage('Records of an unknown kind'));
    return message;
  }
}

/** A saved conversation is first appended, and then replaces what it was appended to. */
function isEndOf(ids: readonly string[], way: readonly GeminiStep[]): boolean {
  const from = way.length - ids.length;
  return ids.length > 0 && from > 0 && ids.every((id, at) => id === way[from + at]?.message);
}
