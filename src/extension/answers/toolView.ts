import * as vscode from 'vscode';
import { resultText } from '../../agent/modelMessages.ts';
import type { Approvals, PendingApproval } from '../../agent/tools/approvals.ts';
import { WRITE } from '../../agent/tools/approvals.ts';
import { timesOf, type AnyToolPart } from '../../agent/tools/toolParts.ts';
import { toolNameOf } from '../../engine/uiMessage.ts';
import type { ApprovalView, ToolPartView, ToolState } from '../../protocol/views.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { shownName } from '../ui/shownName.ts';
import { sentences } from '../ui/formats.ts';
import { approvalNotes } from './approvalNotes.ts';
import { protectionText } from '../workspaceFiles/protectionText.ts';
import { toolChanges } from './toolChanges.ts';
import { describeCall } from './toolTitles.ts';

/** How much of a path or of a tool's name a question for leave shows, in characters. */
const NAME_LENGTH = 300;

/** How much of an input or a result the page gets, in UTF-16 units: all calls of a conversation are sent at once. */
const SHOWN_LENGTH = 4_000;

/** The call of a tool as the page shows it. */
export function toolView(part: AnyToolPart, approvals: Pick<Approvals, 'get'>): ToolPartView {
  const name = toolNameOf(part);
  const { startedAt, finishedAt } = timesOf(part);
  const changes = toolChanges(part);
  const asked = part.state === 'approval-requested' ? approvals.get(part.approval.id) : undefined;
  return {
    type: 'tool',
    callId: part.toolCallId,
    name,
    ...describeCall(name, part.input),
    state: asked ? 'asking' : stateOf(part),
    input: part.input === undefined || changes ? '' : shownInput(part.input),
    ...(changes ? { changes } : {}),
    output: shown(resultText(part)),
    ...(startedAt === undefined || finishedAt === undefined ? {} : { duration: finishedAt - startedAt }),
    ...(asked ? { approval: approvalView(asked, part.input) } : {}),
  };
}

function approvalView(asked: PendingApproval, input: unknown): ApprovalView {
  const { id, reads, preview } = asked;
  const reason = reasonFor(asked);
  return {
    id,
    question: sentences(question(asked), ...approvalNotes(asked, input)),
    ...(reason === undefined ? {} : { reason }),
    choices: choicesFor(asked),
    covers: reads !== undefined ? 'reading' : asked.kind === WRITE ? 'edits' : 'tool',
    hasChanges: preview !== undefined,
  };
}

function choicesFor({ protection, reads }: PendingApproval): ApprovalView['choices'] {
  if (reads !== undefined) return ['chat', 'deny'];
  return protection === undefined ? ['once', 'chat', 'workspace', 'deny'] : ['once', 'deny'];
}

/** What is allowed must not look like something else. */
function question({ kind, toolName, preview, reads }: PendingApproval): string {
  const l10n = vscode.l10n;
  if (reads !== undefined) return l10n.t('Allow reading {0}?', shownName(reads, NAME_LENGTH));
  if (kind !== WRITE || preview === undefined) {
    return l10n.t('Allow use of the tool “{0}”?', shownName(toolName, NAME_LENGTH));
  }
  const file = shownName(preview.shown, NAME_LENGTH);
  return preview.before === null ? l10n.t('Allow creating {0}?', file) : l10n.t('Allow edit to {0}?', file);
}

function reasonFor({ protection, reads }: PendingApproval): string | undefined {
  if (reads !== undefined) {
    return vscode.l10n.t('Files with this name often hold passwords or keys. The model would see all of it.');
  }
  if (protection === undefined) return undefined;
  return vscode.l10n.t('{0} Edits to it are asked for each time.', protectionText(protection));
}

function stateOf(part: AnyToolPart): ToolState {
  switch (part.state) {
    case 'input-streaming':
      return 'preparing';
    case 'input-available':
      // Calls that change something are carried out one after the other: the first is timed from when it begins.
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

/** What goes in is looked at before it is allowed: nothing in it may hide. */
function shownInput(input: unknown): string {
  return withHiddenSpelledOut(shown(JSON.stringify(input, undefined, 2)));
}

function shown(text: string): string {
  if (text.length <= SHOWN_LENGTH) return text;
  const left = text.length - SHOWN_LENGTH;
  return `${text.slice(0, SHOWN_LENGTH).toWellFormed()}\n${vscode.l10n.t('… {0} more characters', left)}`;
}
