import type { ChatModel, OpenedModel } from '../chatModel.ts';

/** The protocols for requests, where they differ in what they accept. */
export type Dialect =
  | 'anthropic'
  | 'openaiResponses'
  | 'openaiChat'
  | 'google'
  | 'groq'
  | 'ollama'
  | 'vscodeLm'
  /** Any server with OpenAI's chat completions: requests must suit the strictest of them. */
  | 'compatible';

/** The recipient of a request. */
export interface Target {
  readonly dialect: Dialect;
  /** The id of the model in this program; metadata from this exact model can be sent back to it. */
  readonly modelId: string;
  /** Its name in the table of list prices, if that identifies the provider. */
  readonly listedAs?: string;
}

const dialects: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic',
  google: 'google',
  groq: 'groq',
  ollama: 'ollama',
  vscode: 'vscodeLm',
};

/** The target of a model before it is opened: OpenAI's own models use its Responses API here. */
export function expectedTarget(model: Pick<ChatModel, 'id' | 'listedAs'>): Target {
  return targetOf(model, { provider: 'openai.responses' });
}

/** The target of an opened model. */
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
