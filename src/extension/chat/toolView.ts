import * as vscode from 'vscode';
import { resultText } from '../../agent/modelMessages.ts';
import type { Approvals, PendingApproval } from '../../agent/tools/approvals.ts';
import { WRITE } from '../../agent/tools/files/writeTools.ts';
import { timesOf, type AnyToolPart } from '../../agent/tools/toolParts.ts';
import { toolNameOf } from '../../engine/uiMessage.ts';
import type { ApprovalView, ToolPartView, ToolState } from '../../protocol/views.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { shownName } from '../context/shownName.ts';
import { sentences } from '../formats.ts';
import { approvalNotes } from './approvalNotes.ts';
import { describeCall } from './toolTitles.ts';

/** How much of a path or of a tool's name a question for leave shows, in characters. */
const NAME_LENGTH = 300;

/** How much of an input or a result the page gets, in UTF-16 units: all calls of a conversation are sent at once. */
const SHOWN_LENGTH = 4_000;

/** The call of a tool as the page shows it. */
export function toolView(part: AnyToolPart, approvals: Pick<Approvals, 'get'>): ToolPartView {
  const name = toolNameOf(part);
  const { startedAt, finishedAt } = timesOf(part);
  const asked = part.state === 'approval-requested' ? approvals.get(part.approval.id) : undefined;
  return {
    type: 'tool',
    callId: part.toolCallId,
    name,
    ...describeCall(name, part.input),
    state: asked ? 'asking' : stateOf(part),
    input: part.input === undefined ? '' : shownInput(part.input),
    output: shown(resultText(part)),
    ...(startedAt === undefined || finishedAt === undefined ? {} : { duration: finishedAt - startedAt }),
    ...(asked ? { approval: approvalView(asked, part.input) } : {}),
  };
}

function approvalView(asked: PendingApproval, input: unknown): ApprovalView {
  const { id, kind, toolName, preview, isProtected } = asked;
  return {
    id,
    question: sentences(
      question(kind, toolName, preview?.shown, preview?.before === null, isProtected),
      ...approvalNotes(asked, input),
    ),
    choices: isProtected ? ['once', 'deny'] : ['once', 'chat', 'workspace', 'deny'],
    hasChanges: preview !== undefined,
  };
}

function question(
  kind: string,
  tool: string,
  path: string | undefined,
  isNew: boolean,
  isProtected: boolean,
): string {
  const l10n = vscode.l10n;
  // What is allowed must not look like something else.
  if (kind !== WRITE || path === undefined) {
    return l10n.t('May the tool “{0}” be used?', shownName(tool, NAME_LENGTH));
  }
  const file = shownName(path, NAME_LENGTH);
  if (isProtected)
    return l10n.t('May {0} be written? It can decide what programs run on this machine.', file);
  return isNew ? l10n.t('May {0} be created?', file) : l10n.t('May {0} be changed?', file);
}

function stateOf({ state }: AnyToolPart): ToolState {
  switch (state) {
    case 'input-streaming':
      return 'preparing';
    case 'input-available':
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
