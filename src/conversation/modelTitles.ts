import type { ChatModel } from '../models/chatModel.ts';
import type { ModelRegistry } from '../models/modelRegistry.ts';
import type { Budget } from '../agent/budget/budget.ts';
import type { RunLog } from '../agent/run/runLog.ts';
import type { Run, Runs } from '../agent/run/runs.ts';
import { isNotOffered } from '../models/errors/modelErrors.ts';
import type { WrittenTitle } from '../agent/summaries/writeTitle.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { explorationTaskOf } from '../engine/explorationTask.ts';
import type { ContextStore } from '../engine/store.ts';
import { readUIMessage, textOf } from '../engine/uiMessage.ts';

export interface ModelTitlesOptions {
  readonly store: Pick<
    ContextStore,
    'getBranch' | 'getChat' | 'getMessage' | 'isReadOnly' | 'onDidChange' | 'saveTitle'
  >;
  readonly runs: Pick<Runs, 'onDidChange'>;
  readonly models: Pick<ModelRegistry, 'smallFor'>;
  /** Called for each title. */
  readonly isWanted: () => boolean;
  readonly titleFrom: (question: string) => string;
  /** Empty when the text is unusable. */
  readonly cleanTitle: (written: string) => string;
  readonly log: Pick<RunLog, 'info'>;
  readonly budget: (() => Promise<Pick<Budget, 'for'>>) | undefined;
  readonly onError: (error: unknown) => void;
}

interface Untitled {
  /** The branch of the answer. */
  readonly branchId: string;
  readonly question: string;
  readonly answer: string;
  /** The chat title that it replaces; undefined for a branch. */
  readonly replaces: string | undefined;
}

/**
 * Lets a small model of the provider that gave the first answer of a chat or branch write its title, in the
 * background. Each is tried once; on failure the first words stay, and a title given by the user is never replaced.
 */
export class ModelTitles implements Disposable {
  private readonly options: ModelTitlesOptions;
  private readonly tried = new Set<string>();
  /** The titles in progress, with their chats. */
  private readonly writing = new Map<AbortController, string>();
  private readonly subscriptions = new DisposableStore();

  constructor(options: ModelTitlesOptions) {
    this.options = options;
    const { store, runs, onError } = options;
    this.subscriptions.add(
      runs.onDidChange((event) => {
        if (event.kind === 'finished') this.title(event.run).catch(onError);
      }),
    );
    this.subscriptions.add(
      store.onDidChange((change) => {
        if (change.kind === 'chat' && change.change === 'deleted') this.stop(change.chatId);
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.stop();
  }

  private stop(chatId?: string): void {
    for (const [stopping, writtenFor] of this.writing) {
      if (chatId === undefined || writtenFor === chatId) stopping.abort();
    }
  }

  private async title(run: Run): Promise<void> {
    const { chatId, questionId } = run;
    const key = JSON.stringify([chatId, questionId]);
    if (this.tried.has(key)) return;
    const untitled = await this.untitledBy(run);
    if (!untitled || this.tried.has(key)) return;
    this.tried.add(key);
    const stopping = new AbortController();
    this.writing.set(stopping, chatId);
    try {
      await this.write(run, untitled, stopping.signal);
    } finally {
      this.writing.delete(stopping);
    }
  }

  private async write(
    { chatId, questionId, model }: Run,
    { branchId, question, answer, replaces }: Untitled,
    signal: AbortSignal,
  ): Promise<void> {
    const { store, models, cleanTitle, log, budget } = this.options;
    // Loads the AI SDK.
    const { writeTitle } = await import('../agent/withSdk.ts');
    const small = await models.smallFor(model);
    const spends = (await budget?.())?.for({ chatId, branchId, messageId: questionId });
    let failure: string | undefined;
    const write = (by: ChatModel): Promise<WrittenTitle | undefined> =>
      writeTitle({ model: by, question, answer, signal, spends }, (code) => {
        failure = code;
        log.info(`No title was written by ${by.id}: ${code}`);
      });
    const first = await write(small);
    const isRefused = first === undefined && small !== model && isNotOffered(failure);
    const written = isRefused ? await write(model) : first;
    const by = isRefused ? model : small;
    const text = written ? cleanTitle(written.text) : '';
    if (signal.aborted || text === '') return;
    const { inputTokens = null, outputTokens = null } = written?.usage ?? {};
    const details = { model: by.id, inputTokens, outputTokens };
    await store.saveTitle({ chatId, messageId: questionId, title: text, replaces, details });
  }

  /** Undefined if an answer is not the first one of a chat or branch, or no title is wanted. */
  private async untitledBy(run: Run): Promise<Untitled | undefined> {
    const { store, isWanted, titleFrom } = this.options;
    const { chatId, questionId, model, status } = run;
    if (status !== 'complete' || model.isDemo || store.isReadOnly || !isWanted()) return undefined;
    const chat = await store.getChat(chatId);
    const branch = chat && (await store.getBranch(chatId, run.branch));
    const asked = branch && (await store.getMessage(chatId, questionId));
    const read = asked && readUIMessage(asked.data);
    // A task already has a title.
    const question = read && !explorationTaskOf(read) ? textOf(read) : '';
    if (!asked || question.trim() === '') return undefined;
    const answer = textOf(run.message());
    // Only if the user has not renamed the chat.
    if (asked.parentId === null && chat.title === titleFrom(question)) {
      return { branchId: branch.id, question, answer, replaces: chat.title };
    }
    // Later questions continue a titled branch; a repeated answer shares the title of its question.
    const isFirst = branch.parentBranch !== undefined && asked.parentId === branch.forkMessageId;
    return isFirst ? { branchId: branch.id, question, answer, replaces: undefined } : undefined;
  }
}
