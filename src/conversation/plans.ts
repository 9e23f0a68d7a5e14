import { answerMetadataOf } from '../agent/run/answerMetadata.ts';
import {
  editParts,
  editPlan,
  implementParts,
  isImplemented,
  keepPlanOf,
  planEditIn,
  readPlan,
  savePlan,
  type PlanEdit,
} from '../agent/plans/plan.ts';
import { PLAN } from '../agent/plans/planFacts.ts';
import { planSteps, withTicksSince } from '../agent/plans/planSteps.ts';
import { ContextEngine } from '../engine/contextEngine.ts';
import { BranchNotFoundError, OffshootError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { readUIMessage, textOf, type UIMessagePart } from '../engine/uiMessage.ts';
import { answeredElsewhere } from './answeredElsewhere.ts';
import type { ConversationParts } from './conversationParts.ts';
import { listQueue } from './keptQueues.ts';

type PlanParts = Pick<ConversationParts, 'store' | 'userId' | 'runs' | 'queue'>;

export interface PlanBranch {
  readonly chatId: string;
  readonly branchId: string;
}

export class NoPlanError extends OffshootError {
  constructor() {
    super('no-plan', defineMessage('There is no plan here any more. Ask for one in Plan mode.'));
  }
}

export interface PlanToImplement {
  /** Where it stands: a branch for its implementation begins there. */
  readonly messageId: string;
  /** Some of it is left to do on the branch itself. */
  readonly isBegun: boolean;
}

/** The plan of a branch, which is one of its artifacts. */
export class Plans {
  constructor(private readonly parts: PlanParts) {}

  /** With edits that wait for the answer in progress. @throws NoPlanError, BranchNotFoundError */
  async read(on: PlanBranch): Promise<string> {
    const branch = await this.find(on);
    const plan = await this.with(branch, readPlan);
    if (plan === undefined) throw new NoPlanError();
    const { store } = this.parts;
    const queue = await listQueue(store, await store.getChat(branch.chatId), branch.id);
    return queue.reduce((now, { attached }) => {
      const edit = planEditIn(attached);
      return edit ? withTicksSince(edit.before, now, edit.after) : now;
    }, plan);
  }

  /**
   * Saves an edit as the next version on the branch. While an answer is written there, the edit is sent to the model
   * before its next step.
   * @param said the message with which it is sent then
   */
  async edit(on: PlanBranch, edit: PlanEdit, said: string): Promise<void> {
    const branch = await this.find(on);
    const { chatId, name } = branch;
    const { store, runs, queue } = this.parts;
    if (runs.get(chatId, name) || (await answeredElsewhere(store, chatId, name))) {
      await queue.add({ chatId, branch: name }, { text: said, attached: editParts(edit) }, true);
      return;
    }
    await this.with(branch, async (engine) => {
      await editPlan(engine, edit);
      await engine.save();
    });
  }

  /** Makes the plan of an answer that has no steps, or is older than kept plans, unless the branch has one. */
  async ensure(on: PlanBranch, messageId: string | undefined): Promise<void> {
    const branch = await this.find(on);
    const { store } = this.parts;
    await this.with(branch, async (engine) => {
      if ((await readPlan(engine)) !== undefined) return;
      const message = messageId === undefined ? undefined : await store.getMessage(on.chatId, messageId);
      const read = message && readUIMessage(message.data);
      if (!read) throw new NoPlanError();
      await keepPlanOf(engine, textOf(read));
      if ((await readPlan(engine)) === undefined) await savePlan(engine, textOf(read));
      await engine.save();
    });
  }

  /** @param messageId of the answer that it was; left out: the plan in force @throws NoPlanError */
  async toImplement(branch: BranchData, messageId: string | undefined): Promise<PlanToImplement> {
    const { chatId, headMessageId } = branch;
    if (headMessageId === null) throw new NoPlanError();
    const path = await this.parts.store.getPath(chatId, headMessageId);
    const inForce = path.findLast((message) => changesPlan(message) && isPlanAnswer(message))?.id;
    const wanted = messageId ?? inForce ?? path.findLast(changesPlan)?.id;
    if (wanted === undefined) throw new NoPlanError();
    const isInForce = messageId === undefined || messageId === inForce;
    const isBegun = isInForce && (await this.with(branch, hasBegun));
    return { messageId: isBegun ? headMessageId : lastVersion(path, wanted), isBegun };
  }

  /** The parts of a question that has the plan of a branch implemented; none if it has no steps. */
  async partsFor(branch: BranchData): Promise<UIMessagePart[]> {
    const plan = await this.with(branch, readPlan);
    return plan !== undefined && planSteps(plan).length > 0 ? implementParts(plan) : [];
  }

  private async find({ chatId, branchId }: PlanBranch): Promise<BranchData> {
    const { store, userId } = this.parts;
    const branches = await store.listBranches(chatId, { includeArchived: true, userId });
    // It may have been renamed.
    const branch = branches.find(({ id }) => id === branchId);
    if (!branch) throw new BranchNotFoundError(branchId);
    return branch;
  }

  private async with<T>(
    { chatId, name }: BranchData,
    work: (engine: ContextEngine) => Promise<T>,
  ): Promise<T> {
    const { store, userId } = this.parts;
    const engine = new ContextEngine({ store, chatId, userId, branch: name, branchNames: 'flat' });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  }
}

/** Whether it is being implemented, and has open steps. */
async function hasBegun(engine: ContextEngine): Promise<boolean> {
  const plan = (await isImplemented(engine)) ? await readPlan(engine) : undefined;
  return plan !== undefined && planSteps(plan).some(({ isDone }) => !isDone);
}

/** The last edit of a plan before it was implemented or replaced; the answer itself if it was not edited. */
function lastVersion(path: readonly MessageData[], messageId: string): string {
  const after = path.slice(path.findIndex(({ id }) => id === messageId) + 1);
  const end = after.findIndex((message) => message.type === 'message' && changesPlan(message));
  const edits = (end < 0 ? after : after.slice(0, end)).filter(changesPlan);
  return edits.at(-1)?.id ?? messageId;
}

function changesPlan({ effects }: MessageData): boolean {
  return effects?.artifacts?.some(({ name }) => name === PLAN) === true;
}

function isPlanAnswer({ data }: MessageData): boolean {
  const read = readUIMessage(data);
  return read !== undefined && answerMetadataOf(read)?.mode === 'plan';
}
