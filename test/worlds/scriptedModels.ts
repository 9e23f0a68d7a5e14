import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { ChatModel } from '../../src/models/chatModel.ts';
import { targetOf } from '../../src/models/modelProviders.ts';
import { VsCodeModelSource } from '../../src/models/providers/vscode/vscodeLmModel.ts';
import type {
  VsCodeCancellation,
  VsCodeModel,
  VsCodeModels,
  VsCodePart,
} from '../../src/models/providers/vscode/vscodeModelApi.ts';
import { type OfferedTool, type StreamedPiece } from '../../src/models/providers/streamedModel.ts';
import type { Run } from '../../src/agent/run/run.ts';
import { CHAT, type World } from './agentWorld.ts';

export const VSCODE_MODEL = targetOf({ id: 'vscode:copilot/gpt-5' });

/** A message and a token as VS Code might make them; the adapter looks into neither. */
export interface Message {
  readonly from: string;
  readonly texts: readonly string[];
}
export class Token {
  isCancelled = false;
  readonly cancelled: Promise<void>;
  private resolveCancelled: () => void = () => undefined;
  constructor() {
    this.cancelled = new Promise((resolve) => (this.resolveCancelled = resolve));
  }
  cancel(): void {
    this.isCancelled = true;
    this.resolveCancelled();
  }
}

export type Respond = (messages: readonly Message[], token: Token) => AsyncIterable<unknown>;

/** VS Code's models, scripted: one model that responds as the test says. */
export class ScriptedModels implements VsCodeModels<Message, Token> {
  readonly tokens: Token[] = [];
  readonly requests: (readonly Message[])[] = [];
  disposed = 0;
  readonly offered: (readonly string[])[] = [];
  constructor(
    readonly respond: Respond,
    readonly isToolUser?: boolean,
    readonly seesImages?: boolean,
  ) {}

  select(): Promise<VsCodeModel<Message, Token>[]> {
    const sendRequest = (messages: Message[], { tools = [] }: { tools?: OfferedTool[] }, token: Token) => {
      this.requests.push(messages);
      this.offered.push(tools.map(({ name }) => name));
      return Promise.resolve({ stream: this.respond(messages, token) });
    };
    return Promise.resolve([
      { name: 'GPT', id: 'gpt-5', vendor: 'copilot', maxInputTokens: 128_000, sendRequest },
    ]);
  }
  message(from: string, parts: readonly VsCodePart[]): Message {
    return { from, texts: parts.map((part) => ('text' in part ? part.text : JSON.stringify(part))) };
  }
  takesTools(): boolean | undefined {
    return this.isToolUser;
  }
  takesImages(): boolean | undefined {
    return this.seesImages;
  }
  readPart(part: unknown): StreamedPiece | undefined {
    if (typeof part !== 'object' || part === null) return undefined;
    if ('input' in part && typeof part.input === 'object' && part.input !== null) {
      return { type: 'tool-call', callId: 'c1', name: 'echo', input: part.input };
    }
    if ('name' in part && typeof part.name === 'string') {
      return { type: 'tool-call', callId: 'c1', name: part.name, input: { text: 'a' } };
    }
    if ('value' in part && typeof part.value === 'string') return { type: 'text', text: part.value };
    if ('thinking' in part && typeof part.thinking === 'string')
      return { type: 'reasoning', text: part.thinking };
    return undefined;
  }
  newCancellation(): VsCodeCancellation<Token> {
    const token = new Token();
    this.tokens.push(token);
    return { token, cancel: () => token.cancel(), dispose: () => void (this.disposed += 1) };
  }
}

// The real thing has to fit, else the extension could not hand it in.
export type RealModel = VsCodeModel<vscode.LanguageModelChatMessage, vscode.CancellationToken>;
null satisfies vscode.LanguageModelChat extends RealModel ? null : never;

export async function* pieces(...values: unknown[]): AsyncGenerator {
  for (const value of values) {
    await Promise.resolve();
    yield value;
  }
}

export async function modelOf(models: ScriptedModels): Promise<ChatModel> {
  return (await new VsCodeModelSource(models).find('vscode:copilot/gpt-5')) ?? assert.fail();
}

export async function start(world: World, models: ScriptedModels, question = 'hi'): Promise<Run> {
  return world.runs.start({ chatId: CHAT, branch: 'main', question, model: await modelOf(models) });
}
