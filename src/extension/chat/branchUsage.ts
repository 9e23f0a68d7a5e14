import { answerMetadataOf } from '../../agent/answerMetadata.ts';
import type { MessageData } from '../../engine/graph.ts';
import { Emitter } from '../../engine/emitter.ts';
import type { Disposable } from '../../engine/event.ts';
import type { ContextStore } from '../../engine/store.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { UsageView } from '../../protocol/views.ts';

interface Counted {
  readonly chatId: string;
  readonly headId: string;
  readonly usage: UsageView | undefined;
}

/** How many counts are kept: that many branches can be gone back to without counting anew. */
const MAX_KEPT = 50;

/** How long a count waits, in milliseconds: the conversation is on the page first. */
const PAUSE_MS = 300;

/**
 * What the answers on the way to a head took together. Counts are kept, so that a path that has grown costs what it grew
 * by, and nobody waits for the first count of a long one.
 */
export class BranchUsage implements Disposable {
  /** By head, the one used last at the end. */
  private readonly counts = new Map<string, Counted>();
  private readonly counted = new Emitter<void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The head whose count is on its way. */
  private awaited: string | undefined;
  /** Something was counted that was not known when it was asked for. */
  readonly onDidCount = this.counted.event;

  constructor(private readonly store: Pick<ContextStore, 'getPath' | 'getPathAfter'>) {}

  /** What is known without reading a whole path; the rest is counted soon, and told. */
  async known(chatId: string, headId: string | null): Promise<UsageView | undefined> {
    if (headId === null) return undefined;
    const count = await this.grown(chatId, headId);
    if (count) return count.usage;
    // Asked often, it is counted all the same.
    if (this.awaited === headId) return undefined;
    this.awaited = headId;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.awaited = undefined;
      this.read(chatId, headId).then(
        (usage) => usage && this.counted.fire(),
        // The chat was deleted meanwhile: nobody asks any more.
        () => undefined,
      );
    }, PAUSE_MS);
    return undefined;
  }

  /** Undefined when no answer on the path says what it took. */
  async read(chatId: string, headId: string | null): Promise<UsageView | undefined> {
    if (headId === null) return undefined;
    const known = await this.grown(chatId, headId);
    if (known) return known.usage;
    const path = await this.store.getPath(chatId, headId);
    return this.keep({ chatId, headId, usage: path.reduce(withAnswer, undefined) }).usage;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.counted.dispose();
  }

  /** The count of this head, or of one on the way to it with what came since. */
  private async grown(chatId: string, headId: string): Promise<Counted | undefined> {
    const known = this.counts.get(headId);
    if (known?.chatId === chatId) return this.keep(known);
    const last = [...this.counts.values()].at(-1);
    if (last?.chatId !== chatId) return undefined;
    const since = await this.store.getPathAfter(chatId, last.headId, headId);
    return since && this.keep({ chatId, headId, usage: since.reduce(withAnswer, last.usage) });
  }

  private keep(count: Counted): Counted {
    this.counts.delete(count.headId);
    this.counts.set(count.headId, count);
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= MAX_KEPT) break;
      this.counts.delete(oldest);
    }
    return count;
  }
}

function withAnswer(sum: UsageView | undefined, message: MessageData): UsageView | undefined {
  const read = message.name === 'assistant' ? readUIMessage(message.data) : undefined;
  const answer = read && answerMetadataOf(read);
  if (!answer?.usage) return sum;
  const { inputTokens = 0, outputTokens = 0 } = answer.usage;
  const cost =
    sum?.cost === undefined && answer.cost === undefined ? undefined : (sum?.cost ?? 0) + (answer.cost ?? 0);
  return {
    inputTokens: (sum?.inputTokens ?? 0) + inputTokens,
    outputTokens: (sum?.outputTokens ?? 0) + outputTokens,
    ...(cost === undefined ? {} : { cost }),
  };
}
