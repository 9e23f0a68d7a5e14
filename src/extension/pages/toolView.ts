import * as vscode from 'vscode';
import { z } from 'zod';
import { hashOfFile, pdfFacts } from '../../models/messages/messageFiles.ts';
import { resultText } from '../../agent/context/modelMessages.ts';
import {
  WRITE,
  isAskedEachTime,
  type Approvals,
  type MemoryPreview,
  type PendingApproval,
} from '../../agent/tools/approvals.ts';
import { resourcesOf } from '../../agent/tools/foreignResource.ts';
import {
  commandDetailsIn,
  type CommandDetails,
  type WallRefusal,
} from '../../agent/tools/commands/commandDetails.ts';
import { answeredIn, ASK_USER, userQuestions } from '../../agent/tools/userQuestions.ts';
import { toolFilesOf } from '../../models/messages/toolFiles.ts';
import {
  hookNotesOf,
  isSettled,
  progressOf,
  quietOf,
  timesOf,
  type AnyToolPart,
  type QuietCommand,
} from '../../models/messages/toolParts.ts';
import { ASIDE } from '../../host/aside.ts';
import { toolNameOf } from '../../engine/uiMessage.ts';
import type { ApprovalView, TaskView, ToolPartView, ToolState } from '../../protocol/views.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { shownName, oneLine } from '../ui/shownName.ts';
import { translated } from '../ui/failures.ts';
import { sentences } from '../ui/formats.ts';
import { approvalNotes, commandReason, pageReason } from './approvalTexts.ts';
import { protectionText, readOnlyText } from '../files/protectionText.ts';
import { toolChanges } from './toolChanges.ts';
import { describeCall, readingOf } from './toolTitles.ts';
import { tasksOf, type TaskProgress, type TaskStep } from '../../agent/explore/taskProgress.ts';
import { usageView } from './usageView.ts';

type CommandView = NonNullable<ToolPartView['command']>;

const commandInput = z.looseObject({ command: z.string() });
const readCommandInput = z.looseObject({ id: z.string() });

/** How much of a path or of a tool's name an approval question shows, in characters. */
const NAME_LENGTH = 300;

/** How much of an input or a result is sent, in UTF-16 units: all calls of a conversation are sent at once. */
const SHOWN_LENGTH = 4_000;

/** @param isLive it is still being written: missing fields may arrive */
export function toolView(
  part: AnyToolPart,
  approvals: Pick<Approvals, 'get'>,
  { isLive = false } = {},
): ToolPartView {
  const name = toolNameOf(part);
  const { startedAt, finishedAt } = timesOf(part);
  const changes = toolChanges(part);
  const command = commandOf(part);
  // A foreign tool may have the same name.
  const reading = part.type === 'dynamic-tool' ? undefined : readingOf(name, part.input);
  const hooks = hookNotesOf(part).map((note) => shownName(translated(note), NAME_LENGTH));
  const tasks = taskViews(part, { isLive });
  const asked = part.state === 'approval-requested' ? approvals.get(part.approval.id) : undefined;
  const questions = questionsView(part, asked);
  return {
    type: 'tool',
    callId: part.toolCallId,
    name,
    ...describeCall(name, part.input),
    state: asked ? 'asking' : stateOf(part),
    input: part.input === undefined || changes || command || questions ? '' : shownInput(part.input),
    ...(changes ? { changes } : {}),
    ...(command ? { command } : {}),
    ...(reading === undefined ? {} : { reading }),
    ...(tasks ? { tasks } : {}),
    ...(hooks.length > 0 ? { hooks } : {}),
    ...(isLive ? waitingView(part) : {}),
    ...filesView(part),
    ...resourcesView(part),
    output: shown(isLive && !isSettled(part) ? (progressOf(part) ?? '') : resultText(part)),
    ...(startedAt === undefined || finishedAt === undefined ? {} : { duration: finishedAt - startedAt }),
    ...(asked && !asked.questions ? { approval: approvalView(asked, part.input) } : {}),
    ...(questions ? { questions } : {}),
  };
}

function filesView(part: AnyToolPart): Pick<ToolPartView, 'files'> {
  const files = toolFilesOf(part).map((file) => {
    const { mediaType, filename: name = '', providerMetadata } = file;
    const { pages } = pdfFacts(providerMetadata);
    return { hash: hashOfFile(file) ?? '', mediaType, name, ...(pages === undefined ? {} : { pages }) };
  });
  return files.length === 0 ? {} : { files };
}

/** Own tools return none. */
function resourcesView(part: AnyToolPart): Pick<ToolPartView, 'resources'> {
  if (part.type !== 'dynamic-tool' || part.state !== 'output-available') return {};
  const resources = resourcesOf(part.output).map(({ uri, name }) => ({
    uri,
    name: shownName(name, NAME_LENGTH),
  }));
  return resources.length === 0 ? {} : { resources };
}

/** A foreign tool may have the same name. */
function questionsView(part: AnyToolPart, asked: PendingApproval | undefined): ToolPartView['questions'] {
  const { data } = part.type === `tool-${ASK_USER}` ? userQuestions.safeParse(part.input) : {};
  if (!data) return undefined;
  const answered = part.state === 'output-available' ? answeredIn(part.output) : undefined;
  return {
    ...(asked?.questions ? { id: asked.id } : {}),
    asked: data.questions.map(({ question: text, options, several = false }, index) => {
      const answer = answered?.answers?.[index];
      return {
        question: text,
        options: options.map(({ label, detail }) => ({ label, ...(detail === undefined ? {} : { detail }) })),
        several,
        ...(answer ? { answer } : {}),
      };
    }),
    isAnswered: answered !== undefined,
  };
}

/** A foreign tool may have the same name. */
function commandOf(part: AnyToolPart): ToolPartView['command'] {
  if (part.type !== 'tool-run_command') return undefined;
  const { data } = commandInput.safeParse(part.input);
  if (!data) return undefined;
  const details = part.state === 'output-available' ? commandDetailsIn(part.output) : undefined;
  const { sandbox, ...rest } = details ?? {};
  return { text: shown(data.command), ...rest, ...(sandbox ? sandboxView(sandbox) : {}) };
}

function sandboxView({
  refused,
  hosts = [],
  made = [],
  isCut,
}: NonNullable<CommandDetails['sandbox']>): Pick<CommandView, 'sandbox'> {
  const listed = (names: readonly string[]): string =>
    names.map((each) => shownName(each, NAME_LENGTH)).join(vscode.l10n.t(', '));
  const texts = [
    ...(hosts.length === 0
      ? []
      : [vscode.l10n.t('The sandbox may not reach {0}: not allowed in this chat.', listed(hosts))]),
    ...refused.map(refusalText),
    ...(made.length === 0
      ? []
      : [
          vscode.l10n.t('It made protected files; “{0}” was added to their names: {1}.', ASIDE, listed(made)),
        ]),
    ...(isCut === true
      ? [vscode.l10n.t('There are too many files to look for all protected ones that it made.')]
      : []),
  ];
  return texts.length === 0 ? {} : { sandbox: sentences(...texts) };
}

function refusalText(refusal: WallRefusal): string {
  switch (refusal) {
    case 'network':
      return vscode.l10n.t('The sandbox reaches allowed hosts alone, by HTTP and HTTPS.');
    case 'writing':
      return vscode.l10n.t('The sandbox seems to have refused to write a file.');
    case 'access':
      return vscode.l10n.t('The sandbox seems to have refused access to a file or a socket.');
  }
}

function waitingView(part: AnyToolPart): Pick<ToolPartView, 'waiting'> {
  const quiet = isSettled(part) ? undefined : quietOf(part);
  if (!quiet) return {};
  const read = part.type === 'tool-read_command' ? readCommandInput.safeParse(part.input).data : undefined;
  return { waiting: { text: quietText(quiet), ...(read ? { commandId: read.id } : {}) } };
}

function quietText({ seconds, waitsFor }: QuietCommand): string {
  const nothing = vscode.l10n.t('Nothing was written for {0} s.', seconds);
  switch (waitsFor) {
    case 'password':
      return sentences(nothing, vscode.l10n.t('It seems to wait for a password.'));
    case 'answer':
      return sentences(nothing, vscode.l10n.t('It seems to wait for an answer.'));
    case 'key':
      return sentences(nothing, vscode.l10n.t('It seems to wait for a key, as pagers and editors do.'));
    case 'unknown':
      return nothing;
  }
}

function approvalView(asked: PendingApproval, input: unknown): ApprovalView {
  const { id, preview, command, memory, page, resource, modelRequest } = asked;
  const reason = reasonFor(asked);
  return {
    id,
    question: sentences(question(asked), ...approvalNotes(asked, input)),
    ...(reason === undefined ? {} : { reason }),
    ...(command ? { command: command.text } : {}),
    ...(page ? { address: page.url } : {}),
    ...(memory ? { fact: factText(memory) } : {}),
    ...(resource ? { address: resource.address } : {}),
    ...(modelRequest ? { sent: shownSent(modelRequest.text) } : {}),
    choices: choicesFor(asked),
    covers: coverOf(asked),
    hasChanges: preview !== undefined,
  };
}

function coverOf({
  kind,
  reads,
  command,
  page,
  resource,
  modelRequest,
}: PendingApproval): ApprovalView['covers'] {
  if (reads !== undefined) return 'reading';
  if (command) return command.leavesSandbox === true ? 'outside' : 'command';
  if (page) return 'host';
  if (resource) return 'resources';
  if (modelRequest) return 'requests';
  return kind === WRITE ? 'edits' : 'tool';
}

function choicesFor(asked: PendingApproval): ApprovalView['choices'] {
  if (asked.reads !== undefined) return ['chat', 'deny'];
  // It costs: what is allowed must not outlast the chat.
  if (asked.modelRequest !== undefined) return ['once', 'chat', 'deny'];
  return isAskedEachTime(asked) ? ['once', 'deny'] : ['once', 'chat', 'workspace', 'deny'];
}

/** What the user allows must not look like something else. */
function question(asked: PendingApproval): string {
  const { kind, toolName, preview, reads, command, memory, page, resource, modelRequest } = asked;
  const l10n = vscode.l10n;
  if (memory) return memoryQuestion(memory);
  if (command) {
    return command.folder === '' || command.folder === '.'
      ? l10n.t('Allow running this command?')
      : l10n.t('Allow running this command in {0}?', shownName(command.folder, NAME_LENGTH));
  }
  if (page?.isForCommand === true) {
    return l10n.t('Allow this command to reach {0} from the sandbox?', shownName(page.host, NAME_LENGTH));
  }
  if (page) return l10n.t('Allow fetching this page from {0}?', shownName(page.host, NAME_LENGTH));
  if (reads !== undefined) return l10n.t('Allow reading {0}?', shownName(reads, NAME_LENGTH));
  if (resource) {
    const server = shownName(resource.server, NAME_LENGTH);
    return l10n.t('Allow reading this resource of the MCP server “{0}”?', server);
  }
  if (modelRequest) {
    const tool = shownName(toolName, NAME_LENGTH);
    const model = shownName(modelRequest.model, NAME_LENGTH);
    return l10n.t('Allow the MCP server of “{0}” to ask {1}?', tool, model);
  }
  if (kind !== WRITE || preview === undefined) {
    return l10n.t('Allow use of the tool “{0}”?', shownName(toolName, NAME_LENGTH));
  }
  const file = shownName(preview.shown, NAME_LENGTH);
  return preview.before === null ? l10n.t('Allow creating {0}?', file) : l10n.t('Allow edit to {0}?', file);
}

function memoryQuestion({ add, where }: MemoryPreview): string {
  const shown = where === undefined ? vscode.l10n.t('this branch') : shownName(where, NAME_LENGTH);
  return add === undefined
    ? vscode.l10n.t('Forget this, in {0}?', shown)
    : vscode.l10n.t('Remember this, in {0}?', shown);
}

/** Each line as it is written, or removed. */
function factText({ add, remove }: MemoryPreview): string {
  if (add === undefined) return remove;
  if (remove === undefined) return add;
  return `- ${remove}\n+ ${add}`;
}

/** The gravest risk, in at most four words. */
function reasonFor({
  protection,
  isReadOnly = false,
  reads,
  command,
  page,
  modelRequest,
}: PendingApproval): string | undefined {
  if (command) return commandReason(command);
  if (page) return pageReason(page);
  if (modelRequest) return vscode.l10n.t('Counts in this chat’s budget.');
  if (reads !== undefined) return vscode.l10n.t('May hold secrets.');
  if (protection !== undefined) return protectionText(protection);
  return isReadOnly ? readOnlyText() : undefined;
}

function stateOf(part: AnyToolPart): ToolState {
  switch (part.state) {
    case 'input-streaming':
      return 'preparing';
    case 'input-available':
      // Calls that change something run one after the other: each is timed from its own start.
      return timesOf(part).startedAt === undefined ? 'queued' : 'running';
    case 'approval-requested':
    case 'approval-responded':
      return 'running';
    case 'output-available':
      return 'done';
    case 'output-error':
      return 'failed';
    case 'output-denied':
      return 'denied';
  }
}

/** The user reviews the input before allowing it: nothing in it may be hidden. */
function shownInput(input: unknown): string {
  return withHiddenSpelledOut(shown(JSON.stringify(input, undefined, 2)));
}

/** The user reviews all of it. */
function shownSent(text: string): string {
  return withHiddenSpelledOut(shown(text));
}

function shown(text: string): string {
  if (text.length <= SHOWN_LENGTH) return text;
  const left = text.length - SHOWN_LENGTH;
  return `${text.slice(0, SHOWN_LENGTH).toWellFormed()}\n${vscode.l10n.t('… {0} more characters', left)}`;
}

const TITLE_LENGTH = 80;
const REASON_LENGTH = 300;

/** Undefined for a call that explores nothing. */
function taskViews(part: AnyToolPart, { isLive }: { readonly isLive: boolean }): TaskView[] | undefined {
  const goesOn = isLive && !isSettled(part);
  return tasksOf(part)?.map((task) => taskView(task, goesOn));
}

function taskView(task: TaskProgress, goesOn: boolean): TaskView {
  const { title, steps, step, branch, branchId, startedAt, finishedAt, usage, cost, reason } = task;
  const isOpen = task.state === 'waiting' || task.state === 'running';
  return {
    title: shownName(title, TITLE_LENGTH),
    // Nothing runs once the call has ended, no matter which state was saved last.
    state: isOpen && !goesOn ? 'interrupted' : task.state,
    steps,
    ...(branch === undefined ? {} : { branch }),
    ...(branchId === undefined ? {} : { branchId }),
    ...(step && isOpen && goesOn ? { step: stepText(step) } : {}),
    ...(startedAt !== undefined && isOpen && goesOn ? { startedAt } : {}),
    ...(startedAt === undefined || finishedAt === undefined ? {} : { duration: finishedAt - startedAt }),
    ...(usage ? { usage: usageView({ usage, ...(cost === undefined ? {} : { cost }) }) } : {}),
    ...(reason === undefined ? {} : { reason: oneLine(reason, REASON_LENGTH) }),
  };
}

function stepText(step: TaskStep): string {
  switch (step.kind) {
    case 'tool':
      return describeCall(step.name, step.input).title;
    case 'writing':
      return vscode.l10n.t('Writing the report');
    case 'retrying':
      return vscode.l10n.t('Waiting to ask again');
  }
}
