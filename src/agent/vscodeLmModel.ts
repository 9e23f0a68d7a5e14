import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Disposable } from '../engine/event.ts';
import type { ChatModel, ModelSource } from './chatModel.ts';
import { ModelError } from './modelErrors.ts';
import { streamedModel, type StreamedPiece } from './streamedModel.ts';

/**
 * VS Code's language models as far as answers need them. Only the extension may know `vscode`, so it hands this in;
 * `Message` and `Token` are its classes, which nothing here looks into.
 */
export interface VsCodeModels<Message, Token> {
  /** The models there are now, of every vendor. */
  select(): PromiseLike<readonly VsCodeModel<Message, Token>[]>;
  /** A message in VS Code's form. There is no system role; instructions go in as the first message of the user. */
  message(role: 'user' | 'assistant', parts: readonly VsCodePart[]): Message;
  /** What a piece of a response holds; undefined for kinds that are not shown. */
  readPart(part: unknown): VsCodePart | undefined;
  newCancellation(): VsCodeCancellation<Token>;
}

/** A part of a message. Tool calls and their results become further kinds of it. */
export type VsCodePart = StreamedPiece;

/** The members of `vscode.LanguageModelChat` that are used. */
export interface VsCodeModel<Message, Token> {
  readonly name: string;
  readonly id: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
  sendRequest(
    messages: Message[],
    options: { justification?: string },
    token: Token,
  ): PromiseLike<{ readonly stream: AsyncIterable<unknown> }>;
}

/** The members of `vscode.CancellationTokenSource` that are used. */
export interface VsCodeCancellation<Token> extends Disposable {
  readonly token: Token;
  cancel(): void;
}

const JUSTIFICATION = 'To answer what you ask in Offshoot.';

/** Models other extensions bring to VS Code: Copilot and whatever else is installed. */
export class VsCodeModelSource<Message, Token> implements ModelSource {
  readonly id = 'vscode';
  readonly #models: VsCodeModels<Message, Token>;

  constructor(models: VsCodeModels<Message, Token>) {
    this.#models = models;
  }

  async list(): Promise<readonly ChatModel[]> {
    const models = await this.#models.select();
    return models.map((model) => this.#chatModel(model));
  }

  async find(id: string): Promise<ChatModel | undefined> {
    return (await this.list()).find((model) => model.id === id);
  }

  #chatModel(model: VsCodeModel<Message, Token>): ChatModel {
    return {
      id: `${this.id}:${model.vendor}/${model.id}`,
      label: model.name,
      isDemo: false,
      detail: model.vendor,
      contextWindow: model.maxInputTokens,
      open: () =>
        Promise.resolve(
          streamedModel({
            provider: `${this.id}.${model.vendor}`,
            modelId: model.id,
            answer: (prompt, signal) => answer(this.#models, model, prompt, signal),
          }),
        ),
    };
  }
}

async function* answer<Message, Token>(
  models: VsCodeModels<Message, Token>,
  model: VsCodeModel<Message, Token>,
  prompt: LanguageModelV4Prompt,
  signal: AbortSignal,
): AsyncGenerator<StreamedPiece> {
  const cancellation = models.newCancellation();
  const cancel = (): void => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    const messages = vsCodeMessages(prompt).map(({ role, parts }) => models.message(role, parts));
    const response = await model.sendRequest(messages, { justification: JUSTIFICATION }, cancellation.token);
    for await (const part of response.stream) {
      const piece = models.readPart(part);
      if (piece !== undefined && piece.text !== '') yield piece;
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

interface VsCodeMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly VsCodePart[];
}

function vsCodeMessages(prompt: LanguageModelV4Prompt): VsCodeMessage[] {
  return prompt.flatMap((message): VsCodeMessage[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'user', parts: [{ type: 'text', text: message.content }] }];
      case 'user':
      case 'assistant': {
        const parts = message.content.flatMap((part): VsCodePart[] =>
          part.type === 'text' ? [{ type: 'text', text: part.text }] : [],
        );
        return parts.length === 0 ? [] : [{ role: message.role, parts }];
      }
      case 'tool':
        return [];
    }
  });
}

/** Errors of `vscode.LanguageModelError` are told apart by their `code`; the class itself is not to be had here. */
function vsCodeError(error: unknown, modelName: string): ModelError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const said = error instanceof Error ? error.message : '';
  switch (code) {
    case 'NoPermissions':
      return new ModelError(
        'vscode-no-permission',
        `Offshoot may not use ${modelName} yet. Ask again and allow it in the dialog, or change it under ` +
          '“Manage Language Model Access…” of your account.',
        { cause: error },
      );
    case 'Blocked':
      return new ModelError(
        'vscode-blocked',
        `${modelName} refused the request: the quota is used up, or the content was blocked. Wait, or pick another model.`,
        { cause: error },
      );
    case 'NotFound':
      return new ModelError(
        'model-not-found',
        `${modelName} is no longer there. Pick another with “Offshoot: Select Model”.`,
        { cause: error },
      );
    default:
      if (/quota|rate.?limit/iu.test(said)) {
        return new ModelError(
          'rate-limited',
          `${modelName} has reached its limit of requests. Wait a moment, then try again.`,
          { cause: error },
        );
      }
      return new ModelError(
        'vscode-error',
        `${modelName} could not answer. Try again, or pick another model.`,
        { cause: error },
      );
  }
}
