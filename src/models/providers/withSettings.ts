import { APICallError, wrapLanguageModel } from 'ai';
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { OpenedModel } from '../chatModel.ts';
import { mergedMetadata } from '../messages/partMetadata.ts';
import type { PromptMessage } from '../requests/prompt.ts';

export interface ModelSettings {
  /** Provider-specific options for each request; the request's own options win. */
  readonly optionsFor: (request: LanguageModelV4CallOptions) => SharedV4ProviderOptions;
  /** For requests that set none. */
  readonly maxOutputTokens?: number;
  /** Options for each picture of the user. */
  readonly imageOptions?: SharedV4ProviderOptions;
  /** Whether tool calls must follow their schema exactly; omitted: the provider's default. */
  readonly isStrict?: boolean;
  /** Other options for one retry, when a request was refused with this message; undefined: no retry. */
  readonly onRefusal?: (message: string) => SharedV4ProviderOptions | undefined;
  /** Remembers which options work after such a refusal. Omitted: not remembered. */
  readonly refused?: RefusedSettings;
}

/** Options that were accepted after others were refused. */
export interface RefusedSettings {
  instead?: SharedV4ProviderOptions;
}

export function withSettings(
  model: OpenedModel,
  { optionsFor, maxOutputTokens, imageOptions, isStrict, onRefusal, refused = {} }: ModelSettings,
): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) =>
        Promise.resolve({
          ...params,
          ...(maxOutputTokens === undefined || params.maxOutputTokens !== undefined
            ? {}
            : { maxOutputTokens }),
          ...(imageOptions === undefined
            ? {}
            : { prompt: params.prompt.map((message) => withImageOptions(message, imageOptions)) }),
          providerOptions:
            mergedMetadata(mergedMetadata(optionsFor(params), params.providerOptions), refused.instead) ?? {},
          ...(params.tools === undefined || isStrict === undefined
            ? {}
            : {
                tools: params.tools.map((tool) =>
                  tool.type === 'function' ? { ...tool, strict: isStrict } : tool,
                ),
              }),
        }),
      wrapStream: async ({ doStream, params }) => {
        try {
          return await doStream();
        } catch (error) {
          const other =
            APICallError.isInstance(error) && error.statusCode === 400
              ? onRefusal?.(error.message)
              : undefined;
          if (other === undefined) throw error;
          const providerOptions = mergedMetadata(params.providerOptions, other) ?? {};
          const answer = await model.doStream({ ...params, providerOptions });
          refused.instead = other;
          return answer;
        }
      },
    },
  });
}

function withImageOptions(message: PromptMessage, options: SharedV4ProviderOptions): PromptMessage {
  if (message.role !== 'user') return message;
  return {
    ...message,
    content: message.content.map((part) =>
      part.type === 'file' && part.mediaType.startsWith('image/')
        ? { ...part, providerOptions: mergedMetadata(options, part.providerOptions) ?? {} }
        : part,
    ),
  };
}
