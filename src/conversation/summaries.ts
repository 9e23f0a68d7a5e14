import type { ChatModel } from '../agent/chatModel.ts';
import { BranchBusyError } from '../agent/runs.ts';
import type { SummaryProgress, SummaryPurpose } from '../agent/summaries/writeSummary.ts';
import { BranchNotFoundError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import { compactionOf, sentPath } from '../engine/sentPath.ts';
import { readUIMessage, type UIMessage } from '../engine/uiMessage.ts';
import { cherryPick } from './cherryPick.ts';
import type { ConversationParts } from './conversationParts.ts';
import { mergeSummary, ownPart } from './mergeSummary.ts';
import type { Move, MoveParts } from './move.ts';
import { switchBranch } from './switchBranch.ts';
import { partOf, replaceBySummary, type PathPart, type SummaryExtent } from './summarize.ts';
import type { WrittenSummary } from './summaryNode.ts';
import { undoCompaction } from './undoCompaction.ts';

/** How a summary is being written. */
export interface Writing {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SummaryProgress) => void;
}

/** What a model wrote, and the model's label. */
export interface DraftedSummary {
  readonly text: string;
  readonly model: string;
}

/** Where a conversation goes on after a part of it was summarized. */
export interface Shortened extends Move {
  /** How many messages the summary stands for. */
  readonly count: number;
}

type SummaryParts = MoveParts & Pick<ConversationParts, 'models'>;

/** Summaries in place of parts of a branch, and what is brought from one branch to another. */
export class Summaries {
  private readonly parts: SummaryParts;
  private readonly by: { readonly userId: string };

  constructor(parts: SummaryParts) {
    this.parts = parts;
    this.by = { userId: parts.userId };
  }

  /**
   * Has the model in use write a summary of the current branch up to a message, or from it on, and goes on with that.
   * @returns undefined when it was stopped; then, and when it fails, everything is as before
   * @throws BranchBusyError, SummaryError
   */
  async replace(messageId: string, extent: SummaryExtent, writing: Writing): Promise<Shortened | undefined> {
    const branch = await this.idle();
    const part = await partOf(this.parts.store, branch, messageId, extent);
    return this.shorten(branch, part, extent, await this.parts.models.current(), writing);
  }

  /**
   * Goes back to where a conversation was not compacted yet, on a new branch, and takes along what was said since.
   * @throws BranchBusyError, MessageNotFoundError
   */
  async undoCompaction(messageId: string): Promise<Move> {
    const branch = await this.idle();
    return undoCompaction(this.parts, branch, messageId);
  }

  /**
   * Has a model write what came out of a branch that another does not have.
   * @returns undefined when it was stopped
   * @throws NothingToTakeError, SummaryError
   */
  async draft(source: BranchData, target: BranchData, writing: Writing): Promise<DraftedSummary | undefined> {
    const model = await this.parts.models.current();
    return this.write(model, await this.own(source, target), 'bring-back', writing);
  }

  /** Adds a summary of a branch to another, and goes there. @throws BranchBusyError while that one is answered on */
  async merge(source: BranchData, target: BranchData, written: Omit<WrittenSummary, 'now'>): Promise<Move> {
    const { store, runs } = this.parts;
    const now = await this.refreshed(target);
    if (runs.get(now.chatId, now.name)) throw new BranchBusyError(now.name);
    const summary = { ...written, now: Date.now() };
    const { chatId, name } = await mergeSummary(store, source, now, summary, this.by);
    return switchBranch(this.parts, name, chatId);
  }

  /** Adds a copy of one question and its answer to a branch, on a new branch. */
  async cherryPick(source: BranchData, questionId: string, target: BranchData): Promise<Move> {
    const now = await this.refreshed(target);
    return this.moved(now, await cherryPick(this.parts.store, source, questionId, now, this.by));
  }

  /** What a branch has that another has not. @throws NothingToTakeError */
  async own(source: BranchData, target: BranchData): Promise<readonly MessageData[]> {
    return ownPart(this.parts.store, source, target);
  }

  /** The branch the user is on in the current chat. */
  async active(): Promise<BranchData> {
    const branch = await this.parts.store.getActiveBranch(await this.parts.current.chatId(), this.by);
    if (!branch) throw new BranchNotFoundError('main');
    return branch;
  }

  async named(chatId: string, name: string): Promise<BranchData> {
    const branch = await this.parts.store.getBranch(chatId, name, this.by);
    if (!branch) throw new BranchNotFoundError(name);
    return branch;
  }

  /** The branch the user is on, with no answer on its way. @throws BranchBusyError */
  private async idle(): Promise<BranchData> {
    const branch = await this.active();
    if (this.parts.runs.get(branch.chatId, branch.name)) throw new BranchBusyError(branch.name);
    return branch;
  }

  /** Puts a summary in place of a part of a branch; undefined when it was stopped. */
  private async shorten(
    branch: BranchData,
    part: PathPart,
    extent: SummaryExtent,
    model: ChatModel,
    writing: Writing,
  ): Promise<Shortened | undefined> {
    const drafted = await this.write(model, part.part, 'replace', writing);
    if (drafted === undefined) return undefined;
    const written = { ...drafted, now: Date.now() };
    const made = await replaceBySummary(this.parts.store, branch, part, extent, written, this.by);
    const count = part.part.filter(({ type }) => type === 'message').length;
    return { ...(await this.moved(branch, made)), count };
  }

  private async write(
    model: ChatModel,
    part: readonly MessageData[],
    purpose: SummaryPurpose,
    { signal, onProgress }: Writing,
  ): Promise<DraftedSummary | undefined> {
    // With it comes the AI SDK.
    const { writeBySmall } = await import('../agent/withSdk.ts');
    const written = await writeBySmall({
      ...{ model, messages: readPart(part), purpose, signal },
      smallFor: (each) => this.parts.models.smallFor(each),
      ...(onProgress ? { onProgress } : {}),
    });
    return written && { text: written.text, model: written.model.label };
  }

  /** The branch as it is by now: it may have grown, and have another name. */
  private async refreshed({ id, chatId, name }: BranchData): Promise<BranchData> {
    const all = await this.parts.store.listBranches(chatId, { includeArchived: true, ...this.by });
    const found = all.find((branch) => branch.id === id);
    if (!found) throw new BranchNotFoundError(name);
    return found;
  }

  private async moved(from: BranchData, to: BranchData): Promise<Move> {
    await this.parts.current.open(from.chatId);
    return { chatId: from.chatId, from: from.name, to };
  }
}

/** What is to be summarised; what was compacted is not told twice. */
function readPart(part: readonly MessageData[]): UIMessage[] {
  const messages = part.flatMap(({ type, data }) => {
    const read = type === 'message' ? readUIMessage(data) : undefined;
    return read ? [read] : [];
  });
  // A summary tells of all that is before it, and of more than is wanted where the part begins later.
  const isWhole = part[0]?.parentId === null;
  return isWhole ? sentPath(messages) : messages.filter((message) => !compactionOf(message));
}
