import { z } from 'zod';
import type { ModelCapability } from '../../chatModel.ts';
import type { HostedModel } from '../../providerFacts.ts';
import { hasNoTools } from './compatibleServer.ts';
import { modelList, modelOf, tokens, type ListedEntry } from './openAiModels.ts';

/** A program that says more of its models than a list in OpenAI's form has room for. */
export type ServerProgram = 'lmstudio' | 'llamacpp' | 'vllm';

/** The models of a server, and the program that serves them, if the list says which. */
export interface ServerModels {
  readonly program: ServerProgram | undefined;
  readonly models: readonly HostedModel[];
}

/** The body at a path of the server, above its `/v1`; undefined when it has none. */
export type GetFacts = (path: string) => Promise<unknown>;

/** A list of models in OpenAI's form, with what the program says elsewhere. Undefined when it is no such list. */
export async function readServerModels(body: unknown, get: GetFacts): Promise<ServerModels | undefined> {
  const entries = modelList.safeParse(body).data?.data;
  if (entries === undefined) return undefined;
  const program = programOf(entries);
  switch (program) {
    case 'llamacpp':
      return { program, models: await Promise.all(entries.map((entry) => llamaCppModel(entry, get))) };
    case 'lmstudio':
      return lmStudioModels(entries, get);
    default:
      return { program, models: entries.map(modelOf) };
  }
}

function programOf([first]: readonly ListedEntry[]): ServerProgram | undefined {
  switch (first?.owned_by) {
    case 'llamacpp':
    case 'vllm':
      return first.owned_by;
    // Its versions write it in two ways.
    case 'organization_owner':
    case 'organization-owner':
      return 'lmstudio';
    default:
      return undefined;
  }
}

const props = z.object({
  default_generation_settings: z.object({ n_ctx: tokens }).optional().catch(undefined),
  modalities: z.object({ vision: z.boolean() }).optional().catch(undefined),
  chat_template_caps: z.object({ supports_tools: z.boolean().optional() }).optional().catch(undefined),
});

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md: `GET /props` */
async function llamaCppModel(entry: ListedEntry, get: GetFacts): Promise<HostedModel> {
  const model = modelOf(entry);
  // Of several models, only those in memory have properties; asking for others would load them.
  if (entry.status !== undefined && entry.status.value !== 'loaded') return model;
  const read = props.safeParse(await get(`/props?model=${encodeURIComponent(entry.id)}&autoload=false`)).data;
  if (read === undefined) return model;
  const contextWindow = model.contextWindow ?? read.default_generation_settings?.n_ctx;
  return {
    name: model.name,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    // Older versions name neither.
    ...(read.modalities === undefined
      ? {}
      : {
          capabilities: capabilities({
            tools: read.chat_template_caps?.supports_tools ?? !hasNoTools(model.name),
            images: read.modalities.vision,
          }),
        }),
  };
}

interface LmStudioFacts {
  readonly isForConversations: boolean;
  readonly label?: string | undefined;
  readonly contextWindow: number | undefined;
  readonly capabilities: readonly ModelCapability[] | undefined;
}

/** https://lmstudio.ai/docs/developer/rest/list, since version 0.4 */
const lmStudioList = z.object({
  models: z.array(
    z.object({
      type: z.string(),
      key: z.string(),
      display_name: z.string().optional(),
      max_context_length: tokens,
      loaded_instances: z
        .array(z.object({ id: z.string(), config: z.object({ context_length: tokens }) }))
        .default([]),
      capabilities: z
        .object({ vision: z.boolean().default(false), trained_for_tool_use: z.boolean().default(false) })
        .optional()
        .catch(undefined),
    }),
  ),
});

/** https://lmstudio.ai/docs/developer/rest/endpoints, since version 0.3.6 */
const oldLmStudioList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      max_context_length: tokens,
      loaded_context_length: tokens,
      capabilities: z.array(z.string()).optional().catch(undefined),
    }),
  ),
});

async function lmStudioModels(entries: readonly ListedEntry[], get: GetFacts): Promise<ServerModels> {
  const facts =
    newLmStudioFacts(await get('/api/v1/models')) ?? oldLmStudioFacts(await get('/api/v0/models'));
  // Others have the same owner in their lists; what stands elsewhere tells.
  if (facts === undefined) return { program: undefined, models: entries.map(modelOf) };
  const models = entries.flatMap((entry): HostedModel[] => {
    const known = facts.get(entry.id);
    if (known === undefined) return [modelOf(entry)];
    const { isForConversations, label, contextWindow, capabilities: can } = known;
    if (!isForConversations) return [];
    return [
      {
        name: entry.id,
        ...(label === undefined ? {} : { label }),
        ...(contextWindow === undefined ? {} : { contextWindow }),
        ...(can === undefined ? {} : { capabilities: can }),
      },
    ];
  });
  return { program: 'lmstudio', models };
}

function newLmStudioFacts(body: unknown): ReadonlyMap<string, LmStudioFacts> | undefined {
  const models = lmStudioList.safeParse(body).data?.models;
  if (models === undefined) return undefined;
  return new Map(
    models.flatMap(({ type, key, display_name: label, loaded_instances: loaded, ...model }) => {
      const windows = loaded.flatMap(({ config }) => config.context_length ?? []);
      const facts = {
        isForConversations: type === 'llm',
        label,
        // Loaded more than once, any of them may answer. A model that is not loaded has its largest window at most.
        contextWindow: windows.length > 0 ? Math.min(...windows) : model.max_context_length,
        capabilities:
          model.capabilities &&
          capabilities({ tools: model.capabilities.trained_for_tool_use, images: model.capabilities.vision }),
      };
      return [key, ...loaded.map(({ id }) => id)].map((name): [string, LmStudioFacts] => [name, facts]);
    }),
  );
}

function oldLmStudioFacts(body: unknown): ReadonlyMap<string, LmStudioFacts> | undefined {
  const models = oldLmStudioList.safeParse(body).data?.data;
  if (models === undefined) return undefined;
  return new Map(
    models.map(({ id, type, capabilities: can, ...model }) => [
      id,
      {
        isForConversations: type !== 'embeddings',
        contextWindow: model.loaded_context_length ?? model.max_context_length,
        capabilities: can && capabilities({ tools: can.includes('tool_use'), images: type === 'vlm' }),
      },
    ]),
  );
}

function capabilities(can: Readonly<Record<'tools' | 'images', boolean>>): readonly ModelCapability[] {
  return (['tools', 'images'] as const).filter((name) => can[name]);
}
