import { InvalidToolInputError, NoSuchToolError } from 'ai';
import type { AnswerDraft } from '../run/answerDraft.ts';
import type { RequestedCall } from '../run/answerStream.ts';
import { resultText } from '../context/modelMessages.ts';
import { callWithHooks } from '../hooks/hookedCall.ts';
import type { RunHooks, SaidByHook } from '../hooks/runHooks.ts';
import type { Explore } from '../explore/explorerOptions.ts';
import type { AskedApprovals } from '../explore/explorer.ts';
import { tasksOf, type TaskProgress } from '../explore/taskProgress.ts';
import { DeniedError, untilAborted, type ApprovalRequest } from './approvals.ts';
import { beyondIn } from '../../models/requests/boundedCalls.ts';
import { beyondBounds, INPUT_BOUNDS } from '../../models/messages/jsonBounds.ts';
import { keepToolFiles } from './keepToolFiles.ts';
import type { CallAsked } from './repeatedCalls.ts';
import { startOf, storableStrings } from './textLimits.ts';
import type { AgentTool, ToolContext, ToolOutput } from './tool.ts';
import { ToolError } from './toolError.ts';
import { ASK_USER, type QuestionAnswer } from './userQuestions.ts';
import {
  hookNotesOf,
  isSettled,
  settled,
  timesOf,
  type AnyToolPart,
  type QuietCommand,
} from '../../models/messages/toolParts.ts';
import { isCycleTool } from '../checkpoints/agentCheckpoint.ts';
import type { MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { BlobStore } from '../../engine/store.ts';
import { toolNameOf, type ToolCallState } from '../../engine/uiMessage.ts';

export interface StepCallsOptions {
  readonly draft: AnswerDraft;
  readonly tools: readonly AgentTool[];
  readonly offered: readonly AgentTool[];
  readonly now: () => number;
  /** The call at this index of the draft is new or has changed. */
  readonly onChange: (index: number, part: AnyToolPart) => void;
  readonly approvals: AskedApprovals;
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly chatId: string;
  /** Undefined where there are none. */
  readonly hooks?: RunHooks | undefined;
  /** For this long, in milliseconds, calls have waited for the user's approval: those side by side count once. */
  readonly onWaited: (duration: number) => void;
  readonly onFailure: (toolName: string, error: unknown) => void;
}

/** The context shared by all calls of a step; each call asks for its own approval. */
export interface StepContext extends Omit<
  ToolContext,
  'chatId' | 'callId' | 'approve' | 'askUser' | 'isAllowed' | 'progress' | 'explore'
> {
  readonly explore?: Explore | undefined;
}

export const STOPPED = 'The user stopped the answer before this call ended.';

const INCOMPLETE = 'This call was not complete.';

/** The longest call id and name that are kept, in UTF-16 units; servers and models may send any length. */
const MAX_ID = 500;
const MAX_NAME = 200;

/** How much of an unexpected error's text the model is sent, in UTF-16 units. */
const MAX_ERROR = 10_000;

/** How much of a call's output so far is shown, in UTF-16 units. */
const MAX_PROGRESS = 4_000;

interface Entry {
  readonly index: number;
  readonly tool: AgentTool | undefined;
  part: AnyToolPart;
  request: RequestedCall | undefined;
  /** The id of the approval question, once asked. */
  approvalId: string | undefined;
}

/** Shown as the model writes them, run in order when it is done; adjacent calls that only read run in parallel. */
export class StepCalls {
  private readonly entries: Entry[] = [];
  private readonly byId = new Map<string, Entry>();
  /** How many calls wait for the user's approval, and since when at least one does. */
  private waiting = 0;
  private waitingSince = 0;
  /** The hook that has the answer end after these calls. */
  stoppedBy: SaidByHook | undefined;

  constructor(private readonly options: StepCallsOptions) {}

  get count(): number {
    return this.entries.length;
  }

  get asked(): readonly CallAsked[] {
    return this.entries.flatMap(({ request }) => request ?? []);
  }

  /** Whether a call acted in a way that a rewind to this step must keep, even without recorded changes. */
  get haveActed(): boolean {
    return this.entries.some(
      ({ tool, part }) => tool?.endsStep === true && part.state === 'output-available',
    );
  }

  begun(callId: string, toolName: string): void {
    if (this.byId.has(callId)) return;
    this.add(callId, toolName, { state: 'input-streaming' });
  }

  requested(asked: RequestedCall): void {
    const call = bounded(asked);
    const known = this.byId.get(call.callId);
    // Some servers use one id for all calls of an answer.
    const entry =
      known !== undefined && known.request === undefined
        ? known
        : this.add(call.callId, call.toolName, { state: 'input-streaming' });
    entry.request = call;
    const metadata = call.providerMetadata as AnyToolPart['callProviderMetadata'];
    if (metadata !== undefined) entry.part = { ...entry.part, callProviderMetadata: metadata };
    this.change(entry, { state: 'input-available', input: call.input });
  }

  /** Runs the calls. Never rejects: a failure becomes the call's result. */
  async carryOut(context: StepContext): Promise<void> {
    for (const group of this.groups()) {
      if (context.signal.aborted) break;
      await Promise.all(
        group.map(async (entry) => entry.request && this.carryOutOne(entry, entry.request, context)),
      );
    }
    await this.settle(context.signal.aborted ? STOPPED : INCOMPLETE);
  }

  async settle(reason: string): Promise<void> {
    for (const entry of this.entries) {
      if (isSettled(entry.part)) continue;
      const input = await storableStrings(entry.part.input ?? {});
      entry.part = settled({ ...entry.part, input }, reason);
      this.tell(entry);
    }
  }

  /** The results of calls other than checkpoint and rewind, for a report from the same step. */
  siblingResults(limit: number): string[] {
    return this.entries.flatMap(({ part, request }) => {
      if (!request || isCycleTool(request.toolName)) return [];
      const result = resultText(part);
      const shown = result.length > limit ? `${result.slice(0, limit).toWellFormed()} …` : result;
      return [
        `${request.toolName} ${JSON.stringify(part.input ?? {})
          .slice(0, limit)
          .toWellFormed()}:\n${shown}`,
      ];
    });
  }

  /** A call's reads must not depend on timing: a call that may change something runs alone. */
  private groups(): Entry[][] {
    const groups: Entry[][] = [];
    let before: Entry | undefined;
    for (const entry of this.entries) {
      const last = groups.at(-1);
      if (last && before?.tool?.readsOnly === true && entry.tool?.readsOnly === true) last.push(entry);
      else groups.push([entry]);
      before = entry;
    }
    return groups;
  }

  private async carryOutOne(entry: Entry, request: RequestedCall, context: StepContext): Promise<void> {
    const input = await storableStrings(request.input);
    const { callProviderMetadata: metadata } = entry.part;
    if (metadata !== undefined) {
      // The copy has the same form.
      const callProviderMetadata = (await storableStrings(metadata)) as typeof metadata;
      entry.part = { ...entry.part, callProviderMetadata };
    }
    this.time(entry, { startedAt: this.options.now() });
    this.change(entry, { state: 'input-available', input });
    try {
      const given = await this.call(entry, request, context);
      const output = given.files ? await keepToolFiles(given, this.options.blobs) : given;
      this.time(entry, { finishedAt: this.options.now() });
      const done = { input: entry.part.input, output: await storableStrings(output) };
      this.change(entry, { state: 'output-available', ...done });
    } catch (error) {
      this.time(entry, { finishedAt: this.options.now() });
      if (error instanceof DeniedError) {
        const approval = { id: entry.approvalId ?? '', approved: false, reason: error.message } as const;
        this.change(entry, { state: 'output-denied', input: entry.part.input, approval });
        return;
      }
      const text = context.signal.aborted ? STOPPED : this.describe(request, error);
      const errorText = (await storableStrings(text)) as string;
      this.change(entry, { state: 'output-error', input: entry.part.input, errorText });
    }
  }

  private async call(entry: Entry, request: RequestedCall, context: StepContext): Promise<ToolOutput> {
    const { tool } = entry;
    // A tool that this agent may not use returns its own message.
    const isHidden = tool !== undefined && !this.options.offered.includes(tool);
    if (request.problem !== undefined && !isHidden) throw request.problem;
    if (!tool) throw new NoSuchToolError({ toolName: request.toolName });
    const { explore, signal } = context;
    const { hooks } = this.options;
    const callId = entry.part.toolCallId;
    const approve = async (asked: ApprovalRequest): Promise<void> => {
      await this.ask(entry, asked, signal);
    };
    const carryOut = (input: unknown): Promise<ToolOutput> => {
      const work = tool.call(input, {
        ...context,
        chatId: this.options.chatId,
        callId,
        progress: (text, quiet) => this.progress(entry, text, quiet),
        approve,
        askUser: (questions) => this.ask(entry, { kind: ASK_USER, questions }, signal),
        isAllowed: (asked) => this.options.approvals.isAllowed(asked, this.options.chatId),
        explore: explore && ((tasks) => explore(tasks, (shown) => this.showTasks(entry, shown))),
      });
      return tool.mustFinish === true ? work : untilAborted(work, signal);
    };
    if (!hooks) return carryOut(request.input);
    return callWithHooks(hooks, {
      tool,
      callId,
      signal,
      approve,
      carryOut,
      input: request.input,
      onInput: (input) => this.changeInput(entry, input),
      onNote: (note) => this.note(entry, { hooks: hooksOf(entry, note) }),
      onStop: (said) => (this.stoppedBy ??= said),
    });
  }

  /** What is asked for and kept is what the call is carried out with. */
  private changeInput(entry: Entry, input: unknown): void {
    this.change(entry, { state: 'input-available', input });
  }

  private async ask(
    entry: Entry,
    asked: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<readonly QuestionAnswer[] | undefined> {
    const { chatId, approvals, now } = this.options;
    const toolName = toolNameOf(entry.part);
    const input = entry.part.input ?? {};
    if (this.waiting === 0) this.waitingSince = now();
    this.waiting += 1;
    let answers: readonly QuestionAnswer[] | undefined;
    try {
      answers = await approvals.ask(asked, {
        chatId,
        toolName,
        signal,
        onAsked: (id) => {
          entry.approvalId = id;
          this.change(entry, { state: 'approval-requested', input, approval: { id } });
        },
      });
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.options.onWaited(now() - this.waitingSince);
    }
    if (entry.approvalId === undefined) return answers;
    // The tool's time must not include the user's.
    this.time(entry, { startedAt: now() });
    this.change(entry, { state: 'input-available', input });
    return answers;
  }

  private describe({ toolName }: RequestedCall, error: unknown): string {
    if (NoSuchToolError.isInstance(error)) {
      const names = this.options.offered.map(({ name }) => name);
      const asked = startOf(toolName, MAX_NAME);
      return names.length === 0
        ? `There is no tool “${asked}”; no tools can be used now.`
        : `There is no tool “${asked}”. The tools are: ${names.join(', ')}.`;
    }
    if (InvalidToolInputError.isInstance(error)) return describeInvalidInput(toolName, error);
    // Our own errors state what to do.
    if (error instanceof OffshootError) return error.message;
    this.options.onFailure(toolName, error);
    return `“${toolName}” failed: ${textOf(error)}`;
  }

  private add(callId: string, toolName: string, state: ToolCallState): Entry {
    const tool = this.options.tools.find(({ name }) => name === toolName);
    const isOwn = tool !== undefined && tool.isForeign !== true;
    const isKnown = this.byId.has(callId);
    const isUsable = callId !== '' && callId.length <= MAX_ID && callId.isWellFormed();
    const toolCallId = isKnown || !isUsable ? crypto.randomUUID() : callId;
    const part: AnyToolPart = {
      ...(isOwn
        ? { type: `tool-${toolName}` }
        : { type: 'dynamic-tool', toolName: startOf(toolName, MAX_NAME) }),
      toolCallId,
      ...state,
    };
    const index = this.options.draft.setCall(part);
    const entry: Entry = { index, tool, part, request: undefined, approvalId: undefined };
    this.entries.push(entry);
    this.byId.set(isKnown ? toolCallId : callId, entry);
    this.options.onChange(index, part);
    return entry;
  }

  private progress(entry: Entry, text: string, quiet?: QuietCommand): void {
    if (isSettled(entry.part)) return;
    this.note(entry, {
      progress: startOf(text, MAX_PROGRESS),
      ...(quiet ? { quiet: { ...quiet } } : {}),
    });
  }

  private showTasks(entry: Entry, tasks: readonly TaskProgress[]): void {
    if (isSettled(entry.part)) return;
    this.note(entry, { tasks: tasks.map((task) => ({ ...task })) });
  }

  private note(entry: Entry, noted: CallNotes): void {
    this.keepNotes(entry, noted);
    this.tell(entry);
  }

  /** Next to the times, and to what hooks did. */
  private keepNotes(entry: Entry, noted: CallNotes): void {
    const hooks = hooksOf(entry);
    const offshoot = {
      ...timesOf(entry.part),
      ...(hooks.length === 0 ? {} : { hooks }),
      ...noted,
    };
    entry.part = { ...entry.part, callProviderMetadata: { ...entry.part.callProviderMetadata, offshoot } };
  }

  /** The final result replaces the progress, except for explored tasks: their branches stay. */
  private time(entry: Entry, times: { startedAt?: number; finishedAt?: number }): void {
    const tasks = tasksOf(entry.part);
    this.keepNotes(entry, {
      ...times,
      ...(tasks ? { tasks: tasks.map((task) => ({ ...task })) } : {}),
    });
  }

  private change(entry: Entry, state: ToolCallState): void {
    const { toolCallId, callProviderMetadata } = entry.part;
    entry.part = {
      ...(entry.part.type === 'dynamic-tool'
        ? { type: entry.part.type, toolName: entry.part.toolName }
        : { type: entry.part.type }),
      toolCallId,
      ...(callProviderMetadata === undefined ? {} : { callProviderMetadata }),
      ...state,
    };
    this.tell(entry);
  }

  private tell({ index, part }: Entry): void {
    this.options.draft.setCall(part, index);
    this.options.onChange(index, part);
  }
}

/** In the form that is stored. */
function hooksOf(
  { part }: Pick<Entry, 'part'>,
  ...more: readonly MessageDescriptor[]
): NonNullable<CallNotes[string]>[] {
  // A descriptor is JSON.
  return [...hookNotesOf(part), ...more] as unknown as NonNullable<CallNotes[string]>[];
}

type CallNotes = NonNullable<AnyToolPart['callProviderMetadata']>[string];

/** A call whose input is too large to show and store counts as failed, without the input. */
function bounded(call: RequestedCall): RequestedCall {
  const { providerMetadata, ...rest } = call;
  const kept = providerMetadata === undefined || beyondBounds(providerMetadata, INPUT_BOUNDS) ? rest : call;
  const beyond = beyondIn(providerMetadata) ?? beyondBounds(call.input, INPUT_BOUNDS);
  if (!beyond) return kept;
  const what =
    beyond === 'depth' ? `nested deeper than ${INPUT_BOUNDS.depth} levels` : 'too large to be taken';
  const text = `The input of “${startOf(call.toolName, MAX_NAME)}” is ${what}. Call the tool again with less.`;
  return { ...kept, input: { leftOut: what }, problem: new ToolError(text, 'input-beyond-bounds') };
}

function textOf(error: unknown): string {
  if (error instanceof Error) return startOf(error.message, MAX_ERROR);
  return typeof error === 'string' ? startOf(error, MAX_ERROR) : 'no reason was given';
}

/** What is wrong with the input, as precisely as possible: the model corrects what it is shown. */
function describeInvalidInput(toolName: string, error: InvalidToolInputError): string {
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolError) return cause.message;
    if (cause.name === 'AI_JSONParseError') {
      return `The input of “${toolName}” is not JSON. Call the tool again with an object as its schema says.`;
    }
  }
  return `The input of “${toolName}” is not valid: ${textOf(error)} Correct it and call the tool again.`;
}
