import type { ChatModel, ModelSource } from '../../chatModel.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import { chatModelOf } from './chatModelOf.ts';
import { startSignIn, type StartedSignIn } from './signIn.ts';
import { requestModelList } from '../modelList.ts';
import { hostedProviders, type HostedProviderId } from '../../modelProviders.ts';
import { parseBaseUrl } from '../compatible/openAiCompatible.ts';
import { originFetch, type Fetch } from '../../requests/originFetch.ts';
import type { EditorSession, HostedAccess, HostedModel, HostedProvider } from '../../providerFacts.ts';
import type { RefusedSettings } from '../withSettings.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';

export interface HostedSourceOptions {
  /** The key for exactly this origin. */
  readonly keyFor: (origin: string) => Promise<string | undefined>;
  /** The token of the user's session with the provider, where it signs users in; never kept. */
  readonly session?: () => Promise<string | undefined>;
  /** Another base for its addresses, such as a gateway's; read again for each use. Undefined: the provider's own. */
  readonly baseUrl?: () => string | undefined;
  /** The models behind the user's own names, where a provider has no others; read again for each use. */
  readonly names?: () => Readonly<Record<string, string>>;
  readonly fetch?: Fetch;
  readonly isBrowser?: boolean;
  /** Gets a line for what a response has that is not known. */
  readonly log?: { info(message: string): void };
  /** The timeout for listing models, in milliseconds. Default 5000. */
  readonly listTimeout?: number;
}

/** The models of one provider; none are listed while it has no key. */
export class HostedSource implements ModelSource {
  readonly id: string;
  readonly provider: HostedProvider;
  private readonly options: HostedSourceOptions;
  /** Each model's entry in the last list. */
  private listed = new Map<string, HostedModel>();
  /** By address and key. */
  private readonly refused = new Map<string, RefusedSettings>();

  constructor(provider: HostedProvider, options: HostedSourceOptions) {
    this.id = provider.id;
    this.provider = provider;
    this.options = options;
  }

  /** Receives its key. Undefined while it has no address. @throws ModelError when the address is invalid */
  get origin(): string | undefined {
    const { baseUrl } = this;
    return baseUrl === undefined ? undefined : new URL(baseUrl).origin;
  }

  async list(): Promise<readonly ChatModel[]> {
    const access = await this.access();
    if (access === undefined) return [];
    if (this.provider.modelsOf !== undefined) {
      return Object.keys(this.names).map((name) => this.model({ name }));
    }
    const models = await this.askForModels(access);
    this.listed = new Map(models.map((model) => [model.name, model]));
    return models.map((model) => this.model(model));
  }

  /** Costs nothing. Takes a key not stored yet. @throws ModelError `unauthorized`, or `model-list` without an answer */
  async check(key: string): Promise<void> {
    const access = this.accessWith(key);
    if (access === undefined) throw this.unaddressed();
    await this.askForModels(access);
    const { keyPath, headers } = this.provider;
    if (keyPath === undefined) return;
    const { baseUrl, fetch } = access;
    const url = new URL(baseUrl + keyPath);
    const timeout = this.options.listTimeout ?? 5_000;
    await requestModelList({ url, headers: headers(key), fetch, timeout, read: () => true }).catch(
      (error: unknown) => {
        // A gateway in its place may have the models alone.
        if (error instanceof ModelError && error.code === 'unauthorized') throw error;
      },
    );
  }

  /** Undefined: it has no sign-in. @param callback a link that the user's browser can open */
  get signIn(): ((callback: string) => Promise<StartedSignIn>) | undefined {
    const { signIn: paths, label } = this.provider;
    if (paths === undefined) return undefined;
    return async (callback) => {
      const access = this.accessWith('');
      if (access === undefined) throw this.unaddressed();
      const { baseUrl, fetch } = access;
      const timeout = this.options.listTimeout ?? 5_000;
      return startSignIn({ baseUrl, paths, callback, label, fetch, timeout });
    };
  }

  find(id: string): Promise<ChatModel | undefined> {
    const prefix = `${this.id}:`;
    const isOurs = id.startsWith(prefix) && id !== prefix;
    if (!isOurs) return Promise.resolve(undefined);
    const name = id.slice(prefix.length);
    return Promise.resolve(this.model(this.listed.get(name) ?? this.provider.describe?.(name) ?? { name }));
  }

  private askForModels({ baseUrl, key, fetch }: HostedAccess): Promise<readonly HostedModel[]> {
    const { modelsPath, headers, readModels } = this.provider;
    return requestModelList({
      url: new URL(baseUrl + modelsPath),
      headers: headers(key),
      fetch,
      timeout: this.options.listTimeout ?? 5_000,
      read: readModels,
    });
  }

  private model(listed: HostedModel): ChatModel {
    const { provider } = this;
    const { name } = listed;
    const model = this.names[name] ?? name;
    return chatModelOf(provider, listed, model, async () => {
      const access = await this.access();
      if (access !== undefined) return provider.open(name, access, model);
      if (this.origin === undefined) throw this.unaddressed();
      throw new ModelError(
        'unauthorized',
        provider.session === undefined
          ? defineMessage(
              '{0} needs a key, and none is set. Run “Offshoot: Select Model › Set API Key…” and try again.',
              provider.label,
            )
          : defineMessage(
              '{0} needs you to sign in, or a key. Run “Offshoot: Select Model” and try again.',
              provider.label,
            ),
      );
    });
  }

  private unaddressed(): ModelError {
    return new ModelError(
      'invalid-address',
      defineMessage('{0} has no address. Enter it in the setting offshoot.baseUrls.', this.provider.label),
    );
  }

  private get names(): Readonly<Record<string, string>> {
    return this.options.names?.() ?? {};
  }

  private async access(): Promise<HostedAccess | undefined> {
    const { origin } = this;
    const key = origin === undefined ? undefined : await this.keyOrToken(origin);
    return key === undefined || key === '' ? undefined : this.accessWith(key);
  }

  private async keyOrToken(origin: string): Promise<string | undefined> {
    const key = await this.options.keyFor(origin);
    if (key !== undefined && key !== '') return key;
    const { session } = this.provider;
    return session !== undefined && mayHaveToken(session, origin) ? this.options.session?.() : undefined;
  }

  private accessWith(key: string): HostedAccess | undefined {
    const { origin, baseUrl } = this;
    if (origin === undefined || baseUrl === undefined) return undefined;
    const { fetch: given = globalThis.fetch, isBrowser = false } = this.options;
    const added = isBrowser ? this.provider.browserHeaders : undefined;
    // The tokens of a session are many, of one account.
    const account = this.provider.session === undefined ? `${baseUrl} ${key}` : baseUrl;
    const fetch = originFetch({ origin, key, fetch: added ? withHeaders(given, added) : given });
    const onPassedOver = (what: string): void =>
      this.options.log?.info(`${this.id}: passed over ${withoutDetails(what)}`);
    return { baseUrl, key, fetch, onPassedOver, refused: this.refusedAt(account) };
  }

  private refusedAt(account: string): RefusedSettings {
    const refused = this.refused.get(account) ?? {};
    this.refused.set(account, refused);
    return refused;
  }

  private get baseUrl(): string | undefined {
    const other = this.options.baseUrl?.();
    if (other === undefined || other.trim() === '') return this.provider.baseUrl;
    const { origin, pathname } = parseBaseUrl(other);
    return origin + pathname.replace(/\/$/u, '');
  }
}

/** The token goes to these hosts alone, and only encrypted, whatever address the settings name. */
export function mayHaveToken({ hosts }: EditorSession, origin: string): boolean {
  const url = URL.parse(origin);
  return url?.protocol === 'https:' && hosts.test(url.hostname);
}

/**
 * The models of all providers with keys. Requests have no time limit: a model that thinks for more than five minutes
 * before its first word is too slow for the fetch of Node, and a retry would cost twice.
 */
export function createHostedSources(
  optionsFor: (
    provider: HostedProvider & { readonly id: HostedProviderId },
  ) => HostedSourceOptions & Required<Pick<HostedSourceOptions, 'fetch'>>,
): readonly HostedSource[] {
  return hostedProviders.map((provider) => new HostedSource(provider, optionsFor(provider)));
}

function withHeaders(fetch: Fetch, added: Readonly<Record<string, string>>): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}

/** What a server sent goes into the log only as a name. */
function withoutDetails(what: string): string {
  return what.replace(/[^\w .:-]/gu, '?').slice(0, 80);
}
