import type { ChatModel, ModelSource, OpenedModel } from '../chatModel.ts';
import { ModelError } from '../modelErrors.ts';
import { requestModelList } from '../modelList.ts';
import { originFetch, type Fetch } from '../originFetch.ts';

/** A model as a provider lists it. */
export interface HostedModel {
  readonly name: string;
  readonly label?: string;
  readonly contextWindow?: number;
}

/** A service that answers over the network to whoever has a key. */
export interface HostedProvider {
  /** The part of model ids before the colon. */
  readonly id: string;
  readonly label: string;
  /** The base of its addresses; its origin is what the key is kept under. */
  readonly baseUrl: string;
  /** Where a person gets a key. */
  readonly keyPage: string;
  /** Below the base. */
  readonly modelsPath: string;
  /** How a key goes with the request for the list of models. */
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** The models for conversations in an answer to that request; undefined when it is no list. */
  readonly readModels: (body: unknown) => readonly HostedModel[] | undefined;
  readonly open: (name: string, access: HostedAccess) => OpenedModel;
}

export interface HostedAccess {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: Fetch;
}

export interface HostedSourceOptions {
  /** The key that was given for exactly this origin. */
  readonly keyFor: (origin: string) => Promise<string | undefined>;
  readonly fetch?: Fetch;
  /** Milliseconds a provider has to list its models. Default 5000. */
  readonly listTimeout?: number;
}

/** The models of one provider; none are listed while it has no key. */
export class HostedSource implements ModelSource {
  readonly id: string;
  readonly #provider: HostedProvider;
  readonly #options: HostedSourceOptions;

  constructor(provider: HostedProvider, options: HostedSourceOptions) {
    this.id = provider.id;
    this.#provider = provider;
    this.#options = options;
  }

  async list(): Promise<readonly ChatModel[]> {
    const { baseUrl, modelsPath, headers, readModels } = this.#provider;
    const access = await this.#access();
    if (access === undefined) return [];
    const models = await requestModelList({
      url: new URL(baseUrl + modelsPath),
      headers: headers(access.key),
      fetch: access.fetch,
      timeout: this.#options.listTimeout ?? 5_000,
      read: readModels,
    });
    return models.map((model) => this.#model(model));
  }

  find(id: string): Promise<ChatModel | undefined> {
    const prefix = `${this.id}:`;
    const isOurs = id.startsWith(prefix) && id !== prefix;
    return Promise.resolve(isOurs ? this.#model({ name: id.slice(prefix.length) }) : undefined);
  }

  #model({ name, label = name, contextWindow }: HostedModel): ChatModel {
    const provider = this.#provider;
    return {
      id: `${this.id}:${name}`,
      label,
      isDemo: false,
      detail: provider.label,
      ...(contextWindow === undefined ? {} : { contextWindow }),
      open: async () => {
        const access = await this.#access();
        if (access === undefined) {
          throw new ModelError(
            'unauthorized',
            `${provider.label} needs a key, and none is set. Run “Offshoot: Set API Key…” and try again.`,
          );
        }
        return provider.open(name, access);
      },
    };
  }

  async #access(): Promise<HostedAccess | undefined> {
    const { baseUrl } = this.#provider;
    const { origin } = new URL(baseUrl);
    const key = await this.#options.keyFor(origin);
    if (key === undefined || key === '') return undefined;
    const fetch = originFetch({ origin, key, fetch: this.#options.fetch ?? globalThis.fetch });
    return { baseUrl, key, fetch };
  }
}
