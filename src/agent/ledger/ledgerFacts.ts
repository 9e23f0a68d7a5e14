import { z } from 'zod';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import type { FileChange } from '../../engine/effects.ts';
import { explorationTaskOf } from '../../engine/explorationTask.ts';
import type { MessageData } from '../../engine/graph.ts';
import { isNoticeMessage, isUserTurn, pathSummaryOf } from '../../engine/pathSummary.ts';
import { readUIMessage, textOf, type UIMessage } from '../../engine/uiMessage.ts';
import { outputText, toolCallsIn, type MessageToolCall } from '../../models/messages/toolParts.ts';
import { tasksOf } from '../explore/taskProgress.ts';
import { commandDetailsIn } from '../tools/commands/commandDetails.ts';
import { startOf } from '../tools/textLimits.ts';
import { readTodos, TODOS, type Todo } from '../plans/todoList.ts';
import { saidSentences } from './saidSentences.ts';

/** Something that happened in one message and that a summary may not lose. In the order in which it happened. */
export type LedgerFact =
  | { readonly kind: 'rule' | 'request'; readonly text: string }
  | { readonly kind: 'decision'; readonly text: string }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'change'; readonly change: FileChange }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'branch'; readonly text: string }
  /** An attempt, by what was tried; `problem` is undefined if it worked. */
  | { readonly kind: 'attempt'; readonly what: string; readonly problem: string | undefined }
  /** A command that still ran when its call ended, and the end of such a command, both by its id. */
  | { readonly kind: 'begun'; readonly id: string; readonly what: string }
  | { readonly kind: 'ended'; readonly id: string; readonly problem: string | undefined };

type Stored = Pick<MessageData, 'type' | 'data' | 'effects'>;

/** How much of a command, a problem, and a report is quoted, in UTF-16 units. */
const COMMAND = 160;
const PROBLEM = 200;
const REPORT = 300;

/** How many decisions of one answer are taken: a long one weighs many things. */
const MOST_DECISIONS = 6;

/** Depends on the message alone, so that it can be read once. */
export function ledgerFacts(stored: Stored): LedgerFact[] {
  const message = stored.type === 'message' ? readUIMessage(stored.data) : undefined;
  return [...(message ? factsOf(message) : []), ...effectsOf(stored.effects)];
}

function factsOf(message: UIMessage): LedgerFact[] {
  if (isNoticeMessage(message)) return reportOf(message);
  if (message.role === 'assistant')
    return [...decisionsOf(message), ...toolCallsIn(message).flatMap(callFacts)];
  // A task is written by the agent.
  if (!isUserTurn(message) || explorationTaskOf(message)) return [];
  return saidSentences(textOf(message)).map(({ kind, text }) =>
    kind === 'decision' ? { kind, text: `The user: ${text}` } : { kind, text },
  );
}

function decisionsOf(message: UIMessage): LedgerFact[] {
  return saidSentences(textOf(message))
    .filter(({ kind }) => kind === 'decision')
    .slice(0, MOST_DECISIONS)
    .map(({ text }) => ({ kind: 'decision', text }));
}

function reportOf(message: UIMessage): LedgerFact[] {
  const report = branchSummaryOf(message);
  if (report) {
    const { goal, exploredBranch } = report;
    return [
      branch(
        `“${oneLine(goal, REPORT)}” was explored on ${exploredBranch}. It reported: ${oneLine(report.report, REPORT)}`,
      ),
    ];
  }
  const summary = pathSummaryOf(message);
  if (summary?.kind !== 'brought-back') return [];
  return [branch(`From ${summary.source.branch} was brought back: ${oneLine(summary.text, REPORT)}`)];
}

function branch(text: string): LedgerFact {
  return { kind: 'branch', text };
}

function effectsOf(effects: Stored['effects']): LedgerFact[] {
  const { state, files = [] } = effects ?? {};
  const isCleared = state?.deleted?.includes(TODOS) === true;
  const set = state?.set?.[TODOS];
  const todos = isCleared ? [] : readTodos(set);
  return [
    ...(todos !== 'damaged' && (isCleared || set !== undefined) ? [{ kind: 'todos', todos } as const] : []),
    ...files.map((change) => ({ kind: 'change', change }) as const),
  ];
}

const pathInput = z.looseObject({ path: z.string() });
const commandInput = z.looseObject({ command: z.string() });

/** Tools whose refusals are part of talking to them and are settled in the next step. */
const withoutAttempts = ['write_todos', 'checkpoint', 'rewind', 'read_command'];

function callFacts(call: MessageToolCall): LedgerFact[] {
  const { toolName: name, state } = call;
  const details = state === 'output-available' ? commandDetailsIn(call.output) : undefined;
  if (details && name === 'read_command') {
    const { id, exitCode } = details;
    if (exitCode === undefined) return [];
    return [{ kind: 'ended', id, problem: commandProblem(call, exitCode) }];
  }
  const what = tried(call);
  if (details) {
    const { id, exitCode } = details;
    if (exitCode === undefined) return [{ kind: 'begun', id, what }];
    return [{ kind: 'attempt', what, problem: commandProblem(call, exitCode) }];
  }
  switch (state) {
    case 'output-available': {
      const read = name === 'read_file' ? pathInput.safeParse(call.input).data : undefined;
      return [
        ...(read ? [{ kind: 'read', path: read.path } as const] : []),
        ...(tasksOf(call) ?? []).flatMap(({ title, branch: on, state: ended }) =>
          on === undefined ? [] : [branch(`“${oneLine(title, REPORT)}” was explored on ${on} (${ended}).`)],
        ),
        { kind: 'attempt', what, problem: undefined },
      ];
    }
    case 'output-error':
      if (withoutAttempts.includes(name) || isCutOff(call.errorText)) return [];
      return [{ kind: 'attempt', what, problem: oneLine(call.errorText, PROBLEM) }];
    case 'output-denied': {
      const reason = call.approval.reason?.trim() ?? '';
      const why = reason === '' ? '' : ` Reason: ${oneLine(reason, PROBLEM)}`;
      return [{ kind: 'decision', text: `The user did not allow ${what}.${why}` }];
    }
    default:
      return [];
  }
}

/** A call that was stopped with its answer says nothing about what it tried. */
function isCutOff(errorText: string): boolean {
  return /^The (?:user stopped|answer ended|response ended|output limit)/u.test(errorText);
}

/** Undefined if it went well, or was stopped by the user. */
function commandProblem({ state, ...call }: MessageToolCall, exitCode: number | null): string | undefined {
  if (exitCode === 0 || exitCode === null) return undefined;
  const text = state === 'output-available' && 'output' in call ? outputText(call.output) : '';
  const lines = text
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.find((line) =>
    /error|fail|cannot|can't|not found|denied|exception|panic/iu.test(line),
  );
  const line = telling ?? lines.at(-1) ?? '';
  return line === '' ? `exit code ${exitCode}` : `exit code ${exitCode}: ${oneLine(line, PROBLEM)}`;
}

function tried({ toolName, input }: MessageToolCall): string {
  const command = commandInput.safeParse(input).data?.command;
  if (command !== undefined) return oneLine(command, COMMAND);
  const path = pathInput.safeParse(input).data?.path;
  return `${toolName} ${path === undefined ? oneLine(JSON.stringify(input ?? {}), COMMAND) : oneLine(path, COMMAND)}`;
}

function oneLine(text: string, length: number): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > length ? `${startOf(line, length)}…` : line;
}
