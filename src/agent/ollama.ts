import { z } from 'zod';
import type { ModelCapability, ModelSource } from './chatModel.ts';
import { OpenAiCompatibleSource, type ListedModel, type ServerAccess } from './openAiCompatible.ts';
import type { Fetch } from './originFetch.ts';

/** Where Ollama listens unless it was told otherwise. */
export const OLLAMA_ADDRESS = 'http://127.0.0.1:11434/v1';

export interface OllamaOptions {
  readonly fetch?: Fetch;
  /** Another address, read anew for each use; undefined or empty: where it listens by itself. */
  readonly address?: () => string | undefined;
  /** Milliseconds it has to say which models it has. Default 1000: it is on this machine, or it is not there. */
  readonly listTimeout?: number;
}

/** What it tells of one model: https://docs.ollama.com/api/show */
const shown = z.object({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
});

const capabilityNames: Readonly<Record<string, ModelCapability>> = {
  tools: 'tools',
  vision: 'images',
  thinking: 'reasoning',
};

/** The models of an Ollama that runs on this machine; none, and no complaint, where none runs. */
export function ollamaSource({ fetch, address, listTimeout = 1_000 }: OllamaOptions = {}): ModelSource {
  return new OpenAiCompatibleSource({
    id: 'ollama',
    settings: () => {
      const other = address?.()?.trim() ?? '';
      return { baseUrl: other === '' ? OLLAMA_ADDRESS : other, models: [] };
    },
    keyFor: () => Promise.resolve(undefined),
    listTimeout,
    mayBeAway: true,
    describe: (model, access) => describe(model, access, listTimeout),
    ...(fetch === undefined ? {} : { fetch }),
  });
}

async function describe(
  model: ListedModel,
  { url, fetch }: ServerAccess,
  timeout: number,
): Promise<ListedModel | undefined> {
  const response = await fetch(new URL('/api/show', url.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: model.name }),
    signal: AbortSignal.timeout(timeout),
  });
  // Older versions do not know the question; the model can be used all the same.
  const read = response.ok ? shown.safeParse(await response.json()).data : undefined;
  if (read === undefined) return model;
  const { capabilities, model_info: info = {} } = read;
  if (capabilities !== undefined && !capabilities.includes('completion')) return undefined;
  const [, length] = Object.entries(info).find(([name]) => name.endsWith('.context_length')) ?? [];
  return {
    name: model.name,
    ...(typeof length === 'number' ? { contextWindow: length } : {}),
    ...(capabilities === undefined
      ? {}
      : { capabilities: capabilities.flatMap((name) => capabilityNames[name] ?? []) }),
  };
}
