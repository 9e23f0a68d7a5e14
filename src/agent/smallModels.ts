import type { ChatModel } from './chatModel.ts';

/**
 * The model of each provider that writes titles and summaries: the cheapest that does it well, as of November 2026.
 * Other sources use the current model.
 */
const smallModels: Readonly<Record<string, string>> = {
  anthropic: 'claude-haiku-5-5',
  google: 'gemini-3.5-flash-lite',
  groq: 'openai/gpt-oss-20b',
  openai: 'gpt-6-luna',
};

/** The id of the small model of the same provider; undefined if none is known. */
export function smallModelId({ id }: Pick<ChatModel, 'id'>): string | undefined {
  const [source = ''] = id.split(':', 1);
  return Object.hasOwn(smallModels, source) ? `${source}:${smallModels[source] ?? ''}` : undefined;
}
