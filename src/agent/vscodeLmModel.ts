import type { Disposable } from '../kit/disposable.ts';
import type { ChatModel, ModelSource } from './chatModel.ts';
import { ModelError } from './modelErrors.ts';
import type { OfferedTool, StreamedPiece } from './streamedModel.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';

/**
 * The parts of VS Code's language model API that answers need. Only the extension may import `vscode`, so it passes
 * this in; `Message` and `Token` are its classes, which are opaque here.
 */
export interface VsCodeModels<Message, Token> {
  /** The models available now, from every vendor. */
  select(): PromiseLike<readonly VsCodeModel<Message, Token>[]>;
  /** A message in VS Code's form. There is no system role; instructions become the user's first message. */
  message(role: 'user' | 'assistant', parts: readonly VsCodePart[]): Message;
  /** The content of a response part; undefined for kinds that are not shown. */
  readPart(part: unknown): StreamedPiece | undefined;
  /** Whether a model takes tools; undefined when VS Code does not report it. */
  takesTools(model: VsCodeModel<Message, Token>): boolean | undefined;
  /** Whether a model has vision; undefined when VS Code does not report it. */
  takesImages(model: VsCodeModel<Message, Token>): boolean | undefined;
  newCancellation(): VsCodeCancellation<Token>;
}

/** A part of a message. */
export type VsCodePart = StreamedPiece | VsCodeToolResult | VsCodeImage;

/** A picture from the user. */
export interface VsCodeImage {
  readonly type: 'image';
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** The result of a tool call; sent as a user message. */
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

/** Models that other extensions provide to VS Code: Copilot and any other that is installed. */
export class VsCodeModelSource<Message, Token> implements ModelSource {
  readonly id = 'vscode';
  private readonly models: VsCodeModels<Message, Token>;
  private readonly listTimeout: number;

  /** @param listTimeout for listing models, in milliseconds: VS Code waits for every extension that provides some */
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
              // If it does not report this, assume vision.
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
