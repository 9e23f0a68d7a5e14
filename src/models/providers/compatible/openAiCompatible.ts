import { hasNoTools, headersWithKey, isSecretName } from './compatibleServer.ts';
import type { ServerModels, ServerProgram } from './serverModels.ts';
import type { ServerQuirks } from './compatibleFetch.ts';
import type { RequestPrices } from '../../../engine/estimate/modelPrices.ts';
import type { ChatModel, ModelSource } from '../../chatModel.ts';
import { ModelError } from '../../errors/modelErrors.ts';
import { ListedModels } from '../listedModels.ts';
import { requestModelList } from '../modelList.ts';
import { providerAt } from '../../modelProviders.ts';
import type { HostedModel } from '../../providerFacts.ts';
import { isLoopback, originFetch, type Fetch } from '../../requests/originFetch.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';

export interface OpenAiCompatibleSettings {
  /** Without `/chat/completions`, as in `http://localhost:1234/v1`; undefined or empty: no such server. */
  readonly baseUrl: string | undefined;
  /** Names of models to offer even if the server does not list them. */
  readonly models: readonly string[];
  /** The context window of its models, if the server reports none. */
  readonly contextWindow?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Sent with each request; `{key}` in them is replaced with the key, which is then sent in no other header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extra JSON properties of each request. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly price?: RequestPrices | undefined;
}

export interface OpenAiCompatibleOptions {
  /** Default `openai-compatible`; also the part of model ids before the colon. */
  readonly id?: string;
  /** The user's name for the server. Default: its host. */
  readonly label?: string;
  /** Read again for each use, so that changed settings take effect immediately. */
  readonly settings: () => OpenAiCompatibleSettings;
  /** The key for exactly this origin; undefined for servers that need none. */
  readonly keyFor: (origin: string) => Promise<string | undefined>;
  readonly fetch?: Fetch;
  /** The timeout for listing models, in milliseconds. Default 5000. */
  readonly listTimeout?: number;
  /**
   * Whether a model that nobody has listed yet is looked up in its server's list, for its window and abilities.
   * Default: only what was listed is known.
   */
  readonly looksUp?: boolean;
  /** It has models only where this program serves them. Default: any. */
  readonly program?: ServerProgram;
  /** The current time in milliseconds. Default: the system clock. */
  readonly now?: () => number;
}

/** How long an answer waits to know its window, in milliseconds. */
const FACTS_TIMEOUT = 1_500;

/** Programs on this machine load a model again with another window; in milliseconds. */
const LOCAL_FRESHNESS = 30_000;

/** The address may come from a repository's settings, so the key is looked up by its origin and sent to no other. */
export class OpenAiCompatibleSource implements ModelSource {
  readonly id: string;
  private readonly options: OpenAiCompatibleOptions;
  /** By address. */
  private readonly quirks = new Map<string, ServerQuirks>();
  private readonly listed: ListedModels<HostedModel>;

  constructor(options: OpenAiCompatibleOptions) {
    this.id = options.id ?? 'openai-compatible';
    this.options = options;
    this.listed = new ListedModels({
      ask: (address) => this.askForModels(new URL(address), FACTS_TIMEOUT),
      freshFor: (address) => (isLoopback(new URL(address)) ? LOCAL_FRESHNESS : Number.POSITIVE_INFINITY),
      ...(options.now === undefined ? {} : { now: options.now }),
    });
  }

  async list(): Promise<readonly ChatModel[]> {
    const { baseUrl, models } = this.options.settings();
    if (isBlank(baseUrl)) return [];
    const url = parseBaseUrl(baseUrl);
    const offered = await this.askForModels(url).then(
      (found) => {
        this.listed.keep(url.href, found);
        return found;
      },
      (error: unknown) => {
        // A user who named the models can use them without the list.
        if (models.length > 0) return [];
        throw error;
      },
    );
    const known = new Map(offered.map((model) => [model.name, model]));
    const names = new Set([...models, ...known.keys()]);
    return [...names].map((name) => this.model(known.get(name) ?? { name }, baseUrl));
  }

  async find(id: string): Promise<ChatModel | undefined> {
    const { baseUrl } = this.options.settings();
    const prefix = `${this.id}:`;
    if (isBlank(baseUrl) || !id.startsWith(prefix) || id === prefix) return undefined;
    const name = id.slice(prefix.length);
    return this.model((await this.factsOf(name, baseUrl)) ?? { name }, baseUrl);
  }

  /** The table of list prices has the windows of known providers. An invalid address is reported by the answer. */
  private factsOf(name: string, baseUrl: string): Promise<HostedModel | undefined> {
    const url = URL.parse(baseUrl.trim());
    if (url === null) return Promise.resolve(undefined);
    return this.options.looksUp === true && providerAt(baseUrl) === undefined
      ? this.listed.find(url.href, name)
      : Promise.resolve(this.listed.known(url.href, name));
  }

  private model(
    { name, label, contextWindow: listed, capabilities }: HostedModel,
    baseUrl: string,
  ): ChatModel {
    const { contextWindow = listed, maxOutputTokens, body, price } = this.options.settings();
    const provider = providerAt(baseUrl);
    // What the server says of its template is certain; the name is not.
    const can = capabilities ?? (hasNoTools(name) ? [] : undefined);
    return {
      id: `${this.id}:${name}`,
      label: label ?? name,
      isDemo: false,
      detail: this.options.label ?? hostOf(baseUrl),
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(can === undefined ? {} : { capabilities: can }),
      ...(price === undefined ? {} : { price }),
      ...(provider === undefined ? {} : { listedAs: `${provider}/${name}` }),
      open: async () => {
        const url = parseBaseUrl(baseUrl);
        const { key, headers, fetch } = await this.access(url);
        const { compatibleFetch, createOpenAICompatible, withReasoningDetails, withTaggedReasoning } =
          await import('../providers.ts');
        const model = createOpenAICompatible({
          name: this.id,
          baseURL: url.origin + url.pathname,
          queryParams: Object.fromEntries(url.searchParams),
          headers,
          includeUsage: true,
          fetch: compatibleFetch({
            fetch,
            key,
            quirks: this.quirksOf(url),
            extraBody: body ?? {},
            maxOutputTokens,
          }),
        }).chatModel(name);
        return withReasoningDetails(withTaggedReasoning(model), { areInsteadOfReasoning: false });
      },
    };
  }

  private quirksOf({ href }: URL): ServerQuirks {
    const quirks = this.quirks.get(href) ?? {};
    this.quirks.set(href, quirks);
    return quirks;
  }

  private async access(url: URL): Promise<Access> {
    return this.accessWith(url, await this.options.keyFor(url.origin));
  }

  private accessWith(url: URL, key: string | undefined): Access {
    const { origin } = url;
    const { headers, isKeyUsed } = headersWithKey(this.options.settings().headers ?? {}, key);
    const own = originFetch({ origin, key, fetch: this.options.fetch ?? globalThis.fetch });
    return {
      key,
      headers:
        isKeyUsed || key === undefined || key === ''
          ? headers
          : { authorization: `Bearer ${key}`, ...headers },
      fetch: versionedFetch(own, url, this.quirksOf(url)),
      plain: own,
    };
  }

  /** Takes a key not stored yet. @throws ModelError `unauthorized`, or `model-list` without an answer */
  async check(key: string): Promise<void> {
    const url = parseBaseUrl(this.options.settings().baseUrl ?? '');
    await this.listOf(url, this.accessWith(url, key));
  }

  private async askForModels(url: URL, timeout?: number): Promise<readonly HostedModel[]> {
    const { program, models } = await this.listOf(url, await this.access(url), timeout);
    const wanted = this.options.program;
    return wanted === undefined || wanted === program ? models : [];
  }

  private async listOf(
    url: URL,
    { headers, fetch, plain }: Access,
    timeout = this.options.listTimeout ?? 5_000,
  ): Promise<ServerModels> {
    const { readServerModels } = await import('./serverModels.ts');
    const signal = AbortSignal.timeout(timeout);
    const get = async (path: string): Promise<unknown> => {
      // The list is enough without them.
      try {
        const response = await plain(aboveVersion(url, path), { headers, signal });
        return response.ok ? await response.json() : undefined;
      } catch {
        return undefined;
      }
    };
    return requestModelList({
      url: urlOf(url, '/models'),
      headers,
      fetch,
      timeout,
      read: (body) => readServerModels(body, get),
    });
  }
}

interface Access {
  readonly key: string | undefined;
  /** Includes the key, in any header. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  /** For paths that never have the version of the address. */
  readonly plain: Fetch;
}

/** @throws ModelError if it is invalid or holds a secret: settings are synchronized, shared and read by extensions */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ModelError(
      'invalid-address',
      defineMessage(
        'The address of the model server isn’t valid. Enter a URL starting with http:// or https:// in the settings.',
      ),
    );
  }
  const hasSecret = [...url.searchParams.keys()].some(isSecretName);
  if (url.username !== '' || url.password !== '' || hasSecret) {
    throw new ModelError(
      'invalid-address',
      defineMessage(
        'The address of the model server holds a name, a password or a key. Take it out, and set the key with “Offshoot: Select Model › Set API Key…”.',
      ),
    );
  }
  return url;
}

/** A path below the base, keeping the base's query (some servers want a version there). */
function urlOf(base: URL, path: string): URL {
  return new URL(base.origin + base.pathname.replace(/\/$/u, '') + path + base.search);
}

/** A path next to the `/v1` of an address. */
function aboveVersion(base: URL, path: string): URL {
  return new URL(base.origin + base.pathname.replace(/(?:\/v\d+\w*)?\/?$/u, '') + path);
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl.trim())?.host ?? baseUrl;
}

function isBlank(text: string | undefined): text is undefined | '' {
  return text === undefined || text.trim() === '';
}

/** An address that ends with a version, as in `/v1` or `/api/v3`. */
const VERSIONED = /\/v\d+\w*\/?$/u;

/** The path with a version added to the address; undefined when the address has a version. */
export function versionedUrl(base: URL, url: URL): URL | undefined {
  const path = base.pathname.replace(/\/$/u, '');
  if (VERSIONED.test(path) || !url.pathname.startsWith(path)) return undefined;
  const versioned = new URL(url);
  versioned.pathname = `${path}/v1${url.pathname.slice(path.length)}`;
  return versioned;
}

/** After a "not found" it also tries `/v1`, in case the address lacks its version, and then only uses that. */
export function versionedFetch(fetch: Fetch, base: URL, quirks: ServerQuirks): Fetch {
  return async (input, init) => {
    const versioned = versionedUrl(base, new URL(input instanceof Request ? input.url : input));
    if (versioned === undefined) return fetch(input, init);
    if (quirks.isVersioned === true) return fetch(versioned, init);
    const first = await fetch(input, init);
    const { isMissing, response } = await looked(first);
    if (!isMissing) return response;
    const second = await fetch(versioned, init);
    const found = await looked(second);
    if (found.isMissing) return response;
    quirks.isVersioned = true;
    return found.response;
  };
}

/** By the status, an HTML page, or LM Studio's message. No other type is read: any may be a streamed answer. */
async function looked(response: Response): Promise<{ isMissing: boolean; response: Response }> {
  const { status, statusText, headers, ok } = response;
  const maySayMissing = ok
    ? /\b(?:json|html)\b/iu.test(headers.get('content-type') ?? '')
    : status === 404 || status === 405;
  if (!maySayMissing) return { isMissing: false, response };
  const text = await response.text();
  const isMissing = !ok || /^\s*</u.test(text) || /^\s*\{\s*"error"\s*:\s*"Unexpected endpoint/iu.test(text);
  return { isMissing, response: new Response(text, { status, statusText, headers }) };
}
