import * as vscode from 'vscode';
import type { Run, RunEvent } from '../../agent/run/run.ts';
import { CommandRun } from '../../agent/tools/commands/commandRun.ts';
import type { CommandTerminals } from '../../agent/tools/commands/commandTools.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { BranchFiles, BranchFilesRecord, ChangedLines } from '../../host/branchFiles.ts';
import type { Wall } from '../../host/sandbox.ts';
import { ASIDE } from '../../host/aside.ts';
import type { BannerView } from '../../protocol/chatFromHost.ts';
import { logFailure } from '../ui/failures.ts';
import { sentences } from '../ui/formats.ts';
import { BranchChecks, type BranchChecksOptions } from './branchChecks.ts';
import { runInOwnFiles, type OwnFilesCommandOptions } from './ownFilesCommand.ts';
import type { Point } from './filesAtPoints.ts';
import type { StoredRacers, CheckResult } from './storedRacers.ts';

export interface OwnFilesProgressOptions {
  readonly racers: StoredRacers;
  readonly host: () => Promise<Pick<BranchFiles, 'changes' | 'check' | 'countLines' | 'isCheckedElsewhere'>>;
  readonly log: vscode.LogOutputChannel;
  /** @throws OffshootError if there are none to work with */
  readonly recordOf: (id: string) => BranchFilesRecord;
  /** The name of a branch, as the user knows it. */
  readonly labelOf: (chatId: string, branch: string) => Promise<string>;
  /** Where checks run. */
  readonly terminals: () => Promise<CommandTerminals>;
  /** What they are run behind. */
  readonly wallFor: BranchChecksOptions['wallFor'];
  /** The most that a check may take, in milliseconds. */
  readonly checkMs: () => number;
  readonly onDidChange: () => void;
}

/** The files of a branch, for a row and the chat. */
export interface DescribedFiles {
  readonly text: string;
  /** They are here, and were not discarded. */
  readonly isOpen: boolean;
  /** They are on another machine, or were removed from this one. */
  readonly isElsewhere?: true;
  /** How their check ended, or that it runs; undefined: there is none, or it did not run. */
  readonly check?: 'running' | 'passed' | 'failed' | undefined;
  /** Says which files the user looks at. */
  readonly banner: BannerView;
}

/** A file that a branch changed. */
export interface ChangedFile {
  /** The URI of the workspace folder. */
  readonly folder: string;
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'deleted';
}

/** The longest time that a timer takes, in milliseconds. */
const LONGEST_MS = 2_147_483_647;

/** How often lines are counted at most while an answer is written, in milliseconds: git looks at all files. */
const COUNT_MS = 1_000;

/** What answers have done to the files of branches: how much was changed, and what the check says of it. */
export class OwnFilesProgress implements Disposable {
  readonly checks: BranchChecks;
  private readonly disposables = new DisposableStore();
  private readonly lines = new Map<string, ChangedLines>();
  /** The last message of a branch when its lines were counted. */
  private readonly countedAt = new Map<string, string | null>();
  private readonly changed = new Map<string, Promise<readonly ChangedFile[]>>();
  private readonly counting = new Map<string, Debouncer>();

  constructor(private readonly options: OwnFilesProgressOptions) {
    const { host, racers, terminals, wallFor, checkMs, onDidChange } = options;
    this.checks = this.disposables.add(
      new BranchChecks({
        racers,
        alone: async (id, work) => (await host()).check(id, work),
        terminals,
        wallFor,
        refusedText: () =>
          vscode.l10n.t(
            '[The sandbox seems to have refused something. A race asks for its check again after Reset Tool Approvals.]',
          ),
        madeText: (made) =>
          vscode.l10n.t(
            '[It made protected files; “{0}” was added to their names: {1}.]',
            ASIDE,
            made.join(vscode.l10n.t(', ')),
          ),
        limitMs: checkMs,
        isTrusted: () => vscode.workspace.isTrusted,
        onError: (error) => this.report('A check', error),
      }),
    );
    this.disposables.add(this.checks.onDidChange(onDidChange));
  }

  /** Counts what a run changes while it goes on, and has it checked at its end. */
  follow(event: Exclude<RunEvent, { readonly kind: 'delta' }>): void {
    const { ownFiles: id } = event.run;
    if (id === undefined) return;
    if (event.kind === 'started') this.reported(this.checks.forget(id));
    else if (event.kind === 'part') this.countingOf(id).soon();
    else if (event.kind === 'finished') {
      void this.count(id);
      if (event.run.status === 'complete') this.reported(this.check(id, event.run));
    }
  }

  /** Does nothing where the branch has no check. @throws OffshootError if the files are gone */
  async check(id: string, { chatId, branch }: Pick<Run, 'chatId' | 'branch'>): Promise<void> {
    await this.checks.run(this.options.recordOf(id), await this.options.labelOf(chatId, branch));
  }

  /** Whether another window runs the check. */
  async isCheckedElsewhere(id: string): Promise<boolean> {
    return (await this.options.host()).isCheckedElsewhere(id);
  }

  /** As {@link KnownOwnFiles.setUp}. */
  async setUp(record: BranchFilesRecord, label: string, command: string): Promise<string | undefined> {
    const [folder] = record.folders;
    if (!folder) return undefined;
    const run = new CommandRun(record.chatId);
    let wall: Wall | undefined;
    const options: OwnFilesCommandOptions = {
      terminals: this.options.terminals,
      wallFor: async (...request) => {
        wall = await this.options.wallFor(...request);
        // Nobody approved that it runs without one.
        return wall ?? Promise.reject(new Error('The files can’t be walled in.'));
      },
      onError: (error) => this.report('A setup command', error),
    };
    const its = { record, folder: folder.uri, command, label, isShown: true, limitMs: LONGEST_MS };
    const { isRefused, made } = await runInOwnFiles(options, run, its);
    const texts = [
      ...(run.ending?.exitCode === 0 || run.ending?.wasStopped === true
        ? []
        : [vscode.l10n.t('The setup command failed in the files of “{0}”.', label)]),
      ...(isRefused || !wall ? [vscode.l10n.t('The sandbox seems to have refused something.')] : []),
      ...(made.length === 0
        ? []
        : [
            vscode.l10n.t(
              'It made protected files; “{0}” was added to their names: {1}.',
              ASIDE,
              made.join(vscode.l10n.t(', ')),
            ),
          ]),
    ];
    return texts.length === 0 ? undefined : sentences(...texts);
  }

  linesOf(id: string): ChangedLines | undefined {
    return this.lines.get(id);
  }

  /** The same for a row: they are counted again once the conversation has gone on there, in whichever window. */
  look(
    { id, state }: Pick<BranchFilesRecord, 'id' | 'state'>,
    { headMessageId }: Point,
  ): ChangedLines | undefined {
    if (state === 'open' && (!this.lines.has(id) || this.countedAt.get(id) !== headMessageId)) {
      this.countedAt.set(id, headMessageId);
      void this.count(id);
    }
    return this.lines.get(id);
  }

  /** Never rejects. */
  count(id: string): Promise<void> {
    return this.countingOf(id).now();
  }

  /** In the order of their names, as counted last. */
  changedFiles(id: string): Promise<readonly ChangedFile[]> {
    const known = this.changed.get(id) ?? this.readChanged(id);
    this.changed.set(id, known);
    return known;
  }

  /** For a row. */
  async describe(record: Pick<BranchFilesRecord, 'id' | 'state'>, branch: Point): Promise<DescribedFiles> {
    const { id, state } = record;
    const check = await this.checkOf(id);
    if (state === 'discarded') return described(vscode.l10n.t('files discarded'), { isOpen: false, check });
    const lines = this.look(record, branch);
    const isUnchanged = !lines || lines.files === 0;
    const text = isUnchanged
      ? vscode.l10n.t('own files')
      : vscode.l10n.t('own files +{0} −{1}', lines.added, lines.removed);
    return described(text, { isOpen: true, check });
  }

  dispose(): void {
    for (const counting of this.counting.values()) counting.dispose();
    this.disposables.dispose();
  }

  private countingOf(id: string): Debouncer {
    const counting = this.counting.get(id) ?? new Debouncer(COUNT_MS, () => this.countNow(id));
    this.counting.set(id, counting);
    return counting;
  }

  private async countNow(id: string): Promise<void> {
    try {
      const lines = await (await this.options.host()).countLines(id);
      const before = this.lines.get(id);
      this.lines.set(id, lines);
      this.changed.delete(id);
      if (JSON.stringify(before) !== JSON.stringify(lines)) this.options.onDidChange();
    } catch (error) {
      this.report('Files of a branch', error);
    }
  }

  /** Nobody waits for it: the files may be gone by now, or their disk be full. */
  private reported(work: Promise<void>): void {
    work.catch((error: unknown) => this.report('A check', error));
  }

  private report(what: string, error: unknown): void {
    logFailure(this.options.log, what, error);
  }

  private async checkOf(id: string): Promise<DescribedFiles['check']> {
    if (this.checks.isRunning(id) || (await this.isCheckedElsewhere(id))) return 'running';
    const result = (await this.options.racers.read(id)).check?.result;
    return result && (hasPassed(result) ? 'passed' : 'failed');
  }

  private async readChanged(id: string): Promise<readonly ChangedFile[]> {
    try {
      const changes = await (await this.options.host()).changes(id);
      const files = changes.map(({ folder, path, before, after }): ChangedFile => {
        const kind = before === null ? 'added' : after === null ? 'deleted' : 'changed';
        return { folder, path, kind };
      });
      return files.sort((a, b) => (a.path < b.path ? -1 : 1));
    } catch (error) {
      this.report('Files of a branch', error);
      return [];
    }
  }
}

/** What a command of the project can't do in it, for one who is asked. */
export function sandboxText(): string {
  return vscode.l10n.t(
    'The sandbox has no network but allowed hosts, no Docker and none of your own files elsewhere.',
  );
}

function hasPassed({ end, exitCode }: CheckResult): boolean {
  return end === 'ended' && exitCode === 0;
}

/** Of a branch whose files are on another machine, or were removed from this one. */
export function describeElsewhere(): DescribedFiles {
  const text = vscode.l10n.t('files not on this machine');
  const line = vscode.l10n.t(
    'The files of this branch are not on this machine. Questions and commands that need them are refused here.',
  );
  const banner = { id: 'ownFiles', severity: 'info', title: text, text: line, limit: {} } as const;
  return { text, isOpen: false, isElsewhere: true, banner };
}

function described(text: string, more: Pick<DescribedFiles, 'check' | 'isOpen'>): DescribedFiles {
  const line = vscode.l10n.t('This branch doesn’t work in the workspace: {0}', text);
  return { text, ...more, banner: { id: 'ownFiles', severity: 'info', title: text, text: line, limit: {} } };
}
