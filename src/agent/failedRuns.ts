import type { Run } from './run.ts';

/**
 * The last run of a branch, where it failed without a word, or ended and could not be saved. What could not be saved is
 * nowhere else: it stays until it is.
 */
export class FailedRuns {
  private readonly runs = new Map<string, Run>();
  private readonly saving = new Map<Run, Promise<void>>();

  get(chatId: string, branch: string): Run | undefined {
    return this.runs.get(keyOf(chatId, branch));
  }

  /** By the id that its message has, or would have had. */
  find(chatId: string, messageId: string): Run | undefined {
    return [...this.runs.values()].find((run) => run.chatId === chatId && run.messageId === messageId);
  }

  /** Keeps a run that has ended, if something of it is not stored. */
  add(run: Run): void {
    if (run.isUnsaved || run.saveAgain) this.runs.set(keyOf(run.chatId, run.branch), run);
  }

  /** Whether an answer of this branch waits to be saved. */
  hasUnsaved(chatId: string, branch: string): boolean {
    return this.get(chatId, branch)?.saveAgain !== undefined;
  }

  /** The branch goes on, so that what failed without a word is of no use any more. */
  forget(chatId: string, branch: string): void {
    if (!this.hasUnsaved(chatId, branch)) this.runs.delete(keyOf(chatId, branch));
  }

  /** The chat is gone. */
  forgetChat(chatId: string): void {
    for (const [key, run] of this.runs) if (run.chatId === chatId) this.runs.delete(key);
  }

  /** Saves the answer of a branch, where one waits for that. @throws why it still can't be saved */
  async save(chatId: string, branch: string): Promise<void> {
    const run = this.get(chatId, branch);
    if (!run?.saveAgain) return;
    // The button and the connection that is back may ask at once.
    const saving = this.saving.get(run) ?? run.saveAgain();
    this.saving.set(run, saving);
    try {
      await saving;
      const key = keyOf(chatId, branch);
      if (this.runs.get(key) === run) this.runs.delete(key);
    } finally {
      this.saving.delete(run);
    }
  }

  /** Saves every answer that waits for that. @returns how many were saved */
  async saveAll(onError: (run: Run, error: unknown) => void): Promise<number> {
    let count = 0;
    for (const run of [...this.runs.values()].filter(({ saveAgain }) => saveAgain)) {
      try {
        await this.save(run.chatId, run.branch);
        count += 1;
      } catch (error) {
        onError(run, error);
      }
    }
    return count;
  }
}

function keyOf(chatId: string, branch: string): string {
  return JSON.stringify([chatId, branch]);
}
