import * as vscode from 'vscode';
import { answerMetadataOf, type AnswerMetadata } from '../../agent/run/answerMetadata.ts';
import { hiddenFromUser } from '../../agent/context/hiddenFromUser.ts';
import type { ReasoningEffort } from '../../models/chatModel.ts';
import type { Run } from '../../agent/run/runs.ts';
import { reasoningTimes } from '../../models/messages/partMetadata.ts';
import { BUDGET_REACHED } from '../../agent/budget/budgetReached.ts';
import { waitsForUser } from '../../agent/run/waitsForUser.ts';
import type { Approvals } from '../../agent/tools/approvals.ts';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import { explorationTaskOf } from '../../engine/explorationTask.ts';
import type { MessageData } from '../../engine/graph.ts';
import type { Draft } from '../../engine/store.ts';
import { pathSummaryOf, type PathSummary } from '../../engine/pathSummary.ts';
import { validTime } from '../../engine/time.ts';
import {
  isReasoningPart,
  isTextPart,
  isToolPart,
  isUnreadablePart,
  readUIMessage,
  stripReminders,
  type ReasoningPart,
  type UIMessage,
  type UIMessagePart,
} from '../../engine/uiMessage.ts';
import type { MessageView, PartView, ReportView } from '../../protocol/views.ts';
import { numberText, sentences } from '../ui/formats.ts';
import { oneLine } from '../ui/shownName.ts';
import { effortText } from '../models/reasoningEffort.ts';
import { translatedNotice } from '../ui/failures.ts';
import { attachedView } from './attachedPartView.ts';
import { toolView } from './toolView.ts';
import { turnUsage, usageView } from './usageView.ts';
import type { CompactionProgress } from '../../agent/compaction/compactionOptions.ts';
import type { Retry } from '../../models/requests/retry.ts';

/** A stored message waits for no approval. */
const NOTHING_ASKED: Pick<Approvals, 'get'> = { get: () => undefined };

/** Undefined for nodes that are not shown. */
export function messageView(
  message: MessageData,
  checkpoints: readonly string[],
  branchOfHead: ReadonlyMap<string, string> = new Map(),
  labelOf: (branch: string) => string = (branch) => branch,
  isKept = false,
): MessageView | undefined {
  const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
  if (!read) return undefined;
  const shared = {
    id: message.id,
    checkpoints: [...checkpoints],
    ...(isKept ? { isKept: true as const } : {}),
    ...hiddenView(read),
  };
  const summary = branchSummaryOf(read);
  if (summary) {
    const { goal, report, abandonedHead } = summary;
    const exploredBranch = abandonedHead === null ? undefined : branchOfHead.get(abandonedHead);
    return {
      ...shared,
      role: 'note',
      parts: [{ type: 'text', text: report }],
      createdAt: validTime(message.createdAt),
      status: 'complete',
      report: { goal, ...explored(exploredBranch, labelOf) },
    };
  }
  const pathSummary = pathSummaryOf(read);
  if (pathSummary) {
    const written = pathSummary.kind === 'compacted' ? answerMetadataOf(read) : undefined;
    return {
      ...shared,
      role: 'note',
      parts: [{ type: 'text', text: pathSummary.text }],
      createdAt: validTime(message.createdAt),
      status: 'complete',
      report: summaryReport(pathSummary, branchOfHead, labelOf),
      ...(written?.usage ? { usage: usageView(written) } : {}),
    };
  }
  const answer = read.role === 'assistant' ? answerMetadataOf(read) : undefined;
  const usage = answer && turnUsage(answer, read);
  return {
    ...shared,
    role: read.role,
    parts: stripReminders(read).parts.map((part) =>
      partView(part, NOTHING_ASKED, { endedAt: answer?.finishedAt }),
    ),
    createdAt: validTime(answer?.finishedAt ?? message.createdAt),
    status: answer?.status ?? 'complete',
    ...errorView(answer?.error),
    ...noticeView(answer?.notice),
    ...(answer?.mode === 'plan' && endsWithText(answer, read) ? { isPlan: true } : {}),
    // An imported answer may have no model that is known.
    ...(answer && answer.modelLabel !== '' ? { model: modelOf(answer.modelLabel, answer) } : {}),
    ...(usage ? { usage } : {}),
    ...(explorationTaskOf(read) ? { isTask: true } : {}),
  };
}

/** One that ends with a tool call would have continued in another message. */
function endsWithText({ status }: AnswerMetadata, { parts }: UIMessage): boolean {
  const last = parts.at(-1);
  return status === 'complete' && last !== undefined && isTextPart(last) && last.text.trim() !== '';
}

/** @param self the user whose windows are their own; left out if all are */
export function draftView({ message, updatedAt, userId }: Draft, self = userId): MessageView {
  const answer = answerMetadataOf(message);
  return {
    id: message.id,
    checkpoints: [],
    role: 'assistant',
    parts: message.parts.map((part) => partView(part, NOTHING_ASKED, { isLive: true })),
    createdAt: validTime(answer?.startedAt ?? updatedAt),
    status: 'streaming',
    isElsewhere: true,
    waiting:
      userId === self
        ? vscode.l10n.t('Responding in another window…')
        : vscode.l10n.t('Responding to {0}…', userId),
    ...(answer ? { model: modelOf(answer.modelLabel, answer) } : {}),
  };
}

/** How much of the text that only the model gets is shown, in UTF-16 units: several attached files. */
const HIDDEN_LENGTH = 200_000;

function hiddenView(message: UIMessage): Pick<MessageView, 'hidden'> {
  const hidden = hiddenFromUser(message);
  if (!hidden) return {};
  const files = hidden.files.map(({ mediaType, filename }) =>
    vscode.l10n.t('File: {0} ({1})', oneLine(filename ?? '', 200), oneLine(mediaType, 200)),
  );
  const { text } = hidden;
  const left = text.length - HIDDEN_LENGTH;
  const shown =
    left > 0
      ? `${text.slice(0, HIDDEN_LENGTH).toWellFormed()}\n${vscode.l10n.t('{0} more characters are sent and not shown here', numberText(left))}`
      : text;
  return { hidden: [...(shown === '' ? [] : [shown]), ...files].join('\n\n') };
}

function explored(
  branch: string | undefined,
  labelOf: (branch: string) => string,
): Pick<ReportView, 'exploredBranch' | 'exploredLabel'> {
  return branch === undefined ? {} : { exploredBranch: branch, exploredLabel: labelOf(branch) };
}

/** With the branch that holds the full text: the one that ends there, or else the one with its name. */
function summaryReport(
  { kind, source, model, isEdited, tokens }: PathSummary,
  branchOfHead: ReadonlyMap<string, string>,
  labelOf: (branch: string) => string,
): ReportView {
  const { branch, headMessageId, count } = source;
  const byName = [...branchOfHead.values()].includes(branch) ? branch : undefined;
  // Compacted messages are above it, and a note has no source branch.
  const isElsewhere = kind !== 'compacted' && kind !== 'note';
  const found = headMessageId === null ? byName : (branchOfHead.get(headMessageId) ?? byName);
  return {
    goal: labelOf(found ?? branch),
    kind,
    count,
    ...(tokens ? { tokens } : {}),
    ...(isElsewhere ? explored(found, labelOf) : {}),
    ...(model === undefined ? {} : { model: isEdited ? vscode.l10n.t('{0}, edited', model) : model }),
  };
}

function errorView(
  error: { readonly code: string; readonly message: string } | undefined,
): Pick<MessageView, 'error' | 'wantsKey' | 'canSummarize' | 'isAtBudget'> {
  if (!error) return {};
  const { code } = error;
  return {
    error: translatedNotice(error),
    ...(code === 'unauthorized' ? { wantsKey: true } : {}),
    ...(code === 'context-too-long' ? { canSummarize: true } : {}),
    ...(code === BUDGET_REACHED ? { isAtBudget: true } : {}),
  };
}

export function runView(run: Run, approvals: Pick<Approvals, 'get'>): MessageView {
  return {
    id: run.messageId,
    role: 'assistant',
    parts: run.message().parts.map((part) => partView(part, approvals, { isLive: true })),
    createdAt: run.startedAt,
    status: run.status,
    ...errorView(run.error),
    ...(run.isUnsaved ? { isUnsaved: true } : {}),
    ...(run.notSaved ? { isUnsaved: true, canSave: true } : {}),
    ...(run.retry ? { waiting: retryText(run.retry) } : {}),
    ...(run.compacting ? { waiting: compactingText(run.compacting) } : {}),
    ...noticeView(run.notice),
    model: modelOf(run.model.label, {
      isDemo: run.model.isDemo,
      temperature: run.temperature,
      effort: run.effort,
    }),
    checkpoints: [],
  };
}

function modelOf(
  label: string,
  {
    isDemo,
    temperature,
    effort,
  }: {
    readonly isDemo: boolean;
    readonly temperature?: number | undefined;
    readonly effort?: ReasoningEffort | undefined;
  },
): NonNullable<MessageView['model']> {
  return {
    label,
    isDemo,
    ...(temperature === undefined ? {} : { temperature }),
    ...(effort === undefined ? {} : { effort: effortText(effort) }),
  };
}

/**
 * One view for each part: later pieces name their part by number.
 * @param isLive it is still being written: missing fields may arrive
 * @param endedAt when its message ended, in milliseconds since 1970
 */
export function partView(
  part: UIMessagePart,
  approvals: Pick<Approvals, 'get'>,
  { isLive = false, endedAt }: { readonly isLive?: boolean; readonly endedAt?: number | undefined } = {},
): PartView {
  if (isTextPart(part)) return { type: 'text', text: part.text };
  if (isUnreadablePart(part))
    return { type: 'text', text: vscode.l10n.t('[Part of this message can’t be read]') };
  if (isReasoningPart(part)) return reasoningView(part, endedAt);
  if (isToolPart(part)) return toolView(part, approvals, { isLive });
  const attached = attachedView(part);
  if (attached) return attached;
  return { type: 'nothing' };
}

/** A part that has begun and not ended is timed by the page, or ended with its message, which was stopped or failed. */
function reasoningView(part: ReasoningPart, endedAt: number | undefined): PartView {
  const { startedAt, finishedAt = endedAt } = reasoningTimes(part);
  return {
    type: 'reasoning',
    text: part.text,
    ...(startedAt === undefined
      ? {}
      : finishedAt === undefined
        ? { startedAt }
        : { duration: Math.max(0, finishedAt - startedAt) }),
  };
}

function noticeView(notice: AnswerMetadata['notice']): Pick<MessageView, 'notice'> {
  if (!notice) return {};
  return { notice: { text: translatedNotice(notice), canContinue: waitsForUser(notice) } };
}

function compactingText({ portion, portions }: CompactionProgress): string {
  return portions === 1
    ? vscode.l10n.t('Compacting the conversation…')
    : vscode.l10n.t('Compacting the conversation… ({0}/{1})', portion, portions);
}

function retryText({ attempt, maxRetries, delay, error }: Retry): string {
  const seconds = Math.max(1, Math.ceil(delay / 1_000));
  return sentences(
    reason(error.code),
    vscode.l10n.t('Retrying in {0} s ({1}/{2})…', seconds, attempt, maxRetries),
  );
}

function reason(code: string): string {
  switch (code) {
    case 'rate-limited':
      return vscode.l10n.t('Rate limited.');
    case 'overloaded':
      return vscode.l10n.t('The model server is overloaded.');
    case 'network':
    case 'timeout':
      return vscode.l10n.t('Can’t reach the model server.');
    default:
      return vscode.l10n.t('Server error.');
  }
}
