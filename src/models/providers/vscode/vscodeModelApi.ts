import type { Disposable } from '../../../base/disposable.ts';
import type { OfferedTool, StreamedPiece } from '../streamedModel.ts';

/** Only the extension may import `vscode`, so it passes this in; `Message` and `Token` are opaque classes of it. */
export interface VsCodeModels<Message, Token> {
  /** The models available now, from every vendor. */
  select(): PromiseLike<readonly VsCodeModel<Message, Token>[]>;
  /** A message in VS Code's form. There is no system role; instructions become the user's first message. */
  message(role: 'user' | 'assistant', parts: readonly VsCodePart[]): Message;
  /** The content of a response part; undefined for kinds that are not shown. */
  readPart(part: unknown): StreamedPiece | undefined;
  /** Undefined when VS Code does not report it. */
  takesTools(model: VsCodeModel<Message, Token>): boolean | undefined;
  /** Undefined when VS Code does not report it. */
  takesImages(model: VsCodeModel<Message, Token>): boolean | undefined;
  newCancellation(): VsCodeCancellation<Token>;
}

export type VsCodePart = StreamedPiece | VsCodeToolResult | VsCodeImage;

export interface VsCodeImage {
  readonly type: 'image';
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** Sent as a user message. */
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
