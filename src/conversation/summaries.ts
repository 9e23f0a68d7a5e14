import type { BeyondCap } from '../agent/budget/spends.ts';
import type { ChatModel } from '../models/chatModel.ts';
import { BranchBusyError } from '../agent/run/runs.ts';
import type { SummaryProgress, SummaryPurpose } from '../agent/summaries/writeSummary.ts';
import { BranchNotFoundError } from '../engine/errors.ts';
import type { BranchData, MessageData } from '../engine/graph.ts';
import { compactionOf, sentPath } from '../engine/sentPath.ts';
import { readUIMessage, type UIMessage } from '../engine/uiMessage.ts';
import { cherryPick } from './copies.ts';
import type { ConversationParts } from './conversationParts.ts';
import {
  mergeSummary,
  ownPart,
  partOf,
  replaceBySummary,
  undoCompaction,
  type PathPart,
  type SummaryExtent,
} from './summarize.ts';
import { switchBranch, type Move, type MoveParts } from './move.ts';
import type { WrittenSummary } from './summaryNode.ts';

export interface Writing {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: SummaryProgress) => void;
  /** Lets requests beyond a cap through, as far as the user allowed it. */
  readonly beyond?: BeyondCap | undefined;
}

/** `model` is a label. */
export interface DraftedSummary {
  readonly text: string;
  readonly model: string;
}

export interface Shortened extends Move {
  /** How many messages the summary replaces. */
  readonly count: number;
}

type SummaryParts = MoveParts & Pick<ConversationParts, 'budget' | 'models'>;

export class Summaries {
  private readonly parts: SummaryParts;
  private readonly by: { readonly userId: string };

  constructor(parts: SummaryParts) {
    this.parts = parts;
    this.by = { userId: parts.userId };
  }

  /**
   * Lets the model in use write a summary of the current branch up to a message, or from it on, and continues with
   * the result.
   * @returns undefined when it was stopped; in that case, and on failure, nothing changes
   * @throws BranchBusyError, SummaryError
   */
  async replace(messageId: string, extent: SummaryExtent, writing: Writing): Promise<Shortened | undefined> {
    const branch = await this.idle();
    const part = await partOf(this.parts.store, branch, messageId, extent);
    return this.shorten(branch, part, extent, await this.parts.models.current(), writing);
  }

  /** Later messages are kept, on a new branch. @throws BranchBusyError, MessageNotFoundError */
  async undoCompaction(messageId: string): Promise<Move> {
    const branch = await this.idle();
    return undoCompaction(this.parts, branch, messageId);
  }

  /**
   * Summarizes what the target does not have.
   * @returns undefined when it was stopped
   * @throws NothingToTakeError, SummaryError
   */
  async draft(source: BranchData, target: BranchData, writing: Writing): Promise<DraftedSummary | undefined> {
    const model = await this.parts.models.current();
    return this.write(model, source, await this.own(source, target), 'bring-back', writing);
  }

  /** Switches to the target. @throws BranchBusyError while an answer is written there */
  async merge(source: BranchData, target: BranchData, written: Omit<WrittenSummary, 'now'>): Promise<Move> {
    const { store, runs } = this.parts;
    const now = await this.refreshed(target);
    if (runs.get(now.chatId, now.name)) throw new BranchBusyError(now.name);
    const summary = { ...written, now: Date.now() };
    const { chatId, name } = await mergeSummary(store, source, now, summary, this.by);
    return switchBranch(this.parts, name, chatId);
  }

  /** On a new branch. */
  async cherryPick(source: BranchData, questionId: string, target: BranchData): Promise<Move> {
    const now = await this.refreshed(target);
    return this.moved(now, await cherryPick(this.parts.store, source, questionId, now, this.by));
  }

  /** The messages of a branch that another does not have. @throws NothingToTakeError */
  async own(source: BranchData, target: BranchData): Promise<readonly MessageData[]> {
    return ownPart(this.parts.store, source, target);
  }

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

  /** @throws BranchBusyError */
  private async idle(): Promise<BranchData> {
    const branch = await this.active();
    if (this.parts.runs.get(branch.chatId, branch.name)) throw new BranchBusyError(branch.name);
    return branch;
  }

  /** Undefined when it was stopped. */
  private async shorten(
    branch: BranchData,
    part: PathPart,
    extent: SummaryExtent,
    model: ChatModel,
    writing: Writing,
  ): Promise<Shortened | undefined> {
    const drafted = await this.write(model, branch, part.part, 'replace', writing);
    if (drafted === undefined) return undefined;
    const { summarySize } = await import('../agent/withSdk.ts');
    const size = await summarySize(model, readPart(part.part), drafted.text);
    const written = { ...drafted, ...size, now: Date.now() };
    const made = await replaceBySummary(this.parts.store, branch, part, extent, written, this.by);
    const count = part.part.filter(({ type }) => type === 'message').length;
    return { ...(await this.moved(branch, made)), count };
  }

  private async write(
    model: ChatModel,
    { chatId, id: branchId }: BranchData,
    part: readonly MessageData[],
    purpose: SummaryPurpose,
    { signal, onProgress, beyond }: Writing,
  ): Promise<DraftedSummary | undefined> {
    // Loads the AI SDK.
    const { fullText, writeBySmall } = await import('../agent/withSdk.ts');
    const budget = await this.parts.budget?.();
    const written = await writeBySmall({
      model,
      messages: readPart(part),
      originals: readMessages(await fullText(this.parts.store, part)).filter((each) => !compactionOf(each)),
      purpose,
      signal,
      spends: budget?.for({ chatId, branchId, beyond }),
      smallFor: (each) => this.parts.models.smallFor(each),
      ...(onProgress ? { onProgress } : {}),
    });
    return written && { text: written.text, model: written.model.label };
  }

  /** The branch may have grown or been renamed. */
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

/** Already compacted messages are left out. */
function readPart(part: readonly MessageData[]): UIMessage[] {
  const messages = readMessages(part);
  // A summary covers all earlier messages, which is too much if the part begins later.
  const isWhole = part[0]?.parentId === null;
  return isWhole ? sentPath(messages) : messages.filter((message) => !compactionOf(message));
}

function readMessages(part: readonly MessageData[]): UIMessage[] {
  return part.flatMap(({ type, data }) => {
    const read = type === 'message' ? readUIMessage(data) : undefined;
    return read ? [read] : [];
  });
}
