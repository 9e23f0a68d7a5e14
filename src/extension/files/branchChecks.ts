import { CommandRun } from '../../agent/tools/commands/commandRun.ts';
import type { Disposable, Event } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { BranchFilesRecord } from '../../host/branchFiles.ts';
import { BranchFilesError } from '../../host/branchFilesError.ts';
import { OUTPUT_LENGTH, runInOwnFiles, type OwnFilesCommandOptions } from './ownFilesCommand.ts';
import type { StoredRacer, StoredRacers, CheckResult } from './storedRacers.ts';

export interface BranchChecksOptions extends OwnFilesCommandOptions {
  readonly racers: Pick<StoredRacers, 'read' | 'write'>;
  /** As {@link BranchFiles.check}. */
  readonly alone: (id: string, work: () => Promise<void>) => Promise<void>;
  /** Added to the output of a check that failed in a sandbox which refused it something. */
  readonly refusedText: () => string;
  /** The same for protected files that it made in a sandbox. */
  readonly madeText: (made: readonly string[]) => string;
  /** The most that a check may take, in milliseconds; read at each start. */
  readonly limitMs: () => number;
  readonly isTrusted: () => boolean;
}

/**
 * Runs the check of a branch in its own files. It runs in the window in which the branch answered; a window that is
 * closed stops it, and no result of it is kept.
 */
export class BranchChecks implements Disposable {
  private readonly running = new Map<string, CommandRun>();
  /** Also of those that were stopped a moment ago. */
  private readonly ending = new Map<string, Promise<void>>();
  /** What the files keep is read and written in order. */
  private readonly writes = new Sequencer();
  private readonly changed = new Emitter<void>();

  constructor(private readonly options: BranchChecksOptions) {}

  get onDidChange(): Event<void> {
    return this.changed.event;
  }

  isRunning(id: string): boolean {
    return this.running.has(id);
  }

  /** Runs it to its end; does nothing where there is none, or it runs already. @param label of the branch */
  async run(record: BranchFilesRecord, label: string): Promise<void> {
    const { alone, isTrusted, racers } = this.options;
    if (this.running.has(record.id) || !isTrusted()) return;
    const { check } = await racers.read(record.id);
    if (!check || this.running.has(record.id)) return;
    const run = new CommandRun(record.chatId);
    this.running.set(record.id, run);
    this.changed.fire();
    try {
      await this.ending.get(record.id);
      const ending = alone(record.id, () => this.runNow(run, record, check, label)).catch(ifNotBusy);
      this.ending.set(record.id, ending);
      await ending;
    } finally {
      if (this.running.get(record.id) === run) {
        this.running.delete(record.id);
        this.changed.fire();
      }
    }
  }

  private async runNow(
    run: CommandRun,
    record: BranchFilesRecord,
    check: NonNullable<StoredRacer['check']>,
    label: string,
  ): Promise<void> {
    const { limitMs, madeText, onError, refusedText } = this.options;
    const folder = record.folders.find(({ source }) => source === check.folder) ?? record.folders[0];
    if (!folder) return;
    const begun = performance.now();
    await this.keep(record.id, undefined).catch(onError);
    const { command, isOutside } = check;
    const its = { record, folder: folder.uri, command, label, isOutside, limitMs: limitMs() };
    const { isLate, isRefused, made } = await runInOwnFiles(this.options, run, its);
    if (made.length > 0) run.add(`\n${madeText(made)}\n`);
    if (isRefused) run.add(`\n${refusedText()}\n`);
    // A window that is being closed keeps nothing: the check did not run to its end.
    if (this.running.get(record.id) !== run) return;
    const { ending, output } = run;
    const end = isLate ? 'late' : ending?.wasStopped === true ? 'stopped' : 'ended';
    try {
      await this.keep(record.id, {
        end,
        exitCode: ending?.exitCode ?? null,
        // A terminal says late that a short one has begun.
        duration: performance.now() - begun,
        output: output.cut(OUTPUT_LENGTH),
      });
    } catch (error) {
      onError(error);
    }
  }

  /** Shows the terminal of one that runs. */
  show(id: string): void {
    this.running.get(id)?.show();
  }

  /** Resolves when it has ended. */
  async stop(id: string): Promise<void> {
    await this.running.get(id)?.stop();
  }

  /** The files are changed again: what is known of them no longer holds. */
  async forget(id: string): Promise<void> {
    const run = this.running.get(id);
    this.running.delete(id);
    await run?.stop();
    await this.keep(id, undefined);
    this.changed.fire();
  }

  dispose(): void {
    const runs = [...this.running.values()];
    this.running.clear();
    for (const run of runs) void run.stop();
    this.changed.dispose();
  }

  private keep(id: string, result: CheckResult | undefined): Promise<void> {
    const { racers } = this.options;
    return this.writes.run(async () => {
      const racer = await racers.read(id);
      if (!racer.check || (racer.check.result === undefined && result === undefined)) return;
      await racers.write(id, withResult(racer, racer.check, result));
    });
  }
}

/** Another window runs it. */
function ifNotBusy(error: unknown): void {
  if (!(error instanceof BranchFilesError && error.code === 'busy')) throw error;
}

function withResult(
  racer: StoredRacer,
  { result: _before, ...check }: NonNullable<StoredRacer['check']>,
  result: CheckResult | undefined,
): StoredRacer {
  return { ...racer, check: { ...check, ...(result ? { result } : {}) } };
}
