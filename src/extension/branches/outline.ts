import { isGivenName } from '../../engine/branchNames.ts';
import type { BranchData, ChatData, CheckpointData, SkeletonNode } from '../../engine/graph.ts';

export interface Exploration {
  readonly goal: string;
  readonly reportId: string;
}

export interface OutlineParts {
  readonly chat: ChatData;
  /** Oldest first. */
  readonly branches: readonly BranchData[];
  readonly checkpoints: readonly CheckpointData[];
  /** Every message, parents first. */
  readonly nodes: readonly SkeletonNode[];
  /** What a model titled the messages from one on, by its id. */
  readonly titles: ReadonlyMap<string, string>;
  /** What the agent explored and returned from with a report, by the head it left. */
  readonly explored: ReadonlyMap<string, Exploration>;
  /** The names of the branches on which tasks of the agent were explored. */
  readonly tasks: ReadonlySet<string>;
}

export interface OutlinedBranch {
  readonly branch: BranchData;
  /** The id of the branch it forks from; undefined at the top. */
  readonly parentId: string | undefined;
  /** The chat begins with this branch: its title is the chat's. */
  readonly isTrunk: boolean;
  /** The first message that no older branch has. */
  readonly firstOwnId: string | undefined;
  /** The message it is named by: its first own one, or the question whose answer was regenerated. */
  readonly subjectId: string | undefined;
  /** The title a model gave it. */
  readonly title: string | undefined;
  /** How many questions only it has. */
  readonly questions: number;
}

const none: readonly never[] = [];

/**
 * A chat with everything below it. A message belongs to the oldest branch that contains it, and to an exploration the
 * agent returned from only if no other branch contains it: the conversation that continued from there is the thread,
 * and the exploration is placed below it, like the tasks it started. Branches and checkpoints are placed below the
 * branch of the message they begin at; a branch whose first message is its own is at the top. Built in time linear in
 * its size; queries need no walk.
 */
export class ChatOutline {
  readonly chat: ChatData;
  readonly branches: readonly BranchData[];
  readonly checkpoints: readonly CheckpointData[];
  readonly explored: ReadonlyMap<string, Exploration>;
  readonly active: BranchData | undefined;
  /** The only branch but for the agent's tasks, while none of those is active. */
  readonly sole: BranchData | undefined;
  private readonly tasks: ReadonlySet<string>;
  private readonly outlined = new Map<string, OutlinedBranch>();
  private readonly children = new Map<string | undefined, BranchData[]>();
  private readonly bookmarks = new Map<string, CheckpointData[]>();
  private readonly owners = new Map<string, string>();
  private readonly names: ReadonlyMap<string, string>;
  /** The explored branches, by the branches that continue from their reports. */
  private readonly continued = new Map<string, BranchData>();

  constructor({ chat, branches, checkpoints, nodes, titles, explored, tasks }: OutlineParts) {
    this.chat = chat;
    this.branches = branches;
    this.checkpoints = checkpoints;
    this.explored = explored;
    this.tasks = tasks;
    this.active = branches.find(({ isActive }) => isActive);
    const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
    this.names = new Map(nodes.map(({ id, name }) => [id, name]));
    const placed = new Map<string, BranchData>();
    const isAside = (branch: BranchData): boolean => this.explorationOf(branch) !== undefined;
    const isOther = (branch: BranchData): boolean => !isAside(branch) && !this.isTask(branch);
    const [sole, ...others] = branches.filter((branch) => !this.isTask(branch));
    const isSole = others.length === 0 && (this.active === undefined || this.active === sole);
    this.sole = isSole ? sole : undefined;
    const subjectOf = (firstId: string): string => {
      let id = firstId;
      while (this.names.get(id) === 'assistant') id = parents.get(id) ?? '';
      return this.names.get(id) === 'user' ? id : firstId;
    };
    for (const branch of [
      ...branches.filter(isOther),
      ...branches.filter(isAside),
      // Last: the message a task begins after belongs to the answer that started it.
      ...branches.filter((each) => this.isTask(each) && !isAside(each)),
    ]) {
      let firstOwnId: string | undefined;
      let questions = 0;
      let id = branch.headMessageId;
      for (; id !== null && !this.owners.has(id); id = parents.get(id) ?? null) {
        this.owners.set(id, branch.id);
        firstOwnId = id;
        if (this.names.get(id) === 'user') questions += 1;
      }
      // Another first question is a line of its own. Only branches that are already placed become parents, so that no
      // input can cause a cycle.
      const parentId =
        this.owners.get(id ?? '') ??
        (firstOwnId === undefined ? placed.get(branch.parentBranch ?? '')?.id : undefined);
      const isTrunk = parentId === undefined && this.outlined.size === 0;
      placed.set(branch.name, branch);
      const subjectId = firstOwnId === undefined ? undefined : subjectOf(firstOwnId);
      const title = titles.get(subjectId ?? '');
      this.outlined.set(branch.id, { branch, parentId, isTrunk, firstOwnId, subjectId, title, questions });
    }
    for (const branch of branches) {
      const owner = this.owners.get(this.explorationOf(branch)?.reportId ?? '');
      if (owner !== undefined) this.continued.set(owner, branch);
    }
    for (const branch of branches) push(this.children, this.outlined.get(branch.id)?.parentId, branch);
    for (const checkpoint of checkpoints) {
      const owner = this.owners.get(checkpoint.messageId) ?? branches[0]?.id;
      if (owner !== undefined) push(this.bookmarks, owner, checkpoint);
    }
  }

  find(branchId: string): OutlinedBranch | undefined {
    return this.outlined.get(branchId);
  }

  /** The branches that fork from one, or those at the top (undefined). */
  branchesBelow(branchId: string | undefined): readonly BranchData[] {
    return this.children.get(branchId) ?? none;
  }

  checkpointsOn(branchId: string): readonly CheckpointData[] {
    return this.bookmarks.get(branchId) ?? none;
  }

  ownerOf(messageId: string): string | undefined {
    return this.owners.get(messageId);
  }

  nameOf(messageId: string): string | undefined {
    return this.names.get(messageId);
  }

  /** The id of the branch that a checkpoint is on. */
  placeOf({ messageId }: CheckpointData): string | undefined {
    return this.owners.get(messageId) ?? this.branches[0]?.id;
  }

  isTask({ name }: BranchData): boolean {
    return this.tasks.has(name);
  }

  /** The exploration on a branch, as long as nothing was added there since. */
  explorationOf({ headMessageId }: BranchData): Exploration | undefined {
    return headMessageId === null ? undefined : this.explored.get(headMessageId);
  }

  /**
   * The name that a user gave to a branch, or to the one it continues from after the agent explored there: the user's
   * name stays with the thread.
   */
  givenNameOf(branch: BranchData): string | undefined {
    const seen = new Set<string>();
    for (let at: BranchData | undefined = branch; at && !seen.has(at.id); at = this.continued.get(at.id)) {
      if (isGivenName(at.name)) return at.name;
      seen.add(at.id);
    }
    return undefined;
  }

  /** The ids of the branches from the top to one. */
  wayTo(branchId: string): string[] {
    const way: string[] = [];
    for (let id: string | undefined = branchId; id !== undefined; id = this.find(id)?.parentId)
      way.unshift(id);
    return way;
  }
}

function push<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
