import { BRANCH_FILES_KEY } from '../../agent/run/ownFilesOfRun.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { BranchData, SkeletonNode } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

/** A point of a conversation: the last message of a branch, or another one. */
export type Point = Pick<BranchData, 'chatId' | 'headMessageId'>;

/**
 * Which files of their own the points of conversations belong to. The conversation says it in nodes that only have state,
 * which are few: no path has to be read. What is above a message never changes.
 */
export class FilesAtPoints {
  /** By chat and message, the id of the files. */
  private readonly chats = new Map<string, ReadonlyMap<string, string | undefined>>();
  private readonly reads = new Sequencer();

  constructor(private readonly store: Pick<ReadonlyStore, 'getMessage' | 'getSkeleton'>) {}

  /** Undefined: those of the workspace. */
  async idAt({ chatId, headMessageId: id }: Point): Promise<string | undefined> {
    if (id === null) return undefined;
    const isKnown = (): boolean => this.chats.get(chatId)?.has(id) ?? false;
    // Of many points that are asked for together, the first has all of them read.
    if (!isKnown()) await this.reads.run(async () => (isKnown() ? undefined : this.read(chatId)));
    return this.chats.get(chatId)?.get(id);
  }

  private async read(chatId: string): Promise<void> {
    const before = this.chats.get(chatId);
    const ids = new Map<string, string | undefined>();
    for (const node of await this.store.getSkeleton(chatId)) {
      // Parents come first.
      const above = node.parentId === null ? undefined : ids.get(node.parentId);
      const id = before?.has(node.id) ? before.get(node.id) : await this.idAfter(chatId, node, above);
      ids.set(node.id, id);
    }
    this.chats.set(chatId, ids);
  }

  private async idAfter(
    chatId: string,
    { id, name }: SkeletonNode,
    above: string | undefined,
  ): Promise<string | undefined> {
    const state = name === 'state' ? (await this.store.getMessage(chatId, id))?.effects?.state : undefined;
    if (state?.deleted?.includes(BRANCH_FILES_KEY) === true) return undefined;
    const set = state?.set?.[BRANCH_FILES_KEY];
    return typeof set === 'string' ? set : above;
  }
}
