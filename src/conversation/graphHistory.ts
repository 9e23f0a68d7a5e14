import type { Runs } from '../agent/run/runs.ts';
import { BranchNotFoundError, CheckpointNotFoundError } from '../engine/errors.ts';
import { graphSteps, stepEventKinds, takenBackDetails, type GraphStep } from '../engine/graphSteps.ts';
import type { LogEvent } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import type { OpenChat } from './conversationParts.ts';
import { findReachable } from '../engine/provisionalBranch.ts';
import type { LoadLater } from './loadLater.ts';

export type Direction = 'undo' | 'redo';

/** In entries of the log. */
const DEPTH = 300;

export interface HistoryParts {
  readonly store: ContextStore;
  readonly userId: string;
  readonly current: Pick<OpenChat, 'chatId'>;
  readonly runs: Pick<Runs, 'get' | 'stop'>;
  readonly loadLater: LoadLater;
}

/** Offers to switch files, too; false when the user canceled. */
export type GoToBranch = (chatId: string, branch: string) => Promise<boolean>;

/** The log records what can be undone. */
export class GraphHistory {
  constructor(
    private readonly parts: HistoryParts,
    private readonly goTo: GoToBranch,
  ) {}

  /** The next one first. */
  async steps(direction: Direction): Promise<GraphStep[]> {
    const { store, userId, current } = this.parts;
    const chatId = await current.chatId();
    if (!(await store.getChat(chatId))) return [];
    const steps = graphSteps(await this.events(chatId))[direction].toReversed();
    if (steps.length === 0) return [];
    const names = await store.listBranches(chatId, { includeArchived: true, userId });
    const branches = new Map(names.map((branch) => [branch.name, branch]));
    const trash = steps.some(({ kind }) => kind === 'branch-deleted' || kind === 'checkpoint-deleted')
      ? await store.trash.list({ chatId })
      : [];
    const active = await store.getActiveBranch(chatId, { userId });
    const checkpoints = new Set((await store.listCheckpoints(chatId)).map(({ name }) => name));
    const dropped = await this.dropped(chatId, steps, direction, branches);
    const listSteps = steps.filter(({ kind }) => kind === 'todos-edited');
    const lists = listSteps.length > 0 && active ? await this.parts.loadLater() : undefined;
    const fitting = await lists?.fittingSteps(this.parts, active, listSteps, direction);
    // A step that was already reversed in another way cannot be undone.
    return steps.filter(({ kind, branch, from, sequence }) => {
      const found = branches.get(branch);
      const goal = goalOf({ branch, from }, direction);
      switch (kind) {
        case 'branch-archived':
          return (
            found !== undefined &&
            !found.isActive &&
            (found.archivedAt !== undefined) === (direction === 'undo')
          );
        case 'branch-deleted':
          return direction === 'undo'
            ? trash.some((entry) => entry.kind === 'branch' && entry.name === branch)
            : found !== undefined && !found.isActive;
        case 'checkpoint-deleted':
          return direction === 'undo'
            ? trash.some((entry) => entry.kind === 'checkpoint' && entry.name === branch)
            : checkpoints.has(branch);
        case 'todos-edited':
          return fitting?.has(sequence) === true;
        default:
          return goal !== undefined && (branches.has(goal) || dropped.has(goal)) && active?.name !== goal;
      }
    });
  }

  /** The dropped branches that steps lead to: they are made again. */
  private async dropped(
    chatId: string,
    steps: readonly GraphStep[],
    direction: Direction,
    branches: ReadonlyMap<string, unknown>,
  ): Promise<ReadonlySet<string>> {
    const goals = new Set(steps.flatMap((step) => goalOf(step, direction) ?? []));
    const gone = [...goals].filter((name) => !branches.has(name));
    const found = await Promise.all(gone.map((name) => findReachable(this.parts.store, chatId, name)));
    return new Set(found.flatMap((each) => (each ? [each.name] : [])));
  }

  /** Undefined when nothing was done. */
  async take(direction: Direction): Promise<GraphStep | undefined> {
    const [step] = await this.steps(direction);
    if (!step) return undefined;
    const { store, userId, current } = this.parts;
    const chatId = await current.chatId();
    const before = (await store.listEvents(chatId, { limit: 1 }))[0]?.sequence ?? 0;
    const branch = await this.perform(chatId, step, direction);
    if (branch === undefined) return undefined;
    const events = await store.listEvents(chatId, { kinds: stepEventKinds, userId, limit: 20 });
    const by = events.filter(({ sequence }) => sequence > before).map(({ sequence }) => sequence);
    await store.logEvent({
      chatId,
      userId,
      kind: direction === 'undo' ? 'undone' : 'redone',
      branch,
      details: takenBackDetails({
        of: step.sequence,
        by,
        kind: step.kind,
        branch: step.branch === branch ? undefined : branch,
      }),
    });
    return step;
  }

  /** The user's actions within the range of undo, and all branch renames since, by any user. */
  private async events(chatId: string): Promise<LogEvent[]> {
    const { store, userId } = this.parts;
    const own = await store.listEvents(chatId, { kinds: stepEventKinds, userId, limit: DEPTH });
    const [first] = own;
    if (!first) return [];
    const renamings = await store.listEvents(chatId, { kind: 'branch-renamed' });
    const others = renamings.filter((each) => each.userId !== userId && each.sequence > first.sequence);
    return [...own, ...others].toSorted((a, b) => a.sequence - b.sequence);
  }

  /** @returns the current name of the step's branch or checkpoint; undefined when the user canceled */
  private async perform(chatId: string, step: GraphStep, direction: Direction): Promise<string | undefined> {
    const { store, userId, runs, loadLater } = this.parts;
    const { kind, branch, from } = step;
    const by = { userId };
    const isUndo = direction === 'undo';
    switch (kind) {
      case 'branch-archived':
        await (isUndo ? store.unarchiveBranch(chatId, branch, by) : store.archiveBranch(chatId, branch, by));
        return branch;
      case 'branch-deleted': {
        if (!isUndo) {
          await runs.stop(chatId, branch);
          await store.deleteBranch(chatId, branch, by);
          return branch;
        }
        const trash = await store.trash.list({ chatId });
        const entry = trash.find((each) => each.kind === 'branch' && each.name === branch);
        if (!entry) throw new BranchNotFoundError(branch);
        // The name differs if another one has taken it since the deletion.
        return (await store.trash.restore(entry.id, by)).name ?? branch;
      }
      case 'checkpoint-deleted': {
        if (!isUndo) {
          if (!(await store.deleteCheckpoint(chatId, branch, by))) throw new CheckpointNotFoundError(branch);
          return branch;
        }
        const trash = await store.trash.list({ chatId });
        const entry = trash.find((each) => each.kind === 'checkpoint' && each.name === branch);
        if (!entry) throw new CheckpointNotFoundError(branch);
        return (await store.trash.restore(entry.id, by)).name ?? branch;
      }
      case 'todos-edited':
        await (await loadLater()).takeTodosStep(this.parts, chatId, step, direction);
        return branch;
      default:
        return (await this.goTo(chatId, isUndo ? (from ?? branch) : branch)) ? branch : undefined;
    }
  }
}

function goalOf(
  { branch, from }: Pick<GraphStep, 'branch' | 'from'>,
  direction: Direction,
): string | undefined {
  return direction === 'undo' ? from : branch;
}
