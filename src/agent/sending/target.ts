import type { ChatModel, OpenedModel } from '../chatModel.ts';

/** The protocols requests are made in, as far as they differ in what they accept. */
export type Dialect =
  | 'anthropic'
  | 'openaiResponses'
  | 'openaiChat'
  | 'google'
  | 'groq'
  | 'ollama'
  | 'vscodeLm'
  /** Any server that speaks OpenAI's chat completions: what is sent has to suit the strictest of them. */
  | 'compatible';

/** Whom a request is for. */
export interface Target {
  readonly dialect: Dialect;
  /** The id of the model in this program; what a message of this very model brought can be given back to it. */
  readonly modelId: string;
  /** What the table of list prices calls it, where that tells who answers for it. */
  readonly listedAs?: string;
}

const dialects: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic',
  google: 'google',
  groq: 'groq',
  ollama: 'ollama',
  vscode: 'vscodeLm',
};

/** Whom requests to a model are for before it is opened: OpenAI's own are asked by its Responses API here. */
export function expectedTarget(model: Pick<ChatModel, 'id' | 'listedAs'>): Target {
  return targetOf(model, { provider: 'openai.responses' });
}

/** Whom requests to an opened model are for. */
export function targetOf(
  { id, listedAs }: Pick<ChatModel, 'id' | 'listedAs'>,
  opened: Pick<OpenedModel, 'provider'>,
): Target {
  const [source = ''] = id.split(':', 1);
  if (source === 'openai') {
    const isResponses = opened.provider.includes('responses');
    return { dialect: isResponses ? 'openaiResponses' : 'openaiChat', modelId: id };
  }
  return {
    dialect: Object.hasOwn(dialects, source) ? (dialects[source] ?? 'compatible') : 'compatible',
    modelId: id,
    ...(listedAs === undefined ? {} : { listedAs }),
  };
}
