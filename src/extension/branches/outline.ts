import { isGivenName } from '../../engine/branchNames.ts';
import type { BranchData, ChatData, CheckpointData, SkeletonNode } from '../../engine/graph.ts';

export interface Exploration {
  readonly goal: string;
  /** The message that holds the report. */
  readonly reportId: string;
}

/** What an outline is made of. */
export interface OutlineParts {
  readonly chat: ChatData;
  /** Oldest first. */
  readonly branches: readonly BranchData[];
  readonly checkpoints: readonly CheckpointData[];
  /** Every message, parents first. */
  readonly nodes: readonly SkeletonNode[];
  /** What a model called what begins with a message, by its id. */
  readonly titles: ReadonlyMap<string, string>;
  /** What the agent explored and came back from with a report, by the head it left. */
  readonly explored: ReadonlyMap<string, Exploration>;
  /** The names of the branches on which the agent had tasks explored. */
  readonly tasks: ReadonlySet<string>;
}

/** A branch with where it stands. */
export interface OutlinedBranch {
  readonly branch: BranchData;
  /** The id of the branch that it forks from; undefined at the top. */
  readonly parentId: string | undefined;
  /** The chat begins with it: its title is the chat's. */
  readonly isTrunk: boolean;
  /** The first message that no older branch has: what it is about. */
  readonly firstOwnId: string | undefined;
  /** What a model called it. */
  readonly title: string | undefined;
  /** How many questions it has of its own. */
  readonly questions: number;
}

const none: readonly never[] = [];

/**
 * A chat with what stands below it. A message belongs to the oldest branch that leads to it, and only where no other
 * does to one that the agent explored and came back from: what went on from there is the thread, and the exploration
 * stands below it, as do the tasks that it had explored. Branches and checkpoints stand below the branch whose message they begin at; a branch that begins with
 * a message of its own stands at the top. Made in time linear in
 * what there is, and asked without a walk.
 */
export class ChatOutline {
  readonly chat: ChatData;
  readonly branches: readonly BranchData[];
  readonly checkpoints: readonly CheckpointData[];
  readonly explored: ReadonlyMap<string, Exploration>;
  readonly active: BranchData | undefined;
  private readonly tasks: ReadonlySet<string>;
  private readonly outlined = new Map<string, OutlinedBranch>();
  private readonly children = new Map<string | undefined, BranchData[]>();
  private readonly bookmarks = new Map<string, CheckpointData[]>();
  private readonly owners = new Map<string, string>();
  private readonly names: ReadonlyMap<string, string>;
  /** By the branches that continue from a report, those that were explored. */
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
    for (const branch of [
      ...branches.filter(isOther),
      ...branches.filter(isAside),
      // Last: what a task begins after belongs to the answer that gave it.
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
      // Another first question is a line of its own. Only what has its place is a parent, so that there is no circle
      // whatever a file says.
      const parentId =
        this.owners.get(id ?? '') ??
        (firstOwnId === undefined ? placed.get(branch.parentBranch ?? '')?.id : undefined);
      const isTrunk = parentId === undefined && this.outlined.size === 0;
      placed.set(branch.name, branch);
      const title = titles.get(firstOwnId ?? '');
      this.outlined.set(branch.id, { branch, parentId, isTrunk, firstOwnId, title, questions });
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

  /** The branches that fork from one, or (undefined) those at the top. */
  branchesBelow(branchId: string | undefined): readonly BranchData[] {
    return this.children.get(branchId) ?? none;
  }

  checkpointsOn(branchId: string): readonly CheckpointData[] {
    return this.bookmarks.get(branchId) ?? none;
  }

  /** The id of the branch that a message belongs to. */
  ownerOf(messageId: string): string | undefined {
    return this.owners.get(messageId);
  }

  /** What a message is, by its name. */
  nameOf(messageId: string): string | undefined {
    return this.names.get(messageId);
  }

  /** The id of the branch that a checkpoint stands on. */
  placeOf({ messageId }: CheckpointData): string | undefined {
    return this.owners.get(messageId) ?? this.branches[0]?.id;
  }

  /** Whether a branch was made for a task that the agent had explored. */
  isTask({ name }: BranchData): boolean {
    return this.tasks.has(name);
  }

  /** What was explored on a branch, as long as nobody went on there since. */
  explorationOf({ headMessageId }: BranchData): Exploration | undefined {
    return headMessageId === null ? undefined : this.explored.get(headMessageId);
  }

  /**
   * The name that a user gave to a branch, or to the one that it goes on from after the agent explored there: the user's
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
