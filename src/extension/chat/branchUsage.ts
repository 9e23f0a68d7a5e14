import { answerMetadataOf } from '../../agent/answerMetadata.ts';
import { tasksIn } from '../../agent/explore/taskProgress.ts';
import { TODOS } from '../../agent/tools/todoTool.ts';
import { BRANCH_SUMMARY } from '../../engine/branchSummary.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { JsonValue } from '../../engine/json.ts';
import { Emitter } from '../../kit/emitter.ts';
import type { Disposable } from '../../kit/disposable.ts';
import { PathFold, type PathStep, type PathStore } from '../../engine/pathFold.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { CompactionView } from '../../protocol/contextViews.ts';
import type { UsageView } from '../../protocol/views.ts';
import { addUsage } from '../answers/usageView.ts';
import { compactionAt } from './compactionIn.ts';

interface Counted extends PathStep {
  /** What the answers up to here took. */
  readonly usage: UsageView | undefined;
  /** The todo list as it stands there, whatever it holds. */
  readonly todos: JsonValue | undefined;
  /** What they were compacted to last. */
  readonly compaction: CompactionView | undefined;
}

/** How many messages are counted while somebody waits. */
const NEAR = 50;

/** How long a count waits, in milliseconds: the conversation is on the page first. */
const PAUSE_MS = 300;

/**
 * What the answers on the way to a head took together, and the todo list there. A path that has grown costs what it grew by, a branch gone back
 * to what it does not share with the one before, and nobody waits for the first count of a long one.
 */
export class BranchUsage implements Disposable {
  private readonly counts: PathFold<Counted>;
  private readonly counted = new Emitter<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The head whose count is on its way. */
  private awaited: string | undefined;
  /** Something was counted that was not known when it was asked for. */
  readonly onDidCount = this.counted.event;

  constructor(private readonly store: PathStore) {
    this.counts = new PathFold(store, (message, before) => ({
      id: message.id,
      usage: withTurn(before?.usage, message),
      todos: todosAfter(before?.todos, message),
      compaction: compactionAt(message) ?? before?.compaction,
    }));
  }

  /** What is known without reading a whole path; the rest is counted soon, and announced. */
  async known(chatId: string, headId: string | null): Promise<UsageView | undefined> {
    if (headId === null) return undefined;
    if (await this.isNear(chatId, headId)) return this.read(chatId, headId);
    // Asked often, it is counted all the same.
    if (this.awaited === headId) return undefined;
    this.awaited = headId;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.awaited = undefined;
      this.read(chatId, headId).then(
        (usage) => {
          if (usage || this.todos(chatId, headId) !== undefined) this.counted.fire();
        },
        // The chat was deleted meanwhile: nobody asks any more.
        () => undefined,
      );
    }, PAUSE_MS);
    return undefined;
  }

  /** The todo list at a head that is counted; undefined where there is none. */
  todos(chatId: string, headId: string | null): JsonValue | undefined {
    return headId === null ? undefined : this.counts.known(chatId, headId)?.todos;
  }

  /** What the conversation was compacted to, as far as it is counted. */
  compaction(chatId: string, headId: string | null): CompactionView | undefined {
    return headId === null ? undefined : this.counts.known(chatId, headId)?.compaction;
  }

  /** Undefined when no answer on the path says what it took. */
  async read(chatId: string, headId: string | null): Promise<UsageView | undefined> {
    return (await this.counts.read(chatId, headId)).at(-1)?.usage;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.counts.dispose();
    this.counted.dispose();
  }

  /** True where the way that was counted last leads over this head, or to it with a few messages more. */
  private async isNear(chatId: string, headId: string): Promise<boolean> {
    if (this.counts.known(chatId, headId)) return true;
    const last = await this.store.getPath(chatId, headId, { limit: NEAR });
    return last.some(
      ({ parentId }) => parentId !== null && this.counts.known(chatId, parentId) !== undefined,
    );
  }
}

/** A sum with what one message took and what was explored for it, which stands on other branches. */
function withTurn(sum: UsageView | undefined, message: MessageData): UsageView | undefined {
  const read = message.name === 'assistant' ? readUIMessage(message.data) : undefined;
  return read ? tasksIn(read).reduce(addUsage, withAnswer(sum, message)) : withAnswer(sum, message);
}

/** A sum with what one message took, where that is an answer or a summary on its own branch. */
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
