import type { NewDraft } from '../../engine/store.ts';
import type { AnswerKeeper, AnswerKeeping } from './recoverAnswers.ts';
import { errorName, type RunLog } from './runLog.ts';
import type { Run } from './run.ts';

/** The last run of each branch that failed without a word, or could not be saved: that one exists nowhere else. */
export class FailedRuns {
  private readonly runs = new Map<string, Run>();
  private readonly saving = new Map<Run, Promise<void>>();

  /** @param keeping where unsaved answers are also kept */
  constructor(
    private readonly log: RunLog,
    private readonly keeping: AnswerKeeping | undefined,
  ) {}

  get(chatId: string, branch: string): Run | undefined {
    return this.runs.get(keyOf(chatId, branch));
  }

  /** Finds a run by the id that its message has, or would have had. */
  find(chatId: string, messageId: string): Run | undefined {
    return [...this.runs.values()].find((run) => run.chatId === chatId && run.messageId === messageId);
  }

  listUnsaved(chatId: string): Run[] {
    return [...this.runs.values()].filter((run) => run.chatId === chatId && run.notSaved);
  }

  /** Keeps an ended run if some of it is not stored. */
  add(run: Run): void {
    if (run.isUnsaved || run.notSaved) this.runs.set(keyOf(run.chatId, run.branch), run);
    const draft = run.notSaved?.draft;
    if (draft) this.withKeeper((keeper) => keeper.keep(draft));
  }

  hasUnsaved(chatId: string, branch: string): boolean {
    return this.get(chatId, branch)?.notSaved !== undefined;
  }

  /** Drops a run that failed without a word: its branch has moved on. */
  forget(chatId: string, branch: string): void {
    if (!this.hasUnsaved(chatId, branch)) this.runs.delete(keyOf(chatId, branch));
  }

  forgetChat(chatId: string): void {
    for (const [key, run] of this.runs) if (run.chatId === chatId) this.drop(key, run);
  }

  /** Saves the unsaved answer of a branch, if there is one. @throws why it still can't be saved */
  async save(chatId: string, branch: string): Promise<void> {
    const run = this.get(chatId, branch);
    if (!run?.notSaved) return;
    // The button and the restored connection may trigger a save at the same time.
    const saving = this.saving.get(run) ?? run.notSaved.save();
    this.saving.set(run, saving);
    try {
      await saving;
      this.drop(keyOf(chatId, branch), run);
    } finally {
      this.saving.delete(run);
    }
  }

  /** Saves every unsaved answer. @returns how many were saved */
  async saveAll(): Promise<number> {
    let count = 0;
    for (const run of [...this.runs.values()].filter(({ notSaved }) => notSaved)) {
      try {
        await this.save(run.chatId, run.branch);
        count += 1;
      } catch (error) {
        this.log.warn(`Answer ${run.messageId}: still could not be saved (${errorName(error)})`);
      }
    }
    return count;
  }

  /** Whether a run of this window will save that answer. */
  has({ chatId, message }: NewDraft): boolean {
    return this.find(chatId, message.id) !== undefined;
  }

  private drop(key: string, run: Run): void {
    if (this.runs.get(key) === run) this.runs.delete(key);
    if (run.notSaved) this.withKeeper((keeper) => keeper.forget(run.messageId));
  }

  private withKeeper(work: (keeper: AnswerKeeper) => void): void {
    this.keeping?.open().then(work, (error: unknown) => {
      this.log.error(`What could not be saved could not be kept either (${errorName(error)})`);
    });
  }
}

function keyOf(chatId: string, branch: string): string {
  return JSON.stringify([chatId, branch]);
}
