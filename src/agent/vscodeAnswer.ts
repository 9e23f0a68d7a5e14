import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { fromBase64 } from '../engine/base64.ts';
import type { OpenedModel } from './chatModel.ts';
import { describeTooLong } from './describeStatus.ts';
import { ModelError } from './modelErrors.ts';
import { quoted } from './quoted.ts';
import { streamedModel, type OfferedTool, type StreamedPiece } from './streamedModel.ts';
import { saysTooLong } from './tooLong.ts';
import { phrase } from '../engine/phrase.ts';
import { phraseOf } from './notice.ts';
import type { VsCodeModel, VsCodeModels, VsCodePart } from './vscodeLmModel.ts';
import { thinkingOf } from './vscodeThinking.ts';

const JUSTIFICATION = 'To answer what you ask in Offshoot.';

/** A model of VS Code's, in the form of the AI SDK. */
export function openVsCodeModel<Message, Token>(
  models: VsCodeModels<Message, Token>,
  model: VsCodeModel<Message, Token>,
  takesTools: boolean,
): OpenedModel {
  return streamedModel({
    provider: `vscode.${model.vendor}`,
    modelId: model.id,
    takesTools,
    // Whether its provider heeds it, VS Code does not say.
    takesTemperature: true,
    answer: (prompt, signal, tools, temperature) =>
      answer(models, model, { prompt, signal, tools, temperature }),
  });
}

interface Question {
  readonly prompt: LanguageModelV4Prompt;
  readonly signal: AbortSignal;
  readonly tools: readonly OfferedTool[];
  readonly temperature: number | undefined;
}

async function* answer<Message, Token>(
  models: VsCodeModels<Message, Token>,
  model: VsCodeModel<Message, Token>,
  { prompt, signal, tools, temperature }: Question,
): AsyncGenerator<StreamedPiece> {
  const cancellation = models.newCancellation();
  const cancel = (): void => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    const messages = vsCodeMessages(prompt).map(({ role, parts }) => models.message(role, parts));
    const options = {
      justification: JUSTIFICATION,
      ...(tools.length === 0 ? {} : { tools: [...tools] }),
      ...(temperature === undefined ? {} : { modelOptions: { temperature } }),
    };
    const response = await model.sendRequest(messages, options, cancellation.token);
    for await (const part of response.stream) {
      const piece = models.readPart(part);
      // What a thought is checked by may come without a word.
      if (piece !== undefined && (piece.type !== 'text' || piece.text !== '')) yield piece;
    }
    signal.throwIfAborted();
  } catch (error) {
    // A cancelled request ends with an error of VS Code's own; the reason is ours.
    signal.throwIfAborted();
    throw vsCodeError(error, model.name);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

export interface VsCodeMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly VsCodePart[];
}

/**
 * The prompt as VS Code takes it: no system role, user and assistant by turns beginning with the user, and right after
 * each call its result. A call that has none is told as one whose outcome is unknown; a result without a call is left out.
 */
export function vsCodeMessages(prompt: LanguageModelV4Prompt): VsCodeMessage[] {
  const turns: { readonly role: 'user' | 'assistant'; readonly parts: VsCodePart[] }[] = [];
  const say = (role: 'user' | 'assistant', parts: readonly VsCodePart[]): void => {
    if (parts.length === 0) return;
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts: [...parts] });
  };
  const isWanted = (part: VsCodePart): boolean =>
    part.type !== 'tool-result' ||
    callsOf(turns.findLast(({ role }) => role === 'assistant')).includes(part.callId);
  for (const message of prompt) {
    if (message.role === 'system') say('user', [{ type: 'text', text: message.content }]);
    else if (message.role === 'assistant') say('assistant', message.content.flatMap(vsCodePart));
    else say('user', message.content.flatMap(vsCodePart).filter(isWanted));
  }
  // A conversation that was shortened may begin with an answer.
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', parts: [{ type: 'text', text: '…' }] });
  return paired(turns);
}

function paired(turns: readonly VsCodeMessage[]): VsCodeMessage[] {
  const messages: VsCodeMessage[] = [];
  let open: string[] = [];
  for (const { role, parts } of turns) {
    if (role === 'assistant') {
      open = callsOf({ parts });
      messages.push({ role, parts });
      continue;
    }
    const results = open.map(
      (callId) => parts.find((part) => isResultOf(part, callId)) ?? unknownOutcome(callId),
    );
    const others = parts.filter(({ type }) => type !== 'tool-result');
    open = [];
    messages.push({ role, parts: [...results, ...others] });
  }
  if (open.length > 0) messages.push({ role: 'user', parts: open.map(unknownOutcome) });
  return messages;
}

function callsOf(turn: Pick<VsCodeMessage, 'parts'> | undefined): string[] {
  return turn?.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])) ?? [];
}

function isResultOf(part: VsCodePart, callId: string): boolean {
  return part.type === 'tool-result' && part.callId === callId;
}

function unknownOutcome(callId: string): VsCodePart {
  return { type: 'tool-result', callId, text: 'The outcome of this call is not known.' };
}

type PromptPart = Exclude<LanguageModelV4Prompt[number], { role: 'system' }>['content'][number];

function vsCodePart(part: PromptPart): VsCodePart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'reasoning': {
      // Of other providers, a thought is not to be had back.
      const kept = thinkingOf(part.providerOptions);
      return kept === undefined ? [] : [{ type: 'reasoning', text: part.text, kept }];
    }
    case 'tool-call': {
      const { toolCallId: callId, toolName: name, input } = part;
      return [
        { type: 'tool-call', callId, name, input: typeof input === 'object' && input !== null ? input : {} },
      ];
    }
    case 'tool-result':
      return [{ type: 'tool-result', callId: part.toolCallId, text: resultText(part.output) }];
    case 'file': {
      if (!part.mediaType.startsWith('image/')) return [];
      const data = bytesOf(part.data);
      if (data === 'unreadable') return [{ type: 'text', text: UNREADABLE_IMAGE }];
      return data ? [{ type: 'image', mediaType: part.mediaType, data }] : [];
    }
    default:
      return [];
  }
}

/** Said to the model in place of a picture: the question was asked with one. */
const UNREADABLE_IMAGE = '[An image was left out, because its data cannot be read.]';

/** Pictures come along: nothing is fetched from anywhere. */
function bytesOf(file: Extract<PromptPart, { type: 'file' }>['data']): Uint8Array | 'unreadable' | undefined {
  if (file.type === 'data') return typeof file.data === 'string' ? decoded(file.data) : file.data;
  const embedded = file.type === 'url' ? /^data:[^,]*;base64,(.*)$/su.exec(file.url.href)?.[1] : undefined;
  return embedded === undefined ? undefined : decoded(embedded);
}

/** What was kept may be of another program, and anything. */
function decoded(base64: string): Uint8Array | 'unreadable' {
  try {
    return fromBase64(base64);
  } catch {
    return 'unreadable';
  }
}

/** Results go in as text: that is what this program sends. */
function resultText(output: Extract<PromptPart, { type: 'tool-result' }>['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'execution-denied':
      return output.reason ?? 'The call was denied.';
    case 'content':
      return output.value.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
  }
}

/** Errors of `vscode.LanguageModelError` are told apart by their `code`; the class itself is not to be had here. */
function vsCodeError(error: unknown, modelName: string): ModelError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const said = error instanceof Error ? error.message : '';
  const cause = { cause: error };
  // Extensions use any code for these, or none.
  if (saysTooLong(said)) {
    return new ModelError('context-too-long', phraseOf(describeTooLong(modelName, said)), cause);
  }
  if (/quota|premium request|monthly|insufficient|billing|out of credit/iu.test(said)) {
    return new ModelError('quota', phrase('The quota of {0} is used up{1}', modelName, quoted(said)), cause);
  }
  if (/rate.?limit|too many requests|\b429\b/iu.test(said)) {
    return new ModelError('rate-limited', phrase('{0} is rate limited{1}', modelName, quoted(said)), cause);
  }
  switch (code) {
    case 'NoPermissions':
      return new ModelError(
        'vscode-no-permission',
        phrase(
          'Offshoot can’t use {0} yet. Ask again and allow it in the dialog, or run “Manage Language Model Access…” in the menu of your account.',
          modelName,
        ),
        cause,
      );
    case 'Blocked':
      return new ModelError(
        'vscode-blocked',
        phrase('{0} refused the request{1} Wait, or select another model.', modelName, quoted(said)),
        cause,
      );
    case 'NotFound':
      return new ModelError(
        'model-not-found',
        phrase('{0} is no longer available. Run “Offshoot: Select Model”.', modelName),
        cause,
      );
    default:
      return new ModelError('vscode-error', phrase('{0} failed{1}', modelName, quoted(said)), cause);
  }
}
