import type { BranchData, StoreChange } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { UsageView } from '../../protocol/views.ts';
import { withAnswer } from './branchUsage.ts';

export type ChatUsageStore = Pick<ReadonlyStore, 'listBranches' | 'getPath' | 'getPathAfter' | 'onDidChange'>;

/** How long a count is delayed, in milliseconds: the conversation appears on the page first. */
const PAUSE_MS = 300;

interface Counted {
  readonly chatId: string;
  /** How far each branch is counted, by its id. */
  readonly heads: Map<string, string>;
  /** The messages in the sum: most are on several branches. */
  readonly ids: Set<string>;
  sum: UsageView | undefined;
}

/** Each answer counts once, archived branches included. The last chat is cached. Callers never wait for the count. */
export class ChatUsage implements Disposable {
  private readonly counted = new Emitter<void>();
  private readonly counting = new Sequencer();
  private readonly subscription: Disposable;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private kept: Counted | undefined;
  /** Incremented on each deletion: reads that were running may contain deleted messages. */
  private losses = 0;
  readonly onDidCount = this.counted.event;

  constructor(private readonly store: ChatUsageStore) {
    this.subscription = store.onDidChange((change) => {
      if (change.chatId === this.kept?.chatId && takesAway(change)) this.forget();
    });
  }

  /**
   * The last count; if there are new messages, the rest is counted soon and announced.
   * @param branches of the chat, archived ones included
   */
  known(chatId: string, branches: readonly BranchData[]): UsageView | undefined {
    // With one branch it equals the usage of the path.
    if (branches.length < 2) return undefined;
    const kept = this.kept?.chatId === chatId ? this.kept : undefined;
    const isCurrent = branches.every(
      ({ id, headMessageId: head }) => head === null || kept?.heads.get(id) === head,
    );
    if (!isCurrent) this.countSoon(chatId);
    return kept?.sum;
  }

  read(chatId: string): Promise<UsageView | undefined> {
    return this.counting.run(async () => {
      for (;;) {
        const { losses } = this;
        const counted: Counted =
          this.kept?.chatId === chatId
            ? this.kept
            : { chatId, heads: new Map(), ids: new Set(), sum: undefined };
        this.kept = counted;
        for (const branch of await this.store.listBranches(chatId, { includeArchived: true })) {
          await this.add(counted, branch);
        }
        if (losses === this.losses) return counted.sum;
      }
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
    this.counted.dispose();
    this.forget();
  }

  private countSoon(chatId: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.read(chatId).then(
        (usage) => usage && this.counted.fire(),
        // The chat was deleted during the read: nobody needs the result.
        () => undefined,
      );
    }, PAUSE_MS);
  }

  private async add(counted: Counted, branch: BranchData): Promise<void> {
    const { chatId, id, headMessageId: head, forkMessageId: fork } = branch;
    if (head === null || counted.heads.get(id) === head) return;
    const from = counted.heads.get(id) ?? (fork !== null && counted.ids.has(fork) ? fork : undefined);
    const rest = from === undefined ? undefined : await this.store.getPathAfter(chatId, from, head);
    for (const message of rest ?? (await this.store.getPath(chatId, head))) {
      if (counted.ids.has(message.id)) continue;
      counted.ids.add(message.id);
      counted.sum = withAnswer(counted.sum, message);
    }
    counted.heads.set(id, head);
  }

  private forget(): void {
    this.kept = undefined;
    this.losses += 1;
  }
}

/** A deletion removes messages, whose ids may then be reused. */
function takesAway(change: StoreChange): boolean {
  return change.kind !== 'messages' && change.change === 'deleted';
}
