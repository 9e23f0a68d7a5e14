import type { ChatModel, ModelSource } from '../../chatModel.ts';
import { parseBaseUrl } from '../compatible/openAiCompatible.ts';
import { originFetch, type Fetch } from '../../requests/originFetch.ts';
import { loadedWindows, readModelFacts, readModelNames, windowOf, type ModelFacts } from './modelFacts.ts';

export const OLLAMA_ADDRESS = 'http://127.0.0.1:11434';

export interface OllamaOptions {
  readonly fetch?: Fetch;
  /** Another address, read again for each use; undefined or empty: the default address. */
  readonly address?: () => string | undefined;
  /** The context window for its models, in tokens; undefined: chosen per model. */
  readonly contextLength?: () => number | undefined;
  /** The timeout for listing its models, in milliseconds. Default 1000: it is either on this machine or absent. */
  readonly listTimeout?: number;
  /** The current time in milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

/** How long an unreachable server is not asked again about a single model, in milliseconds. */
const SILENCE = 30_000;

interface OllamaAccess {
  readonly origin: string;
  readonly fetch: Fetch;
}

/** The server answered, but refused the request. */
class RefusedError extends Error {}

/**
 * The models of a local Ollama; none, without an error, if none runs. Uses Ollama's own API: the OpenAI-compatible
 * one cannot set the context window, and cuts longer conversations silently.
 */
export class OllamaSource implements ModelSource {
  readonly id = 'ollama';
  private readonly options: OllamaOptions;
  /** By address and name. */
  private readonly facts = new Map<string, ModelFacts>();
  private silentUntil = 0;

  constructor(options: OllamaOptions = {}) {
    this.options = options;
  }

  async list(): Promise<readonly ChatModel[]> {
    const access = this.access();
    try {
      const names = readModelNames(await this.get(access, '/api/tags'));
      const loaded = await this.loaded(access);
      this.silentUntil = 0;
      const models = await Promise.all(
        names.map(async (name) => {
          const facts = await this.describe(access, name, loaded);
          return facts?.isForConversations === false ? undefined : this.model(name, access, facts);
        }),
      );
      return models.flatMap((model) => model ?? []);
    } catch {
      return [];
    }
  }

  /** Queries the server about a model that was not listed yet: its window limits what can be sent. */
  async find(id: string): Promise<ChatModel | undefined> {
    const prefix = `${this.id}:`;
    if (!id.startsWith(prefix) || id === prefix) return undefined;
    const name = id.slice(prefix.length);
    const access = this.access();
    return this.model(name, access, this.known(access, name) ?? (await this.ask(access, name)));
  }

  private async ask(access: OllamaAccess, name: string): Promise<ModelFacts | undefined> {
    return this.now() < this.silentUntil ? undefined : this.describe(access, name, await this.loaded(access));
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  private model(name: string, access: OllamaAccess, facts: ModelFacts | undefined): ChatModel {
    const contextWindow = windowOf(facts, this.options.contextLength?.());
    const capabilities = facts?.capabilities;
    return {
      id: `${this.id}:${name}`,
      label: name,
      isDemo: false,
      detail: new URL(access.origin).host,
      contextWindow,
      ...(capabilities === undefined ? {} : { capabilities }),
      open: async () => {
        const { ollamaModel, withTaggedReasoning } = await import('../providers.ts');
        const opened = ollamaModel({
          ...access,
          name,
          // Remote models always have their full window, and it cannot be set.
          ...(facts?.isRemote === true ? {} : { contextWindow }),
          mayThink: capabilities?.includes('reasoning') === true,
        });
        return withTaggedReasoning(opened);
      },
    };
  }

  /** Undefined if the server reports nothing. */
  private async describe(
    access: OllamaAccess,
    name: string,
    loaded: ReadonlyMap<string, number>,
  ): Promise<ModelFacts | undefined> {
    const facts = await this.post(access, '/api/show', { model: name })
      .then((body) => readModelFacts(body, loaded.get(name)))
      .catch((error: unknown) => {
        // Do not wait repeatedly for an absent server; one that does not know this model may know others.
        if (!(error instanceof RefusedError)) this.silentUntil = this.now() + SILENCE;
        // The model can still be used.
        return undefined;
      });
    if (facts) this.facts.set(`${access.origin} ${name}`, facts);
    return facts;
  }

  private known({ origin }: OllamaAccess, name: string): ModelFacts | undefined {
    return this.facts.get(`${origin} ${name}`);
  }

  private async loaded(access: OllamaAccess): Promise<ReadonlyMap<string, number>> {
    return this.get(access, '/api/ps').then(loadedWindows, () => new Map<string, number>());
  }

  private get(access: OllamaAccess, path: string): Promise<unknown> {
    return this.request(access, path, {});
  }

  private post(access: OllamaAccess, path: string, body: object): Promise<unknown> {
    return this.request(access, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  private async request({ origin, fetch }: OllamaAccess, path: string, init: RequestInit): Promise<unknown> {
    const signal = AbortSignal.timeout(this.options.listTimeout ?? 1_000);
    const response = await fetch(new URL(path, origin), { ...init, signal });
    if (!response.ok) throw new RefusedError(`Status ${response.status}`);
    return response.json();
  }

  private access(): OllamaAccess {
    const other = this.options.address?.()?.trim() ?? '';
    // A path after the port belongs to another API; older settings have one.
    const { origin } = parseBaseUrl(other === '' ? OLLAMA_ADDRESS : other);
    const fetch = this.options.fetch ?? globalThis.fetch;
    return { origin, fetch: originFetch({ origin, key: undefined, fetch }) };
  }
}
