import { answerMetadataOf } from '../agent/answerMetadata.ts';
import type { ChatModel } from '../agent/chatModel.ts';
import type { ModelRegistry } from '../agent/modelRegistry.ts';
import type { Run, Runs } from '../agent/runs.ts';
import { namesOfAttached } from '../agent/attachments/saidOf.ts';
import { plainText } from '../agent/plainText.ts';
import { ContextEngine, type RewindResult } from '../engine/contextEngine.ts';
import { EmptyConversationError, MessageNotFoundError } from '../engine/errors.ts';
import type { BranchData, CheckpointData, MessageData } from '../engine/graph.ts';
import type { ContextStore } from '../engine/store.ts';
import {
  isReminderPart,
  isTextPart,
  readUIMessage,
  textOf,
  type UIMessagePart,
} from '../engine/uiMessage.ts';
import { USER_ID, type CurrentChat } from './currentChat.ts';
import { titleFrom } from './titles.ts';

/** A move in the tree: where one came from, and where one is now. */
export interface Move {
  readonly chatId: string;
  readonly from: string;
  readonly to: RewindResult;
}

/** How an answer is asked for. */
export interface Answering {
  readonly model: ChatModel;
  /** Undefined: the model's own. */
  readonly temperature: number | undefined;
}

/** What a person can do with the current chat. Commands, tree and page all come here. */
export class Conversations {
  constructor(
    private readonly store: ContextStore,
    private readonly runs: Runs,
    private readonly models: ModelRegistry,
    private readonly current: CurrentChat,
  ) {}

  /** Asks on the active branch; the first question makes the chat. */
  async ask(question: string, attached: readonly UIMessagePart[] = []): Promise<Run> {
    const chatId = await this.current.chatId();
    const model = await this.models.current();
    const chat = await this.store.upsertChat({ id: chatId, userId: USER_ID });
    if (chat.title === undefined)
      await this.store.updateChat(chatId, {
        title: titleFrom(question === '' ? namesOfAttached(attached) : question),
      });
    const branch = await this.activeBranch(chatId);
    const run = await this.runs.start({ chatId, branch: branch.name, question, attached, model });
    await this.current.open(chatId);
    return run;
  }

  /** Asks on a branch of its own, beside whatever goes on on the active one. An empty chat has no beside. */
  async askAside(question: string, attached: readonly UIMessagePart[] = []): Promise<Run> {
    const chatId = await this.current.chatId();
    const branch = (await this.store.getChat(chatId)) && (await this.activeBranch(chatId));
    if (typeof branch?.headMessageId !== 'string') return this.ask(question, attached);
    const model = await this.models.current();
    const side = await this.withEngine(chatId, (engine) => engine.btw());
    // Its card shows one branch: it has no checkpoints of its own to go back to.
    return this.runs.start({ chatId, branch: side.name, question, attached, model, isSubagent: true });
  }

  /** Goes on where an answer failed, was stopped, or reached its limit of steps; what it has done stays done. */
  async continueAnswer(branch: string): Promise<Run> {
    const chatId = await this.current.chatId();
    return this.runs.start({ chatId, branch, model: await this.models.current(), continues: true });
  }

  async stop(branch?: string): Promise<void> {
    const chatId = await this.current.chatId();
    await this.runs.stop(chatId, branch ?? (await this.activeBranch(chatId)).name);
  }

  /** Stops every answer of the current chat. */
  async stopAll(): Promise<void> {
    const chatId = await this.current.chatId();
    await Promise.all(this.runs.list(chatId).map((run) => this.runs.stop(chatId, run.branch)));
  }

  rewind(messageId: string): Promise<Move> {
    return this.move((engine) => engine.rewind(messageId));
  }

  /** Goes before a question and gives its text back, to be asked differently. */
  async rewindToEdit(
    messageId: string,
  ): Promise<Move & { readonly text: string; readonly parts: readonly UIMessagePart[] }> {
    const message = await this.message(messageId);
    const move = await this.move((engine) => engine.rewindBefore(messageId));
    const read = readUIMessage(message.data);
    return { ...move, text: read ? textOf(read) : '', parts: read?.parts ?? [] };
  }

  /** Asks a question differently, on a new branch, with what went with it. */
  async edit(messageId: string, text: string): Promise<Move> {
    const model = await this.models.current();
    const { parts, ...move } = await this.rewindToEdit(messageId);
    const attached = parts.filter((part) => !isTextPart(part) || isReminderPart(part));
    await this.runs.start({ chatId: move.chatId, branch: move.to.name, question: text, attached, model });
    return move;
  }

  /**
   * Answers a question again, on a new branch; an answer stands for the question before it. The model is the one in use
   * unless one is given.
   */
  async regenerate(messageId: string, asked: Partial<Answering> = {}): Promise<Move> {
    const chatId = await this.current.chatId();
    // An answer that used tools is several messages, one after the other.
    const path = await this.store.getPath(chatId, messageId);
    const questionId = path.findLast(({ name }) => name === 'user')?.id;
    if (questionId === undefined) throw new MessageNotFoundError(messageId);
    const { model = await this.models.current(), temperature } = asked;
    const move = await this.move((engine) => engine.rewind(questionId));
    await this.runs.start({ chatId: move.chatId, branch: move.to.name, model, ...given(temperature) });
    return move;
  }

  /**
   * Has a question answered several times at once, each on a branch of its own; the branch one is on stays. What they
   * do must not get into each other's way, so their tools only read.
   * @returns why some could not begin; the others go on
   */
  async tryTimes(
    questionId: string,
    answerings: readonly Answering[],
  ): Promise<{ readonly runs: readonly Run[]; readonly failures: readonly unknown[] }> {
    const chatId = await this.current.chatId();
    const from = (await this.activeBranch(chatId)).name;
    const begun = await Promise.allSettled(
      answerings.map(async ({ model, temperature }) => {
        const branch = await this.store.addBranch({
          chatId,
          from,
          messageId: questionId,
          activate: false,
          event: 'branch-created',
          details: { why: 'try' },
        });
        const on = { chatId, branch: branch.name, model, onlyReads: true };
        return this.runs.start({ ...on, ...given(temperature) });
      }),
    );
    return {
      runs: begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      failures: begun.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : [])),
    };
  }

  async createCheckpoint(name: string, messageId?: string): Promise<CheckpointData> {
    const chatId = await this.current.chatId();
    if (!(await this.store.getChat(chatId))) throw new EmptyConversationError('checkpoint');
    return this.withEngine(chatId, (engine) =>
      engine.checkpoint(name, messageId === undefined ? {} : { messageId }),
    );
  }

  restore(name: string, chatId?: string): Promise<Move> {
    return this.move((engine) => engine.restore(name), chatId);
  }

  switchBranch(name: string, chatId?: string): Promise<Move> {
    return this.move((engine) => engine.switchBranch(name), chatId);
  }

  /** The messages of the current path, root first; empty for a chat with none. */
  async path(): Promise<MessageData[]> {
    const chatId = await this.current.chatId();
    if (!(await this.store.getChat(chatId))) return [];
    const { headMessageId } = await this.activeBranch(chatId);
    return headMessageId === null ? [] : this.store.getPath(chatId, headMessageId);
  }

  async message(messageId: string): Promise<MessageData> {
    const message = await this.store.getMessage(await this.current.chatId(), messageId);
    if (!message) throw new MessageNotFoundError(messageId);
    return message;
  }

  /** The text a person sees of a message of the current chat. */
  async textOf(messageId: string): Promise<string> {
    const { data } = await this.message(messageId);
    const read = readUIMessage(data);
    return read ? textOf(read) : '';
  }

  /** The model that wrote a message of the current chat; undefined for those that none wrote, or that are not there. */
  async modelIdOf(messageId: string): Promise<string | undefined> {
    const found = await this.store.getMessage(await this.current.chatId(), messageId);
    const read = found && readUIMessage(found.data);
    return read && answerMetadataOf(read)?.modelId;
  }

  /** What it says, for a title: where it has no words, the names of what went with it. */
  async saidIn(messageId: string): Promise<string> {
    const read = readUIMessage((await this.message(messageId)).data);
    return read ? plainText(read) : '';
  }

  private async move(step: (engine: ContextEngine) => Promise<RewindResult>, inChat?: string): Promise<Move> {
    const chatId = inChat ?? (await this.current.chatId());
    const from = (await this.activeBranch(chatId)).name;
    const to = await this.withEngine(chatId, step);
    await this.current.open(chatId);
    return { chatId, from, to };
  }

  private async activeBranch(chatId: string): Promise<BranchData> {
    const branch = await this.store.getActiveBranch(chatId);
    if (!branch) throw new Error(`Chat ${chatId} has no active branch.`);
    return branch;
  }

  private async withEngine<T>(chatId: string, work: (engine: ContextEngine) => Promise<T>): Promise<T> {
    const engine = new ContextEngine({ store: this.store, chatId, userId: USER_ID });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  }
}

function given(temperature: number | undefined): { readonly temperature?: number } {
  return temperature === undefined ? {} : { temperature };
}
