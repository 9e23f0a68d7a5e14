import type { LanguageModelV4Middleware, LanguageModelV4StreamPart } from '@ai-sdk/provider';

/** For a middleware that changes the parts of each answer. @param transformer called for each answer */
export function changedStream(
  transformer: () => Transformer<LanguageModelV4StreamPart, LanguageModelV4StreamPart>,
): NonNullable<LanguageModelV4Middleware['wrapStream']> {
  return async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    return { ...rest, stream: stream.pipeThrough(new TransformStream(transformer())) };
  };
}
