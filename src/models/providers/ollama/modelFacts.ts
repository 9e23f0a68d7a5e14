import { z } from 'zod';
import type { ModelCapability } from '../../chatModel.ts';

export interface ModelFacts {
  /** Omitted by older versions. */
  readonly capabilities?: readonly ModelCapability[];
  readonly isForConversations: boolean;
  /** It runs on Ollama's servers. */
  readonly isRemote: boolean;
  /** The largest supported context window, in tokens. */
  readonly longest?: number;
  /** The context window set by its maker or the user. */
  readonly configured?: number;
  /** The context window it is loaded with now. */
  readonly loaded?: number;
}

/** Enough for an answer with tools; larger windows need memory that many machines do not have. */
const PREFERRED = 32_768;

/** Ollama's default when no other window is set; too little for an answer with tools. */
const SMALL_DEFAULT = 4_096;

/** In tokens. A loaded or configured window is kept: reloading takes a while, and it may suit the available memory. */
export function windowOf(facts: ModelFacts | undefined, chosen: number | undefined): number {
  const longest = facts?.longest ?? Number.POSITIVE_INFINITY;
  if (chosen !== undefined) return Math.min(chosen, longest);
  if (facts?.isRemote === true && facts.longest !== undefined) return facts.longest;
  const { configured, loaded } = facts ?? {};
  if (loaded !== undefined && loaded > SMALL_DEFAULT) return loaded;
  return Math.min(configured ?? PREFERRED, longest);
}

const shown = z.object({
  capabilities: z.array(z.string()).optional().catch(undefined),
  model_info: z.record(z.string(), z.unknown()).optional().catch(undefined),
  /** Lines with a name and a value. */
  parameters: z.string().optional().catch(undefined),
  remote_host: z.string().optional().catch(undefined),
});

const capabilityNames: Readonly<Record<string, ModelCapability>> = {
  tools: 'tools',
  vision: 'images',
  thinking: 'reasoning',
};

/** Reads an answer of https://docs.ollama.com/api/show */
export function readModelFacts(body: unknown, loaded: number | undefined): ModelFacts | undefined {
  const read = shown.safeParse(body).data;
  if (read === undefined) return undefined;
  const { capabilities, model_info: info = {}, parameters = '', remote_host: remote } = read;
  const [, length] = Object.entries(info).find(([name]) => name.endsWith('.context_length')) ?? [];
  const configured = Number(/^\s*num_ctx\s+(\d+)\s*$/mu.exec(parameters)?.[1]);
  return {
    isForConversations: capabilities?.includes('completion') ?? true,
    isRemote: remote !== undefined && remote !== '',
    ...(capabilities === undefined
      ? {}
      : { capabilities: capabilities.flatMap((name) => capabilityNames[name] ?? []) }),
    ...(typeof length === 'number' && length > 0 ? { longest: length } : {}),
    ...(configured > 0 ? { configured } : {}),
    ...(loaded === undefined ? {} : { loaded }),
  };
}

const tags = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });

/** Reads an answer of https://docs.ollama.com/api/tags */
export function readModelNames(body: unknown): string[] {
  return tags.parse(body).models.map(({ name }) => name);
}

const running = z.object({
  models: z.array(
    z.object({ name: z.string(), context_length: z.number().positive().optional().catch(undefined) }),
  ),
});

/** The context window each model is loaded with now: https://docs.ollama.com/api/ps */
export function loadedWindows(body: unknown): ReadonlyMap<string, number> {
  const models = running.safeParse(body).data?.models ?? [];
  return new Map(
    models.flatMap(({ name, context_length: length }) => (length === undefined ? [] : [[name, length]])),
  );
}
