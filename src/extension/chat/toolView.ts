import * as vscode from 'vscode';
import { resultText } from '../../agent/modelMessages.ts';
import { timesOf, type AnyToolPart } from '../../agent/tools/toolParts.ts';
import { toolNameOf } from '../../engine/uiMessage.ts';
import type { ToolPartView, ToolState } from '../../protocol/views.ts';
import { describeCall } from './toolTitles.ts';

/** How much of an input or a result the page gets, in UTF-16 units: all calls of a conversation are sent at once. */
const SHOWN_LENGTH = 4_000;

/** The call of a tool as the page shows it. */
export function toolView(part: AnyToolPart): ToolPartView {
  const name = toolNameOf(part);
  const { startedAt, finishedAt } = timesOf(part);
  return {
    type: 'tool',
    callId: part.toolCallId,
    name,
    ...describeCall(name, part.input),
    state: stateOf(part),
    input: part.input === undefined ? '' : shown(JSON.stringify(part.input, undefined, 2)),
    output: shown(resultText(part)),
    ...(startedAt === undefined || finishedAt === undefined ? {} : { duration: finishedAt - startedAt }),
  };
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

function shown(text: string): string {
  if (text.length <= SHOWN_LENGTH) return text;
  const left = text.length - SHOWN_LENGTH;
  return `${text.slice(0, SHOWN_LENGTH).toWellFormed()}\n${vscode.l10n.t('… {0} more characters', left)}`;
}
