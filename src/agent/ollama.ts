import type { ModelSource } from './chatModel.ts';
import { OpenAiCompatibleSource } from './openAiCompatible.ts';
import type { Fetch } from './originFetch.ts';

/** Where Ollama listens unless it was told otherwise. */
export const OLLAMA_ADDRESS = 'http://127.0.0.1:11434/v1';

/** The models of an Ollama that runs on this machine; none, and no complaint, where none runs. */
export function ollamaSource({
  fetch,
  address = OLLAMA_ADDRESS,
}: { fetch?: Fetch; address?: string } = {}): ModelSource {
  return new OpenAiCompatibleSource({
    id: 'ollama',
    settings: () => ({ baseUrl: address, models: [] }),
    keyFor: () => Promise.resolve(undefined),
    listTimeout: 1_000,
    mayBeAway: true,
    ...(fetch === undefined ? {} : { fetch }),
  });
}
