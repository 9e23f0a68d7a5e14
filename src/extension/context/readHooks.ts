import * as vscode from 'vscode';
import type { parse, ParseError } from 'jsonc-parser';
import { z } from 'zod';
import { findHooks } from '../../agent/hooks/findHooks.ts';
import type { Hook, HooksFile, HookSystem } from '../../agent/hooks/hook.ts';
import { HookBlockedError } from '../../agent/hooks/hooksInRun.ts';
import type { HookOccasion, HookSituation } from '../../agent/hooks/hookCall.ts';
import { createRunHooks, type HookStart, type RunHooks } from '../../agent/hooks/runHooks.ts';
import type { HookEnd, HookProblem } from '../../agent/hooks/hookVerdict.ts';
import { linkedPath } from '../../agent/prompts/promptBody.ts';
import { runProjectCommand, type ProjectCommandHost } from '../../agent/tools/commands/projectCommand.ts';
import type { ChatMode } from '../../agent/run/chatMode.ts';
import { errorName } from '../../agent/run/runLog.ts';
import type { Disposable } from '../../base/disposable.ts';
import { FIRST_BRANCH } from '../../engine/branchNames.ts';
import type { JsonObject } from '../../engine/json.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { CurrentChat } from '../commands/currentChat.ts';
import { uriBelow } from '../../host/fileUri.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Host } from '../../host/hostMachine.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandSandbox } from '../tools/commandSandbox.ts';
import type { Banners } from '../ui/banners.ts';
import { notify } from '../ui/notifications.ts';
import { oneLine, shownName } from '../ui/shownName.ts';

export interface HooksAbout {
  readonly chatId: string;
  readonly branch?: string | undefined;
  readonly mode?: ChatMode;
  /** Of the project; left out: those of the open folders. */
  readonly files?: GuardedFiles | undefined;
}

/** What the user said to a file, as it is now; `unseen`: nothing yet. */
export type HooksState = 'allowed' | 'refused' | 'unseen';

export interface ListedHooks {
  readonly file: HooksFile;
  readonly state: HooksState;
}

export interface HooksReaderOptions {
  readonly store: Pick<ReadonlyStore, 'onDidChange'>;
  readonly current: Pick<CurrentChat, 'chatId'>;
  readonly guarded: GuardedFiles;
  /** Those of the user's own folder; undefined where there is none. */
  readonly own: GuardedFiles | undefined;
  readonly host: Host;
  readonly banners: Banners;
  readonly log: vscode.LogOutputChannel;
  readonly sandbox: Pick<CommandSandbox, 'wallFor'>;
  readonly workspaceState: vscode.Memento;
  /** JSON with comments. */
  readonly loadJsonc: () => Promise<{ readonly parse: typeof parse }>;
}

/** Of the changes of branches, those that hooks are told of. */
const branchEvents: Partial<Record<string, 'BranchCreated' | 'BranchDiscarded'>> = {
  created: 'BranchCreated',
  deleted: 'BranchDiscarded',
};

const KEY = 'offshoot.hooks';
const stored = z.record(z.string(), z.enum(['allowed', 'refused'])).catch({});

/** How many answers of the user are kept, the newest ones. */
const MAX_ANSWERS = 500;

const BANNER = 'hooks';

/** How much of a hook's own words a notice shows, in characters. */
const ERRORS = 200;

const systems: Readonly<Record<string, HookSystem>> = { Linux: 'linux', macOS: 'osx', Windows: 'windows' };

const shells = { sh: '/bin/sh', bash: '/bin/bash', cmd: 'cmd.exe', powershell: 'powershell.exe' } as const;

/** Where the scripts of a user's own hooks are, which a sandbox would else not show. */
const OWN_SCRIPTS = ['.offshoot/hooks', '.copilot/hooks', '.claude/hooks', '.codex/hooks'];

/** Finds hooks, knows which the user allowed, and runs them. */
export class HooksReader implements Disposable {
  private readonly told = new Set<string>();
  private readonly subscription: Disposable;

  constructor(private readonly options: HooksReaderOptions) {
    this.subscription = options.store.onDidChange((change) => {
      if (change.kind !== 'branch' || change.branch === FIRST_BRANCH) return;
      const event = branchEvents[change.change];
      if (event) void this.branch(event, change.chatId, change.branch);
    });
  }

  async list(files = this.options.guarded): Promise<readonly ListedHooks[]> {
    const { host, loadJsonc, own } = this.options;
    const jsonc = await loadJsonc();
    const found = await findHooks(
      { project: files, user: own },
      {
        texts: editorTexts,
        system: systems[host.system] ?? 'linux',
        parse: (text) => {
          const errors: ParseError[] = [];
          const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
          return errors.length > 0 ? undefined : value;
        },
      },
    );
    const answers = this.answers();
    const listed = found.map((file): ListedHooks => ({ file, state: answers[file.digest] ?? 'unseen' }));
    if (files === this.options.guarded) this.showBanner(listed);
    return listed;
  }

  /** Keeps what the user said to a file as it is now. */
  async answer({ digest }: HooksFile, state: HooksState): Promise<void> {
    const { [digest]: _before, ...others } = this.answers();
    const kept = Object.entries(others).slice(-MAX_ANSWERS);
    await this.options.workspaceState.update(
      KEY,
      Object.fromEntries(state === 'unseen' ? kept : [...kept, [digest, state]]),
    );
    await this.list();
  }

  async ofRun(about: HooksAbout): Promise<RunHooks | undefined> {
    const { guarded, log } = this.options;
    const files = about.files ?? guarded;
    const allowed = async (): Promise<HooksFile[]> =>
      (await this.list(files)).flatMap(({ file, state }) =>
        state === 'allowed' && file.problem === undefined ? [file] : [],
      );
    if ((await allowed()).length === 0) return undefined;
    return createRunHooks({
      allowed,
      whyChanged: async ({ uri }) => {
        const { state } = (await this.list(files)).find(({ file }) => file.uri === uri) ?? {};
        return state === 'refused'
          ? undefined
          : vscode.l10n.t('It has changed since you allowed it, and needs your review first.');
      },
      situation: (file, hook) => this.situation(file, hook, about, files),
      run: (start) => this.run(start, about, files),
      onProblem: (file, event, problem) => {
        log.warn(`A hook of ${file.shown} at ${event}: ${logText(problem)}`);
        const key = JSON.stringify([file.digest, event, problem.kind]);
        if (this.told.has(key)) return;
        this.told.add(key);
        void this.notify(file, event, problem);
      },
    });
  }

  /** @throws HookBlockedError */
  async beforeRewind(messageId: string): Promise<void> {
    await this.fire({ event: 'BeforeRewind', messageId }, { chatId: await this.options.current.chatId() });
  }

  /** @param details of the restore, as the log has them */
  async restored(chatId: string, details: JsonObject): Promise<void> {
    const files = details['files'];
    if (Array.isArray(files) && files.length > 0)
      await this.fire({ event: 'AfterRestore', files: files.length }, { chatId });
  }

  /** Nothing can be refused any more. */
  async branch(
    event: 'BranchCreated' | 'BranchKept' | 'BranchDiscarded',
    chatId: string,
    branch: string,
  ): Promise<void> {
    await this.fire({ event }, { chatId, branch }).catch(() => undefined);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** @throws HookBlockedError */
  private async fire(occasion: HookOccasion, about: HooksAbout): Promise<void> {
    const hooks = await this.ofRun(about);
    const said = await hooks?.fire(occasion, new AbortController().signal);
    const refused = said?.denied ?? said?.stops;
    if (refused) throw new HookBlockedError(refused);
  }

  private answers(): Readonly<Record<string, 'allowed' | 'refused'>> {
    return stored.parse(this.options.workspaceState.get(KEY) ?? {});
  }

  private showBanner(listed: readonly ListedHooks[]): void {
    const { banners } = this.options;
    const unseen = listed.filter(
      ({ file, state }) => state === 'unseen' && file.problem === undefined && file.hooks.length > 0,
    );
    if (unseen.length === 0) {
      banners.hide(BANNER);
      return;
    }
    banners.show({
      id: BANNER,
      severity: 'info',
      title: vscode.l10n.t('Hooks not run'),
      text: unseen.some(({ file }) => file.scope === 'project')
        ? vscode.l10n.t('Hooks of this project are not run yet.')
        : vscode.l10n.t('Your own hooks are not run here yet.'),
      limit: { action: 'reviewHooks' },
    });
  }

  /** The URI of the folder that a hook runs in. */
  private folderOf(file: HooksFile, { cwd }: Hook, files: GuardedFiles): string {
    const top = file.folder ?? files.folders()[0]?.uri ?? this.options.host.home ?? '';
    const below = cwd === undefined || /^(?:[\\/]|[A-Za-z]:)/u.test(cwd) ? '' : linkedPath('', cwd);
    return below === undefined || below === '' ? top : uriBelow(top, below);
  }

  private situation(
    file: HooksFile,
    hook: Hook,
    { chatId, branch, mode = 'agent' }: HooksAbout,
    files: GuardedFiles,
  ): HookSituation {
    const { host } = this.options;
    const folders = files.folders();
    return {
      chatId,
      branch,
      cwd: host.pathOf(this.folderOf(file, hook, files)),
      permission: mode === 'agent' ? 'default' : 'plan',
      now: Date.now(),
      pathOf: (name) => {
        if (/^(?:[\\/]|[A-Za-z]:)/u.test(name)) return name;
        const named =
          folders.length > 1 ? folders.find((each) => name.startsWith(`${each.name}/`)) : undefined;
        const folder = named ?? folders[0];
        return folder
          ? host.pathOf(uriBelow(folder.uri, named ? name.slice(named.name.length + 1) : name))
          : name;
      },
    };
  }

  private async run(
    { command, file, hook, input, signal }: HookStart,
    { chatId }: HooksAbout,
    files: GuardedFiles,
  ): Promise<HookEnd> {
    const { host, log, sandbox } = this.options;
    const failed: HookEnd = { end: 'ended', exitCode: null, output: '', errors: '' };
    const { home, programs } = host;
    if (!programs) return failed;
    const top = file.folder ?? files.folders()[0]?.uri;
    const project = top === undefined ? {} : { CLAUDE_PROJECT_DIR: host.pathOf(top) };
    const readable =
      file.scope === 'user' && home !== undefined ? OWN_SCRIPTS.map((each) => uriBelow(home, each)) : [];
    const runner: ProjectCommandHost = {
      programs: await programs(),
      shell: () => shells[command.shell],
      wallFor: (chat, writable) => sandbox.wallFor(chat, writable, readable),
    };
    try {
      return await runProjectCommand(runner, {
        chatId,
        command: command.text,
        folder: this.folderOf(file, hook, files),
        writable: files.folders().map(({ uri }) => uri),
        input,
        environment: { ...hook.environment, ...project },
        isApart: true,
        limitMs: hook.timeout * 1_000,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      log.warn(`A hook of ${file.shown} could not be started (${errorName(error)})`);
      return failed;
    }
  }

  private async notify(file: HooksFile, event: string, problem: HookProblem): Promise<void> {
    const review = vscode.l10n.t('Review Hooks…');
    const name = shownName(file.shown, ERRORS);
    if ((await notify.warning(problemText(name, event, problem), review)) === review)
      await runCommand('offshoot.reviewHooks');
  }
}

function logText(problem: HookProblem): string {
  return problem.kind === 'failed' ? `exit code ${problem.code ?? 'none'}` : problem.kind;
}

function problemText(name: string, event: string, problem: HookProblem): string {
  switch (problem.kind) {
    case 'late':
      return vscode.l10n.t('A hook of {0} took too long at {1} and was stopped.', name, event);
    case 'not-json':
      return vscode.l10n.t('A hook of {0} wrote at {1} what is no valid JSON.', name, event);
    case 'failed': {
      const errors = oneLine(shownName(problem.errors, ERRORS), ERRORS);
      const failed =
        problem.code === null
          ? vscode.l10n.t('A hook of {0} could not be run at {1}.', name, event)
          : vscode.l10n.t('A hook of {0} failed at {1} with exit code {2}.', name, event, problem.code);
      return errors === '' ? failed : vscode.l10n.t('{0} It wrote: {1}', failed, errors);
    }
  }
}
