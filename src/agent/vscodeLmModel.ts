import type { Disposable } from '../kit/disposable.ts';
import type { ChatModel, ModelSource } from './chatModel.ts';
import { ModelError } from './modelErrors.ts';
import type { OfferedTool, StreamedPiece } from './streamedModel.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

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
  readPart(part: unknown): StreamedPiece | undefined;
  /** Whether a model takes tools; undefined when VS Code does not say. */
  takesTools(model: VsCodeModel<Message, Token>): boolean | undefined;
  /** Whether a model sees pictures; undefined when VS Code does not say. */
  takesImages(model: VsCodeModel<Message, Token>): boolean | undefined;
  newCancellation(): VsCodeCancellation<Token>;
}

/** A part of a message. */
export type VsCodePart = StreamedPiece | VsCodeToolResult | VsCodeImage;

/** A picture the user shows. */
export interface VsCodeImage {
  readonly type: 'image';
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** What the call of a tool came to; it goes in as a message of the user. */
export interface VsCodeToolResult {
  readonly type: 'tool-result';
  readonly callId: string;
  readonly text: string;
}

/** The members of `vscode.LanguageModelChat` that are used. */
export interface VsCodeModel<Message, Token> {
  readonly name: string;
  readonly id: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
  sendRequest(
    messages: Message[],
    options: {
      justification?: string;
      tools?: OfferedTool[];
      modelOptions?: Record<string, number>;
    },
    token: Token,
  ): PromiseLike<{ readonly stream: AsyncIterable<unknown> }>;
}

/** The members of `vscode.CancellationTokenSource` that are used. */
export interface VsCodeCancellation<Token> extends Disposable {
  readonly token: Token;
  cancel(): void;
}

/** Models other extensions bring to VS Code: Copilot and whatever else is installed. */
export class VsCodeModelSource<Message, Token> implements ModelSource {
  readonly id = 'vscode';
  private readonly models: VsCodeModels<Message, Token>;
  private readonly listTimeout: number;

  /** @param listTimeout milliseconds VS Code has to list its models: it waits for every extension that brings some */
  constructor(models: VsCodeModels<Message, Token>, listTimeout = 10_000) {
    this.models = models;
    this.listTimeout = listTimeout;
  }

  async list(): Promise<readonly ChatModel[]> {
    const models = await inTime(this.models.select(), this.listTimeout);
    return models.map((model) => this.chatModel(model));
  }

  async find(id: string): Promise<ChatModel | undefined> {
    return (await this.list()).find((model) => model.id === id);
  }

  private chatModel(model: VsCodeModel<Message, Token>): ChatModel {
    const takesTools = this.models.takesTools(model);
    return {
      id: `${this.id}:${model.vendor}/${model.id}`,
      label: model.name,
      isDemo: false,
      detail: model.vendor,
      contextWindow: model.maxInputTokens,
      ...(takesTools === undefined
        ? {}
        : {
            capabilities: [
              ...(takesTools ? (['tools'] as const) : []),
              // Where it does not say, the model is shown them.
              ...((this.models.takesImages(model) ?? true) ? (['images'] as const) : []),
            ],
          }),
      open: async () => {
        const { openVsCodeModel } = await import('./withSdk.ts');
        return openVsCodeModel(this.models, model, takesTools ?? true);
      },
    };
  }
}

/** @throws ModelError when it takes longer */
async function inTime<T>(asked: PromiseLike<T>, timeout: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const text = defineMessage(
      'VS Code didn’t list its models in time. An extension that brings models may be stuck.',
    );
    late.reject(new ModelError('vscode-timeout', text));
  }, timeout);
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
