import type { Disposable } from '../../../base/disposable.ts';
import type { CommandRun } from './commandRun.ts';

/** How many ended commands keep their output. */
const MAX_ENDED = 20;

/** The commands of this window: the model identifies one by an id, the user by its call. */
export class CommandRuns implements Disposable {
  private readonly byId = new Map<string, CommandRun>();
  private readonly byCall = new Map<string, CommandRun>();

  add(run: CommandRun, callId: string): void {
    this.forgetOld();
    this.byId.set(run.id, run);
    this.byCall.set(callId, run);
  }

  get(chatId: string, id: string): CommandRun | undefined {
    const run = this.byId.get(id);
    return run?.chatId === chatId ? run : undefined;
  }

  /** Servers may reuse a call id: once the call has ended, `id` of the command identifies it. */
  ofCall(callId: string, id: string | undefined): CommandRun | undefined {
    return id === undefined ? this.byCall.get(callId) : this.byId.get(id);
  }

  running(chatId: string): readonly string[] {
    return [...this.byId.values()].filter((run) => run.chatId === chatId && !run.ending).map(({ id }) => id);
  }

  dispose(): void {
    for (const run of this.byId.values()) void run.stop();
    this.byId.clear();
    this.byCall.clear();
  }

  private forgetOld(): void {
    const ended = [...this.byId.values()].filter((run) => run.ending);
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      this.byId.delete(old.id);
      for (const [callId, run] of this.byCall) if (run === old) this.byCall.delete(callId);
    }
  }
}
