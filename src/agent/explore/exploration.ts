import type { BranchData } from '../../engine/graph.ts';
import { isToolPart, readUIMessage, toolNameOf, isTextPart, type UIMessage } from '../../engine/uiMessage.ts';
import { answerMetadataOf } from '../run/answerMetadata.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { errorName } from '../run/runLog.ts';
import type { Run } from '../run/run.ts';
import { sumUsage } from '../run/runUsage.ts';
import { isNotOffered } from '../../models/errors/modelErrors.ts';
import { waitsForUser } from '../run/waitsForUser.ts';
import type { AgentProfile } from '../prompts/agentProfile.ts';
import type { ExploreFrom, ExplorerOptions } from './explorerOptions.ts';
import type { ExploreTask } from './exploreTask.ts';
import type { RequestPace } from '../../models/requests/retry.ts';
import { stepsIn, type TaskInput, type TaskProgress, type TaskStep } from './taskProgress.ts';
import { fairShares } from '../tools/fairShares.ts';
import { startOf } from '../tools/textLimits.ts';

/** Requests to the model for one task. */
export const MAX_TASK_STEPS = 25;

/** The longest text of an input that is shown for a tool call, in UTF-16 units. */
const SHOWN_TEXT = 200;

/** The branch of a task, and the message on it that states the task. */
interface TaskBranch {
  readonly branch: BranchData;
  readonly taskId: string;
}

export class Exploration {
  private current: TaskProgress;

  constructor(
    private readonly task: ExploreTask,
    private readonly options: ExplorerOptions,
    private readonly pace: RequestPace,
    private readonly shown: { soon(): void; now(): void },
  ) {
    this.current = { title: task.title, state: 'waiting', steps: 0 };
  }

  private get agent(): AgentProfile | undefined {
    return this.options.agents.find(({ name }) => name === this.task.agent);
  }

  get progress(): TaskProgress {
    return this.current;
  }

  /** Never rejects: a failure is returned as the outcome. */
  async perform(from: ExploreFrom): Promise<TaskOutcome> {
    const { branchId, afterId, signal } = from;
    const { scheduler, writes, chatId, log } = this.options;
    try {
      signal.throwIfAborted();
      const { title, prompt } = this.task;
      const made = await writes.beginExploration({ chatId, branchId, afterId, title, prompt });
      const { id, name } = made.branch;
      this.change({ branchId: id, branch: name, state: 'running', startedAt: scheduler.now() });
      const run = await this.runOn(made.branch, from);
      const outcome = await this.report(made, run);
      return signal.aborted ? this.end('interrupted', outcome.report) : outcome;
    } catch (error) {
      if (signal.aborted) return this.end('interrupted', '');
      log.warn(`Exploring failed (${errorName(error)})`);
      return this.end('failed', '', error instanceof Error ? error.message : 'It could not begin.');
    }
  }

  /** Starts a model on the task. If the account lacks the small model, uses the one that writes the answer. */
  private async runOn(branch: BranchData, from: ExploreFrom): Promise<Run> {
    const { model, modelFor } = this.options;
    const chosen = (await this.agent?.findModel()) ?? (await modelFor(model));
    const run = await this.runWith(chosen, branch, from);
    const isRefused = chosen.id !== model.id && run.isUnsaved && isNotOffered(run.error?.code);
    return isRefused ? this.runWith(model, branch, from) : run;
  }

  private async runWith(model: ChatModel, { name }: BranchData, from: ExploreFrom): Promise<Run> {
    const { branchId, questionId: messageId, signal } = from;
    const { runs, chatId } = this.options;
    signal.throwIfAborted();
    const run = await runs.start({
      chatId,
      branch: name,
      model,
      exploration: {
        maxSteps: MAX_TASK_STEPS,
        pace: this.pace,
        spentFor: { chatId, branchId, messageId },
        agent: this.agent ?? narrowing(this.options.agent),
      },
    });
    const stop = (): void => void runs.stop(chatId, run.branch);
    let before = 0;
    const following = runs.onDidChange((event) => {
      if (event.run !== run) return;
      if (event.kind === 'moved') before = this.current.steps;
      else if (event.kind !== 'finished') this.follow(run, before);
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      // It may have fired while the run was being prepared.
      if (signal.aborted) stop();
      await run.done;
      return run;
    } finally {
      following.dispose();
      signal.removeEventListener('abort', stop);
    }
  }

  private follow(run: Run, before: number): void {
    const message = run.message();
    const step = stepOf(run, message);
    const steps = before + Math.max(1, stepsIn(message));
    const { step: _last, ...rest } = this.current;
    this.current = { ...rest, ...(step ? { step } : {}), steps, ...run.spent };
    this.shown.soon();
  }

  private async report(made: TaskBranch, run: Run): Promise<TaskOutcome> {
    const saved = await this.saved(made);
    const messages = saved.length > 0 || run.isUnsaved ? saved : [run.message()];
    const steps = messages.reduce((sum, message) => sum + stepsIn(message), 0);
    const spent = sumUsage(messages.flatMap((message) => answerMetadataOf(message) ?? []));
    this.current = { ...this.current, steps: Math.max(this.current.steps, steps), ...spent };
    const report = lastText(messages);
    const { status, error, notice } = run;
    if (status === 'interrupted' && error === undefined) return this.end('stopped', report);
    if (status !== 'complete') return this.end('failed', report, error?.message);
    const reason = notice && waitsForUser(notice) ? notice.message : undefined;
    if (report === '') return this.end('failed', '', reason ?? 'It ended without a report.');
    return this.end('done', report, reason);
  }

  /** The stored answer to the task; empty if the branch was deleted in the meantime. */
  private async saved({ branch: { id }, taskId }: TaskBranch): Promise<UIMessage[]> {
    const { store, chatId } = this.options;
    const branches = await store.listBranches(chatId, { includeArchived: true });
    const head = branches.find((branch) => branch.id === id)?.headMessageId;
    const path = typeof head === 'string' ? await store.getPathAfter(chatId, taskId, head) : [];
    return (path ?? [])
      .flatMap((message) => readUIMessage(message.data) ?? [])
      .filter(({ role }) => role === 'assistant');
  }

  private end(state: TaskProgress['state'], report: string, reason?: string): TaskOutcome {
    const { step: _last, ...rest } = this.current;
    const finishedAt = this.options.scheduler.now();
    this.current = { ...rest, state, finishedAt, ...(reason === undefined ? {} : { reason }) };
    this.shown.now();
    return { progress: this.current, report };
  }

  private change(changes: Partial<TaskProgress>): void {
    this.current = { ...this.current, ...changes };
    this.shown.now();
  }
}

/** It narrows what a task may use; its instructions are not about the task. */
function narrowing(agent: AgentProfile | undefined): AgentProfile | undefined {
  return agent && { ...agent, fragments: [] };
}

function stepOf(run: Run, { parts }: UIMessage): TaskStep | undefined {
  if (run.retry) return { kind: 'retrying' };
  const last = parts.at(-1);
  if (last?.type === 'text') return { kind: 'writing' };
  const call = parts.findLast(isToolPart);
  return call && { kind: 'tool', name: toolNameOf(call), input: shownInput(call.input) };
}

function shownInput(input: unknown): TaskInput {
  if (typeof input !== 'object' || input === null) return {};
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]: [string, unknown]) => {
      const isShort = typeof value === 'string' && value.length <= SHOWN_TEXT;
      if (isShort || typeof value === 'number' || typeof value === 'boolean') return [[name, value] as const];
      return [];
    }),
  );
}

/** The total length of all reports of a call, in UTF-16 units. */
export const REPORTS_LENGTH = 24_000;

interface TaskOutcome {
  readonly progress: TaskProgress;
  /** '' if it wrote none. */
  readonly report: string;
}

/** The last text in an answer of several messages: the text after the last tool call, or else before it. */
function lastText(messages: readonly Pick<UIMessage, 'parts'>[]): string {
  const parts = messages.flatMap((message) => message.parts);
  const after = parts.slice(parts.findLastIndex(isToolPart) + 1).filter(isTextPart);
  const written = after
    .map(({ text }) => text)
    .join('')
    .trim();
  return written === ''
    ? (parts
        .filter(isTextPart)
        .map(({ text }) => text.trim())
        .findLast(Boolean) ?? '')
    : written;
}

/** The tool result for the agent: each report under its title, short ones unshortened. */
export function reportsText(outcomes: readonly TaskOutcome[]): string {
  const limits = fairShares(
    outcomes.map(({ report }) => report.length),
    REPORTS_LENGTH,
  );
  return outcomes
    .map(({ progress, report }, index) => section(progress, bounded(report, limits[index] ?? 0)))
    .join('\n\n');
}

function section({ title, branch, state, reason }: TaskProgress, report: string): string {
  const heading = `## ${title}${branch === undefined ? '' : ` (branch ${branch})`}`;
  const ended = state === 'failed' ? 'It failed.' : state === 'stopped' ? 'The user stopped it.' : '';
  const why = [ended, reason ?? ''].filter((text) => text !== '').join(' ');
  return [heading, why, report].filter((text) => text !== '').join('\n');
}

function bounded(report: string, limit: number): string {
  if (report.length <= limit) return report;
  return `${startOf(report, limit)}\n… [${report.length - limit} more characters are on its branch]`;
}
