import { APICallError, wrapLanguageModel } from 'ai';
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { OpenedModel } from '../chatModel.ts';
import { mergedMetadata } from '../partMetadata.ts';

export interface ModelSettings {
  /** What goes with each request in the provider's own words; what the request itself has wins. */
  readonly optionsFor: (request: LanguageModelV4CallOptions) => SharedV4ProviderOptions;
  /** Whether calls of tools have to follow their schema to the letter; left out: as the provider does by itself. */
  readonly isStrict?: boolean;
  /** Other options to ask with once more, when a request was refused with this message; undefined: it stays refused. */
  readonly onRefusal?: (message: string) => SharedV4ProviderOptions | undefined;
  /** Where it is kept what requests are made with after such a refusal. Left out: nowhere. */
  readonly refused?: RefusedSettings;
}

/** Options that were taken where others had been refused. */
export interface RefusedSettings {
  instead?: SharedV4ProviderOptions;
}

/** The same model with options that go with each of its requests. */
export function withSettings(
  model: OpenedModel,
  { optionsFor, isStrict, onRefusal, refused = {} }: ModelSettings,
): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) =>
        Promise.resolve({
          ...params,
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
