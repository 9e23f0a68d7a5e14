import type { ChatModel, ModelSource } from '../chatModel.ts';
import { parseBaseUrl } from '../openAiCompatible.ts';
import { originFetch, type Fetch } from '../originFetch.ts';
import { loadedWindows, readModelFacts, readModelNames, windowOf, type ModelFacts } from './modelFacts.ts';

/** Where Ollama listens by itself. */
export const OLLAMA_ADDRESS = 'http://127.0.0.1:11434';

export interface OllamaOptions {
  readonly fetch?: Fetch;
  /** Another address, read anew for each use; undefined or empty: where it listens by itself. */
  readonly address?: () => string | undefined;
  /** How many tokens its models are to read at once; undefined: what suits each. */
  readonly contextLength?: () => number | undefined;
  /** Milliseconds it has to say which models it has. Default 1000: it is on this machine, or it is not there. */
  readonly listTimeout?: number;
  /** The current time in milliseconds. Default: the system's. */
  readonly now?: () => number;
}

/** How long a server that did not answer is not asked again about a single model, in milliseconds. */
const SILENCE = 30_000;

/** Where it is, and how it is asked. */
interface OllamaAccess {
  readonly origin: string;
  readonly fetch: Fetch;
}

/** The server answered, but not with what it was asked for. */
class RefusedError extends Error {}

/**
 * The models of an Ollama that runs on this machine; none, and no complaint, where none runs. It is asked by its own
 * API: the one it shares with OpenAI cannot set the context window, and cuts longer conversations without a word.
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

  /** Asks the server about a model that was not listed yet: its window decides what can be sent. */
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
        const { ollamaModel } = await import('../hosted/providers.ts');
        return ollamaModel({
          ...access,
          name,
          // Models that run elsewhere have the whole window, and no say in it.
          ...(facts?.isRemote === true ? {} : { contextWindow }),
          mayThink: capabilities?.includes('reasoning') === true,
        });
      },
    };
  }

  /** What is known of a model; undefined where the server does not say. */
  private async describe(
    access: OllamaAccess,
    name: string,
    loaded: ReadonlyMap<string, number>,
  ): Promise<ModelFacts | undefined> {
    const facts = await this.post(access, '/api/show', { model: name })
      .then((body) => readModelFacts(body, loaded.get(name)))
      .catch((error: unknown) => {
        // A server that is not there is not waited for again and again; one that does not know this model may know others.
        if (!(error instanceof RefusedError)) this.silentUntil = this.now() + SILENCE;
        // The model can be used all the same.
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
    // What stands behind the port is the name of another API; older settings have it.
    const { origin } = parseBaseUrl(other === '' ? OLLAMA_ADDRESS : other);
    const fetch = this.options.fetch ?? globalThis.fetch;
    return { origin, fetch: originFetch({ origin, key: undefined, fetch }) };
  }
}
