import { branchFacts, changedFacts } from '../agent/memory/branchFacts.ts';
import type { MemoryChange } from '../agent/memory/memoryChange.ts';
import { BRANCH_MEMORY } from '../agent/memory/rememberTool.ts';
import { BranchBusyError } from '../agent/run/run.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import type { BranchData } from '../engine/graph.ts';
import type { ConversationParts } from './conversationParts.ts';

type MemoryParts = Pick<ConversationParts, 'store' | 'userId'> & {
  readonly runs: Pick<ConversationParts['runs'], 'get'>;
};

type At = Pick<BranchData, 'chatId' | 'name'>;

/** What branches remember: state, which goes where their state goes. */
export class BranchMemory {
  constructor(private readonly parts: MemoryParts) {}

  /** At the head of the branch, the oldest first. */
  read(at: At): Promise<readonly string[]> {
    return this.on(at, read);
  }

  /**
   * Has a branch remember, or forget, from here on. A node that only has state says it.
   * @throws BranchBusyError while an answer is written there; KnownFactError, UnknownFactError, MemoryFullError
   */
  async change(at: At, changes: readonly MemoryChange[]): Promise<void> {
    // Saving to the branch of a run would separate it from its answer.
    if (this.parts.runs.get(at.chatId, at.name)) throw new BranchBusyError(at.name);
    await this.on(at, async (engine) => {
      const after = changes.reduce(changedFacts, await read(engine));
      if (after.length === 0) engine.state.delete(BRANCH_MEMORY);
      else engine.state.set(BRANCH_MEMORY, [...after]);
      await engine.save();
    });
  }

  private async on<T>({ chatId, name: branch }: At, work: (engine: ContextEngine) => Promise<T>): Promise<T> {
    const { store, userId } = this.parts;
    const engine = new ContextEngine({ store, chatId, userId, branch, branchNames: 'flat' });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  }
}

async function read({ state }: ContextEngine): Promise<readonly string[]> {
  return branchFacts(await state.get(BRANCH_MEMORY));
}
