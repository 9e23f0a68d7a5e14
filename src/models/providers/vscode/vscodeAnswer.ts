import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { readDataUrl } from '../../../base/dataUrl.ts';
import { fromBase64 } from '../../../engine/bytes.ts';
import type { OpenedModel } from '../../chatModel.ts';
import { describeTooLong, quoted, saysTooLong } from '../../errors/describeStatus.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import { streamedModel, type OfferedTool, type StreamedPiece } from '../streamedModel.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';
import { noticeDescriptor } from '../../errors/notice.ts';
import type { VsCodeModel, VsCodeModels, VsCodePart } from './vscodeModelApi.ts';
import { thinkingOf } from '../../requests/vscodeThinking.ts';

const JUSTIFICATION = 'To answer what you ask in Offshoot.';

export function openVsCodeModel<Message, Token>(
  models: VsCodeModels<Message, Token>,
  model: VsCodeModel<Message, Token>,
  takesTools: boolean,
): OpenedModel {
  return streamedModel({
    provider: `vscode.${model.vendor}`,
    modelId: model.id,
    takesTools,
    // VS Code does not report whether its provider uses it.
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
      // A reasoning signature may arrive without text.
      if (piece !== undefined && (piece.type !== 'text' || piece.text !== '')) yield piece;
    }
    signal.throwIfAborted();
  } catch (error) {
    // A canceled request ends with VS Code's own error; throw our reason.
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

/** Tool results become user messages. Expects a prompt already fitted to VS Code's models, without system messages. */
export function vsCodeMessages(prompt: LanguageModelV4Prompt): VsCodeMessage[] {
  return prompt.map((message) => {
    switch (message.role) {
      case 'system':
        return { role: 'user', parts: [{ type: 'text', text: message.content }] };
      case 'assistant':
        return { role: 'assistant', parts: message.content.flatMap(vsCodePart) };
      case 'user':
      case 'tool':
        return { role: 'user', parts: message.content.flatMap(vsCodePart) };
    }
  });
}

type PromptPart = Exclude<LanguageModelV4Prompt[number], { role: 'system' }>['content'][number];

function vsCodePart(part: PromptPart): VsCodePart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'reasoning': {
      // Another provider's reasoning cannot be sent back.
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
      const data = bytesOf(part.data);
      return data ? [{ type: 'image', mediaType: part.mediaType, data }] : [];
    }
    default:
      return [];
  }
}

/** Pictures are embedded: nothing is fetched. */
function bytesOf(file: Extract<PromptPart, { type: 'file' }>['data']): Uint8Array | undefined {
  if (file.type === 'data') return typeof file.data === 'string' ? fromBase64(file.data) : file.data;
  const embedded = file.type === 'url' ? readDataUrl(file.url.href)?.base64 : undefined;
  return embedded === undefined ? undefined : fromBase64(embedded);
}

/** Results are sent as text: this program uses no other kind. */
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

/** Errors of `vscode.LanguageModelError` are distinguished by their `code`; the class itself is not available here. */
function vsCodeError(error: unknown, modelName: string): ModelError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = error instanceof Error ? error.message : '';
  const cause = { cause: error };
  // Extensions use any code for these errors, or none.
  if (saysTooLong(message)) {
    return new ModelError('context-too-long', noticeDescriptor(describeTooLong(modelName, message)), cause);
  }
  if (/quota|premium request|monthly|insufficient|billing|out of credit/iu.test(message)) {
    return new ModelError(
      'quota',
      defineMessage('The quota of {0} is used up{1}', modelName, quoted(message)),
      cause,
    );
  }
  if (/rate.?limit|too many requests|\b429\b/iu.test(message)) {
    return new ModelError(
      'rate-limited',
      defineMessage('{0} is rate limited{1}', modelName, quoted(message)),
      cause,
    );
  }
  switch (code) {
    case 'NoPermissions':
      return new ModelError(
        'vscode-no-permission',
        defineMessage(
          'Offshoot can’t use {0} yet. Ask again and allow it in the dialog, or run “Manage Language Model Access…” in the menu of your account.',
          modelName,
        ),
        cause,
      );
    case 'Blocked':
      return new ModelError(
        'vscode-blocked',
        defineMessage(
          '{0} refused the request{1} Wait, or select another model.',
          modelName,
          quoted(message),
        ),
        cause,
      );
    case 'NotFound':
      return new ModelError(
        'model-not-found',
        defineMessage('{0} is no longer available. Run “Offshoot: Select Model”.', modelName),
        cause,
      );
    default:
      return new ModelError(
        'vscode-error',
        defineMessage('{0} failed{1}', modelName, quoted(message)),
        cause,
      );
  }
}
