import * as vscode from 'vscode';
import { resultText } from '../../agent/context/modelMessages.ts';
import type { CommandRun } from '../../agent/tools/commands/commandRun.ts';
import type { CommandRuns } from '../../agent/tools/commands/commandRuns.ts';
import { commandDetailsIn } from '../../agent/tools/commands/commandDetails.ts';
import { toolCallsIn, type MessageToolCall } from '../../models/messages/toolParts.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { openPlain, plainUri } from '../ui/tabs.ts';
import type { Runs } from '../../agent/run/runs.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

const SCHEME = 'offshoot-call';

/** Identifies a call: ids of calls come from servers and may occur in several messages. */
interface CallPlace {
  readonly messageId: string;
  readonly callId: string;
}

/** The page shows only its beginning. */
export async function openToolCall(chatId: string, { messageId, callId }: CallPlace): Promise<void> {
  const query = new URLSearchParams({ chatId, messageId, callId }).toString();
  await openPlain(plainUri(SCHEME, query), vscode.l10n.t('Tool call'));
}

export function registerToolCallFiles(deps: {
  readonly commands: CommandRuns;
  readonly runs: Runs;
  readonly store: ReadonlyStore;
}): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** Documents that were opened before their call ended. */
  const waiting = new Map<string, vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (uri) => {
        const found = await findCall(deps, uri);
        if (!found) return vscode.l10n.t('This call is gone.');
        if (found.isRunning) waiting.set(uri.toString(), uri);
        else waiting.delete(uri.toString());
        return withHiddenSpelledOut(callText(found.call, runOf(deps.commands, found.call)));
      },
    }),
    deps.runs.onDidChange(({ kind }) => {
      if (kind === 'part' || kind === 'finished') for (const uri of waiting.values()) changed.fire(uri);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => waiting.delete(uri.toString())),
  );
}

async function findCall(
  { store, runs }: Parameters<typeof registerToolCallFiles>[0],
  { query }: vscode.Uri,
): Promise<{ readonly call: MessageToolCall; readonly isRunning: boolean } | undefined> {
  const place = new URLSearchParams(query);
  const [chatId, messageId, callId] = ['chatId', 'messageId', 'callId'].map((name) => place.get(name) ?? '');
  if (chatId === undefined || messageId === undefined) return undefined;
  const running = runs.list(chatId).find((run) => run.messageId === messageId);
  const stored = running ? undefined : await store.getMessage(chatId, messageId);
  const message = running?.message() ?? (stored && readUIMessage(stored.data));
  const call = message && toolCallsIn(message).find(({ toolCallId }) => toolCallId === callId);
  return call && { call, isRunning: running !== undefined };
}

function runOf(commands: CommandRuns, call: MessageToolCall): CommandRun | undefined {
  if (call.type !== 'tool-run_command') return undefined;
  const id = call.state === 'output-available' ? commandDetailsIn(call.output)?.id : undefined;
  return commands.ofCall(call.toolCallId, id);
}

/** @param run the command that the call runs: it has more of the output than the model was given */
function callText(call: MessageToolCall, run: CommandRun | undefined): string {
  const { toolName, input, state } = call;
  const result = run ? run.output.whole() : resultText(call);
  const label = state === 'output-available' ? vscode.l10n.t('Result') : vscode.l10n.t('Error');
  return [
    heading(vscode.l10n.t('Input of {0}', toolName)),
    input === undefined ? '' : JSON.stringify(input, undefined, 2),
    ...(result === '' ? [] : ['', heading(label), result]),
    '',
  ].join('\n');
}

function heading(text: string): string {
  return `${text}\n${'─'.repeat(text.length)}`;
}
