import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { Sequencer } from '../base/sequencer.ts';
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

/** What reverses what entries of the log did to files. It asks nothing: what others changed since is skipped. */
export interface HistoryFiles {
  /** Those of which something can be reversed. */
  reversible(chatId: string, sequences: readonly number[]): Promise<ReadonlySet<number>>;
  /** @returns the paths of files that were skipped */
  reverse(chatId: string, sequences: readonly number[], move?: HistoryMove): Promise<readonly string[]>;
}

/** A move to a branch that is undone or redone, together with the files that followed it. */
export interface HistoryMove {
  readonly branch: string;
  /** Its head. */
  readonly messageId: string | null;
  readonly go: () => Promise<void>;
}

/** A step that was undone or redone. */
export interface TakenStep extends GraphStep {
  /** The paths of files that others changed since. */
  readonly skipped: readonly string[];
}

/** Which step is taken; by default the next one of the open chat. */
export interface TakeStep {
  readonly chatId?: string;
  /** By its place in the log. */
  readonly sequence?: number;
}

/** The log records what can be undone. */
export class GraphHistory implements Disposable {
  private readonly taken = new Emitter<void>();
  /** The second of two key presses means the step before. */
  private readonly takes = new Sequencer();
  /** The log announces no entries. */
  readonly onDidTake = this.taken.event;

  constructor(
    private readonly parts: HistoryParts,
    private readonly goTo: (chatId: string, branch: string) => Promise<unknown>,
    private readonly files: HistoryFiles,
  ) {}

  dispose(): void {
    this.taken.dispose();
  }

  /** The next one first. */
  async steps(direction: Direction, inChat?: string): Promise<GraphStep[]> {
    const { store, userId, current } = this.parts;
    const chatId = inChat ?? (await current.chatId());
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
    const markSteps = steps.filter(({ kind }) => kind === 'message-kept');
    const marks =
      markSteps.length === 0
        ? undefined
        : await (await this.parts.loadLater()).fittingMarks(store, chatId, markSteps, direction);
    const decisions = steps.filter(({ kind }) => kind === 'files-restored' || kind === 'edits-reviewed');
    const reversible =
      decisions.length === 0
        ? new Set<number>()
        : await this.files.reversible(
            chatId,
            decisions.flatMap(({ files }) => files),
          );
    // A step that was already reversed in another way cannot be undone.
    return steps.filter(({ kind, branch, from, sequence, files }) => {
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
        case 'message-kept':
          return marks?.has(sequence) === true;
        case 'files-restored':
        case 'edits-reviewed':
          return files.some((each) => reversible.has(each));
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

  /** Undefined when there is nothing to do. */
  take(direction: Direction, which: TakeStep = {}): Promise<TakenStep | undefined> {
    return this.takes.run(async () => {
      const taken = await this.takeNow(direction, which);
      if (taken) this.taken.fire();
      return taken;
    });
  }

  private async takeNow(
    direction: Direction,
    { chatId: inChat, sequence }: TakeStep,
  ): Promise<TakenStep | undefined> {
    const steps = await this.steps(direction, inChat);
    const step = sequence === undefined ? steps[0] : steps.find((each) => each.sequence === sequence);
    if (!step) return undefined;
    const { store, userId, current } = this.parts;
    const chatId = inChat ?? (await current.chatId());
    const before = (await store.listEvents(chatId, { limit: 1 }))[0]?.sequence ?? 0;
    const { branch, skipped = [] } = await this.perform(chatId, step, direction);
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
    return { ...step, skipped };
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

  /** @returns the current name of the step's branch or checkpoint */
  private async perform(
    chatId: string,
    step: GraphStep,
    direction: Direction,
  ): Promise<{ readonly branch: string; readonly skipped?: readonly string[] }> {
    const { store, userId, runs, loadLater } = this.parts;
    const { kind, branch, from } = step;
    const by = { userId };
    const isUndo = direction === 'undo';
    switch (kind) {
      case 'branch-archived':
        await (isUndo ? store.unarchiveBranch(chatId, branch, by) : store.archiveBranch(chatId, branch, by));
        return { branch };
      case 'branch-deleted': {
        if (!isUndo) {
          await runs.stop(chatId, branch);
          await store.deleteBranch(chatId, branch, by);
          return { branch };
        }
        const trash = await store.trash.list({ chatId });
        const entry = trash.find((each) => each.kind === 'branch' && each.name === branch);
        if (!entry) throw new BranchNotFoundError(branch);
        // The name differs if another one has taken it since the deletion.
        return { branch: (await store.trash.restore(entry.id, by)).name ?? branch };
      }
      case 'checkpoint-deleted': {
        if (!isUndo) {
          if (!(await store.deleteCheckpoint(chatId, branch, by))) throw new CheckpointNotFoundError(branch);
          return { branch };
        }
        const trash = await store.trash.list({ chatId });
        const entry = trash.find((each) => each.kind === 'checkpoint' && each.name === branch);
        if (!entry) throw new CheckpointNotFoundError(branch);
        return { branch: (await store.trash.restore(entry.id, by)).name ?? branch };
      }
      case 'todos-edited':
        await (await loadLater()).takeTodosStep(this.parts, chatId, step, direction);
        return { branch };
      case 'message-kept':
        await (await loadLater()).takeMarkStep(store, chatId, step, direction);
        return { branch };
      case 'files-restored':
      case 'edits-reviewed':
        return { branch, skipped: await this.files.reverse(chatId, step.files) };
      default:
        return { branch, skipped: await this.move(chatId, isUndo ? (from ?? branch) : branch, step) };
    }
  }

  private async move(
    chatId: string,
    name: string,
    { files, filesStay }: GraphStep,
  ): Promise<readonly string[]> {
    const go = async (): Promise<void> => {
      await this.goTo(chatId, name);
    };
    if (filesStay) {
      await go();
      return [];
    }
    const goal = await findReachable(this.parts.store, chatId, name);
    if (!goal) throw new BranchNotFoundError(name);
    return this.files.reverse(chatId, files, { branch: name, messageId: goal.headMessageId, go });
  }
}

function goalOf(
  { branch, from }: Pick<GraphStep, 'branch' | 'from'>,
  direction: Direction,
): string | undefined {
  return direction === 'undo' ? from : branch;
}
