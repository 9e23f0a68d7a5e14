import { answerMetadataOf } from '../../agent/run/answerMetadata.ts';
import { tasksIn } from '../../agent/explore/taskProgress.ts';
import { PLAN } from '../../agent/plans/planFacts.ts';
import { TODOS } from '../../agent/plans/todoList.ts';
import { BRANCH_SUMMARY } from '../../engine/branchSummary.ts';
import type { ArtifactVersion } from '../../engine/effects.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/disposable.ts';
import { PathFold, type PathStep, type PathStore } from '../../engine/pathFold.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { CompactionView } from '../../protocol/chatFromHost.ts';
import type { UsageView } from '../../protocol/views.ts';
import { addUsage } from '../pages/usageView.ts';
import { pathSummaryOf } from '../../engine/pathSummary.ts';

interface Counted extends PathStep {
  /** Of all answers up to here. */
  readonly usage: UsageView | undefined;
  /** Unvalidated. */
  readonly todos: JsonValue | undefined;
  /** The version in force. */
  readonly plan: ArtifactVersion | undefined;
  readonly compaction: CompactionView | undefined;
}

/** How many messages are counted while a caller waits. */
const NEAR = 50;

/** How long a count is delayed, in milliseconds: the conversation appears on the page first. */
const PAUSE_MS = 300;

/** A path costs only what it does not share with the last one, and the first count of a long one blocks nothing. */
export class BranchUsage implements Disposable {
  private readonly counts: PathFold<Counted>;
  private readonly counted = new Emitter<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The head that is being counted. */
  private awaited: string | undefined;
  /** A usage that was unknown when requested has been counted. */
  readonly onDidCount = this.counted.event;

  constructor(private readonly store: PathStore) {
    this.counts = new PathFold(store, (message, before) => ({
      id: message.id,
      usage: withTurn(before?.usage, message),
      todos: todosAfter(before?.todos, message),
      plan: message.effects?.artifacts?.findLast(({ name }) => name === PLAN) ?? before?.plan,
      compaction: compactionAt(message) ?? before?.compaction,
    }));
  }

  /** What is known without reading a whole path; the rest is counted soon, and announced. */
  async known(chatId: string, headId: string | null): Promise<UsageView | undefined> {
    if (headId === null) return undefined;
    if (await this.isNear(chatId, headId)) return this.read(chatId, headId);
    // Frequent requests must not keep delaying the count.
    if (this.awaited === headId) return undefined;
    this.awaited = headId;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.awaited = undefined;
      this.read(chatId, headId).then(
        (usage) => {
          if (usage || this.todos(chatId, headId) !== undefined || this.plan(chatId, headId))
            this.counted.fire();
        },
        // The chat was deleted during the read: nobody needs the result.
        () => undefined,
      );
    }, PAUSE_MS);
    return undefined;
  }

  /** The todo list at a counted head; undefined if there is none. */
  todos(chatId: string, headId: string | null): JsonValue | undefined {
    return headId === null ? undefined : this.counts.known(chatId, headId)?.todos;
  }

  /** The same of the plan. */
  plan(chatId: string, headId: string | null): ArtifactVersion | undefined {
    return headId === null ? undefined : this.counts.known(chatId, headId)?.plan;
  }

  /** As far as it is counted. */
  compaction(chatId: string, headId: string | null): CompactionView | undefined {
    return headId === null ? undefined : this.counts.known(chatId, headId)?.compaction;
  }

  /** Undefined when no answer on the path has a usage. */
  async read(chatId: string, headId: string | null): Promise<UsageView | undefined> {
    return (await this.counts.read(chatId, headId)).at(-1)?.usage;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.counts.dispose();
    this.counted.dispose();
  }

  /** True if this head, or a message shortly before it, is on the path that was counted last. */
  private async isNear(chatId: string, headId: string): Promise<boolean> {
    if (this.counts.known(chatId, headId)) return true;
    const last = await this.store.getPath(chatId, headId, { limit: NEAR });
    return last.some(
      ({ parentId }) => parentId !== null && this.counts.known(chatId, parentId) !== undefined,
    );
  }
}

/** A sum plus the usage of one message and of the exploration for it, which is on other branches. */
function withTurn(sum: UsageView | undefined, message: MessageData): UsageView | undefined {
  const read = message.name === 'assistant' ? readUIMessage(message.data) : undefined;
  return read ? tasksIn(read).reduce(addUsage, withAnswer(sum, message)) : withAnswer(sum, message);
}

/** A sum plus the usage of one message, if that is an answer or a summary on its own branch. */
export function withAnswer(sum: UsageView | undefined, message: MessageData): UsageView | undefined {
  const isWritten = message.name === 'assistant' || message.name === BRANCH_SUMMARY;
  const read = isWritten ? readUIMessage(message.data) : undefined;
  const answer = read && answerMetadataOf(read);
  return answer ? addUsage(sum, answer) : sum;
}

function todosAfter(before: JsonValue | undefined, { effects }: MessageData): JsonValue | undefined {
  const { set = {}, deleted = [] } = effects?.state ?? {};
  // Own members only: a key may have any name.
  if (Object.hasOwn(set, TODOS)) return set[TODOS];
  return deleted.includes(TODOS) ? undefined : before;
}

/** Undefined for messages that are no compaction. */
function compactionAt(message: MessageData): CompactionView | undefined {
  const read = message.name === BRANCH_SUMMARY ? readUIMessage(message.data) : undefined;
  const summary = read && pathSummaryOf(read);
  if (summary?.kind !== 'compacted') return undefined;
  const { to, kept = [], count } = summary.source;
  return { messageId: message.id, until: to, kept, count };
}

/** The last compaction on a path, of which only the end may be given. */
export function compactionIn(path: readonly MessageData[]): CompactionView | undefined {
  for (const message of path.toReversed()) {
    const found = compactionAt(message);
    if (found) return found;
  }
  return undefined;
}
