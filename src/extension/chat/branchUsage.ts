import { answerMetadataOf } from '../../agent/answerMetadata.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { ContextStore } from '../../engine/store.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { UsageView } from '../../protocol/views.ts';

interface Counted {
  readonly chatId: string;
  readonly headId: string;
  readonly usage: UsageView | undefined;
}

/**
 * What the answers on the way to a head took together. The last count is kept, so that a path that has grown costs what
 * it grew by.
 */
export class BranchUsage {
  private last: Counted | undefined;

  constructor(private readonly store: Pick<ContextStore, 'getPath' | 'getPathAfter'>) {}

  /** Undefined when no answer on the path says what it took. */
  async read(chatId: string, headId: string | null): Promise<UsageView | undefined> {
    if (headId === null) return undefined;
    const before = this.last?.chatId === chatId ? this.last : undefined;
    const grown = before && (await this.grownSince(before, headId));
    const usage = grown
      ? grown.reduce(withAnswer, before.usage)
      : (await this.store.getPath(chatId, headId)).reduce(withAnswer, undefined);
    this.last = { chatId, headId, usage };
    return usage;
  }

  private grownSince({ chatId, headId }: Counted, newHeadId: string): Promise<MessageData[] | undefined> {
    return this.store.getPathAfter(chatId, headId, newHeadId);
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
