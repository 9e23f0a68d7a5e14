import { answerMetadataOf } from '../agent/run/answerMetadata.ts';
import type { CompactionRequest } from '../agent/compaction/compactionOptions.ts';
import { plainText } from '../agent/context/plainText.ts';
import type { GoingOn, Run } from '../agent/run/runs.ts';
import { MessageNotFoundError } from '../engine/errors.ts';
import type { BranchData, ChatData, CheckpointData, MessageData } from '../engine/graph.ts';
import type {
  DiscardedBranch,
  EmptiedTrash,
  EmptyTrash,
  RestoredEntry,
  TrashEntry,
} from '../engine/trash.ts';
import { readUIMessage, textOf, type UIMessagePart } from '../engine/uiMessage.ts';
import { activeBranch } from './activeBranch.ts';
import type { BranchMemory } from './branchMemory.ts';
import {
  askOnBranch,
  continueAnswer,
  generateAlternatives,
  regenerate,
  resumeAlternative,
  retryAnswer,
  saveAnswer,
  stopAnswer,
  stopAnswers,
  type Alternatives,
  type Answering,
  type StoppedAlternative,
} from './answer.ts';
import {
  archiveBranches,
  unarchiveBranches,
  archiveAlternatives,
  renameBranch,
  renameChat,
  renameCheckpoint,
  type NamedBranch,
  type ArchivedAlternatives,
} from './manageBranches.ts';
import { ask, askOrQueue, askSideQuestion, beginSideQuestion } from './ask.ts';
import { createCheckpoint, restoreCheckpoint, switchBranch, type Move } from './move.ts';
import type { CopiedChat, CopySource, MoveSource } from './copyChat.ts';
import type { ConversationParts } from './conversationParts.ts';
import {
  deleteBranch,
  deleteChat,
  deleteCheckpoint,
  discardBranch,
  emptyTrash,
  putBack,
  tidyTrash,
  type DeletedChat,
} from './deleteToTrash.ts';
import { GraphHistory, type HistoryFiles } from './graphHistory.ts';
import type { Imports } from './imports.ts';
import type { LoadLater } from './loadLater.ts';
import { findReachable, keepBranch, type ReachableBranch } from '../engine/provisionalBranch.ts';
import { editQuestion, rewind, rewindBefore } from './rewind.ts';
import type { Plans } from './plans.ts';
import type { ProgramWrites } from './programWrites.ts';
import type { SampleTexts } from './sampleTexts.ts';
import type { Summaries } from './summaries.ts';
import type { TodoChange } from './todos.ts';

export interface ConversationsOptions extends ConversationParts {
  readonly loadLater: LoadLater;
  /** Rejects where it must not happen. Default: nothing is asked. */
  readonly beforeRewind?: ((messageId: string) => Promise<void>) | undefined;
}

/**
 * Everything a user can do with conversations: no code above changes the store otherwise. Methods without a chat
 * argument use the open chat.
 */
export class Conversations {
  private readonly parts: ConversationsOptions;
  private readonly by: { readonly userId: string };

  constructor(parts: ConversationsOptions) {
    this.parts = parts;
    this.by = { userId: parts.userId };
  }

  ask(question: string, attached: readonly UIMessagePart[] = []): Promise<Run> {
    return ask(this.parts, question, attached);
  }

  askOrQueue(question: string, attached: readonly UIMessagePart[], isSteering = false): Promise<void> {
    return askOrQueue(this.parts, question, attached, isSteering);
  }

  /** @param branch of an earlier side question; absent: a new one */
  askSideQuestion(question: string, attached: readonly UIMessagePart[] = [], branch?: string): Promise<Run> {
    return askSideQuestion(this.parts, question, attached, branch);
  }

  /** Bypasses the trash. @throws ActiveBranchError, LastBranchError */
  discardBranch(chatId: string, name: string): Promise<DiscardedBranch> {
    return discardBranch(this.parts, chatId, name);
  }

  continueAnswer(branch: string, how?: GoingOn): Promise<Run> {
    return continueAnswer(this.parts, branch, how);
  }

  /** Replaces the older part of the active branch by a summary for the model; the branch and its messages stay. */
  async compact(request: CompactionRequest, how?: GoingOn): Promise<Run> {
    const { compact } = await this.parts.loadLater();
    return compact(this.parts, request, how);
  }

  stop(branch?: string): Promise<void> {
    return stopAnswer(this.parts, branch);
  }

  async stopAll(): Promise<void> {
    await stopAnswers(this.parts, await this.parts.current.chatId());
  }

  retryAnswer(branch: string, how?: GoingOn): Promise<Run> {
    return retryAnswer(this.parts, branch, how);
  }

  resumeAlternative(stopped: StoppedAlternative, how?: GoingOn): Promise<Run> {
    return resumeAlternative(this.parts, stopped, how);
  }

  /** @throws if saving fails again */
  saveAnswer(branch: string): Promise<void> {
    return saveAnswer(this.parts, branch);
  }

  regenerate(messageId: string, asked: Partial<Answering> = {}): Promise<Move> {
    return regenerate(this.parts, messageId, asked);
  }

  /** Can be undone. */
  async editTodos(change: TodoChange): Promise<void> {
    await (await this.parts.loadLater()).editTodos(this.parts, change);
  }

  async plans(): Promise<Plans> {
    const { Plans } = await this.parts.loadLater();
    return new Plans(this.parts);
  }

  /** For a side question that is asked once its branch is as it has to be. @returns the name of the branch */
  async beginSideQuestion(chatId: string): Promise<string> {
    return beginSideQuestion(this.parts, chatId);
  }

  /** Has a branch work with these files from here on; undefined: with the workspace. @throws BranchBusyError */
  async setBranchFiles(chatId: string, branch: string, id: string | undefined): Promise<void> {
    await (await this.parts.loadLater()).setBranchFiles(this.parts, chatId, branch, id);
  }

  /** Sends a message to models always, or no longer; can be undone. @throws MessageNotFoundError */
  async keepMessage(messageId: string, isKept: boolean): Promise<void> {
    await (await this.parts.loadLater()).keepMessage(this.parts, messageId, isKept);
  }

  /** For answers on other branches. @returns the id of its message @throws BranchBusyError */
  async addQuestion(question: string): Promise<string> {
    return (await this.parts.loadLater()).addQuestion(this.parts, question);
  }

  tryTimes(questionId: string, answerings: readonly Answering[]): Promise<Alternatives> {
    return generateAlternatives(this.parts, questionId, answerings);
  }

  /** On a branch that may be another than the active one. @throws BranchBusyError */
  askOnBranch(question: Parameters<typeof askOnBranch>[1]): Promise<Run> {
    return askOnBranch(this.parts, question);
  }

  archiveAlternatives(chatId: string, others: readonly string[]): Promise<ArchivedAlternatives> {
    return archiveAlternatives(this.parts, chatId, others);
  }

  /** The new branch is dropped if it is left while still empty. */
  async rewind(messageId: string): Promise<Move> {
    await this.parts.beforeRewind?.(messageId);
    return rewind(this.parts, messageId);
  }

  /** The same, to before a question. */
  async rewindBefore(questionId: string): Promise<Move> {
    await this.parts.beforeRewind?.(questionId);
    return rewindBefore(this.parts, questionId);
  }

  /** The attachments are kept. @param added by a prompt file */
  edit(messageId: string, text: string, added: readonly UIMessagePart[] = []): Promise<Move> {
    return editQuestion(this.parts, messageId, text, added);
  }

  switchBranch(name: string, chatId?: string): Promise<Move> {
    return switchBranch(this.parts, name, chatId);
  }

  /** Also finds a dropped one, which is made again when it is switched to. */
  findBranch(chatId: string, name: string): Promise<ReachableBranch | undefined> {
    return findReachable(this.parts.store, chatId, name);
  }

  /** Keeps the active branch, on which the user writes a draft, until the draft is sent. */
  async keepActiveBranch(): Promise<void> {
    const { store, userId, current } = this.parts;
    const chatId = await current.chatId();
    if (!(await store.getChat(chatId))) return;
    await keepBranch(store, await activeBranch(store, chatId, { userId }), userId, { draft: true });
  }

  renameBranch(chatId: string, name: string, newName: string): Promise<BranchData> {
    return renameBranch(this.parts.store, chatId, name, newName, this.by);
  }

  /** Of several, active branches are skipped. */
  archiveBranches(chosen: readonly NamedBranch[]): Promise<NamedBranch[]> {
    return archiveBranches(this.parts.store, chosen, this.by);
  }

  unarchiveBranches(archived: readonly NamedBranch[]): Promise<void> {
    return unarchiveBranches(this.parts.store, archived, this.by);
  }

  deleteBranch(chatId: string, name: string): Promise<TrashEntry> {
    return deleteBranch(this.parts, chatId, name);
  }

  createCheckpoint(name: string, messageId?: string): Promise<CheckpointData> {
    return createCheckpoint(this.parts, name, messageId);
  }

  restore(name: string, chatId?: string): Promise<Move> {
    return restoreCheckpoint(this.parts, name, chatId);
  }

  renameCheckpoint(chatId: string, name: string, newName: string): Promise<CheckpointData> {
    return renameCheckpoint(this.parts.store, chatId, name, newName, this.by);
  }

  /** Undefined when there was none. */
  deleteCheckpoint(chatId: string, name: string): Promise<TrashEntry | undefined> {
    return deleteCheckpoint(this.parts, chatId, name);
  }

  renameChat(chatId: string, title: string): Promise<ChatData> {
    return renameChat(this.parts.store, chatId, title);
  }

  deleteChat(chatId: string): Promise<DeletedChat> {
    return deleteChat(this.parts, chatId);
  }

  putBack(entryId: string): Promise<RestoredEntry> {
    return putBack(this.parts.store, entryId, this.by);
  }

  /** By default everything the user has in the trash. */
  emptyTrash(options: EmptyTrash = { userId: this.parts.userId }): Promise<EmptiedTrash> {
    return emptyTrash(this.parts.store, options);
  }

  tidyTrash(now: number): Promise<EmptiedTrash | undefined> {
    return tidyTrash(this.parts.store, now);
  }

  async branchMemory(): Promise<BranchMemory> {
    const { BranchMemory } = await this.parts.loadLater();
    return new BranchMemory(this.parts);
  }

  history(files: HistoryFiles): GraphHistory {
    return new GraphHistory(this.parts, (chatId, name) => this.switchBranch(name, chatId), files);
  }

  async imports(): Promise<Imports> {
    // Loaded on demand: it contains the formats of several programs.
    const { Imports } = await import('./imports.ts');
    return new Imports(this.parts.store, this.parts.userId);
  }

  async summaries(): Promise<Summaries> {
    const { Summaries } = await this.parts.loadLater();
    return new Summaries(this.parts);
  }

  /** Each of them is permitted by the user. */
  async programWrites(): Promise<ProgramWrites> {
    const { ProgramWrites } = await this.parts.loadLater();
    return new ProgramWrites(this.parts);
  }

  /** Copies a chat of another store into this one: whole, or not at all. */
  async copyHere(from: CopySource, chatId: string): Promise<CopiedChat> {
    return (await this.parts.loadLater()).copyChat(from, chatId, this.parts);
  }

  /** The original goes to the trash of its store. */
  async moveHere(from: MoveSource, chatId: string): Promise<CopiedChat> {
    return (await this.parts.loadLater()).moveChat(from, chatId, this.parts);
  }

  async findSampleChat(): Promise<string | undefined> {
    const { findSampleChat } = await this.parts.loadLater();
    return findSampleChat(this.parts.store, this.parts.userId);
  }

  /** @returns the id of the chat */
  async makeSampleChat(texts: SampleTexts): Promise<string> {
    const { makeSampleChat } = await this.parts.loadLater();
    return makeSampleChat(this.parts.store, this.parts.userId, texts);
  }

  /** The messages of the current path, root first; empty for a chat with none. */
  async path(): Promise<MessageData[]> {
    const { store, current } = this.parts;
    const chatId = await current.chatId();
    if (!(await store.getChat(chatId))) return [];
    const { headMessageId } = await activeBranch(store, chatId, this.by);
    return headMessageId === null ? [] : store.getPath(chatId, headMessageId);
  }

  /** @throws MessageNotFoundError */
  async message(messageId: string): Promise<MessageData> {
    const message = await this.find(messageId);
    if (!message) throw new MessageNotFoundError(messageId);
    return message;
  }

  /** The text a user sees. */
  async textOf(messageId: string): Promise<string> {
    const { data } = await this.message(messageId);
    const read = readUIMessage(data);
    return read ? textOf(read) : '';
  }

  /** Undefined if no model wrote it, or it does not exist. */
  async modelIdOf(messageId: string): Promise<string | undefined> {
    const found = await this.find(messageId);
    const read = found && readUIMessage(found.data);
    return read && answerMetadataOf(read)?.modelId;
  }

  /** For a title: if it has no text, the names of its attachments. */
  async messageText(messageId: string): Promise<string> {
    const read = readUIMessage((await this.message(messageId)).data);
    return read ? plainText(read) : '';
  }

  private async find(messageId: string): Promise<MessageData | undefined> {
    const { store, current } = this.parts;
    return store.getMessage(await current.chatId(), messageId);
  }
}
