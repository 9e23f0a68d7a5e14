import * as vscode from 'vscode';
import type { Budget } from '../../agent/budget/budget.ts';
import type { Run, Runs } from '../../agent/run/runs.ts';
import { DeniedError } from '../../agent/tools/approvals.ts';
import type { ForeignCall } from '../../agent/tools/foreignTools.ts';
import { ToolError } from '../../agent/tools/toolError.ts';
import type { Sequencer } from '../../base/sequencer.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { isToolPart } from '../../engine/uiMessage.ts';

/** A call of an MCP server's tool that has not ended. */
export interface RunningServerTool {
  readonly name: string;
  readonly call: ForeignCall;
  /** What the server asks is dealt with one after the other: the row of a call shows one question. */
  readonly asking: Sequencer;
}

export interface ServerModelParts {
  readonly runs: Pick<Runs, 'list'>;
  readonly store: Pick<ReadonlyStore, 'getBranch'>;
  readonly budget: () => Promise<Pick<Budget, 'for'>>;
}

/** How much a server may ask at once, in UTF-16 units and messages, and how long an answer may take. */
const MAX_TEXT = 100_000;
const MAX_MESSAGES = 100;
const PATIENCE_MS = 120_000;

const { role: USER }: { role: number } = vscode.LanguageModelChatMessage.User('');
const { role: ASSISTANT }: { role: number } = vscode.LanguageModelChatMessage.Assistant('');

interface Asked {
  readonly instructions: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
}

/**
 * Has the model of the chat write what the server of the running tool asks, once the user has allowed it.
 * @throws an error whose message the server gets
 */
export async function answerServer(
  deps: ServerModelParts,
  running: ReadonlySet<RunningServerTool>,
  given: readonly vscode.LanguageModelChatRequestMessage[],
  token: vscode.CancellationToken,
): Promise<string> {
  const stopping = new AbortController();
  const stopped = token.onCancellationRequested(() => stopping.abort());
  try {
    const [tool, ...others] = running;
    if (!tool || others.length > 0) {
      throw new ToolError(
        !tool
          ? 'Offshoot’s chat answers only while it calls a tool of the server.'
          : 'Offshoot’s chats call several tools at once, and VS Code does not say for which one this is.',
        'no-single-call',
      );
    }
    const asked = readAsked(given);
    const signal = AbortSignal.any([stopping.signal, tool.call.signal]);
    return await tool.asking.run(() => answer(deps, running, tool, asked, signal));
  } catch (error) {
    throw forServer(error);
  } finally {
    stopped.dispose();
  }
}

async function answer(
  { runs, store, budget }: ServerModelParts,
  running: ReadonlySet<RunningServerTool>,
  tool: RunningServerTool,
  asked: Asked,
  signal: AbortSignal,
): Promise<string> {
  const { chatId, callId } = tool.call;
  const run = runs.list(chatId).find((each) => calls(each, callId));
  if (!run) throw ended();
  const { model, branch, questionId: messageId } = run;
  const text = [asked.instructions, ...asked.messages.map(({ content }) => content)]
    .filter((each) => each !== '')
    .join('\n\n');
  await tool.call.approve({ kind: `requests:${tool.name}`, modelRequest: { text, model: model.label } });
  signal.throwIfAborted();
  // The answer would go to a call that is over.
  if (!running.has(tool)) throw ended();
  const branchId = (await store.getBranch(chatId, branch))?.id;
  const { answerForServer } = await import('../../agent/withSdk.ts');
  return answerForServer({
    model,
    ...asked,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    spends: (await budget()).for({ chatId, branchId, messageId }),
  });
}

function calls(run: Run, callId: string): boolean {
  return run.message().parts.some((part) => isToolPart(part) && part.toolCallId === callId);
}

function readAsked(given: readonly vscode.LanguageModelChatRequestMessage[]): Asked {
  const instructions: string[] = [];
  const messages: { role: 'user' | 'assistant'; content: string }[] = [];
  let length = 0;
  for (const { role, content } of given) {
    const text = content.map(textOf).join('\n');
    length += text.length;
    const by = roleOf(role);
    if (by) messages.push({ role: by, content: text });
    else instructions.push(text);
  }
  if (length > MAX_TEXT || messages.length > MAX_MESSAGES) {
    throw new ToolError(`A request may have ${MAX_TEXT} characters in ${MAX_MESSAGES} messages.`, 'too-long');
  }
  if (messages.length === 0) throw new ToolError('The request has no message.', 'empty');
  return { instructions: instructions.join('\n\n'), messages };
}

/** Undefined for instructions, whose role VS Code's published types don't have yet. */
function roleOf(role: number): 'user' | 'assistant' | undefined {
  if (role === USER) return 'user';
  return role === ASSISTANT ? 'assistant' : undefined;
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  throw new ToolError('Only texts can be passed on.', 'not-text');
}

function ended(): ToolError {
  return new ToolError('The call of the tool has ended.', 'call-ended');
}

/** The server gets the stack as well, which names folders of this machine. */
function forServer(error: unknown): Error {
  const isDenied = error instanceof DeniedError;
  const text = error instanceof ToolError ? error.message : 'The request was stopped, or failed.';
  const shown = new Error(isDenied ? 'The user did not allow this request.' : text);
  shown.stack = shown.message;
  return shown;
}
