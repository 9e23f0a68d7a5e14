import table from './prices.json';

/** In US dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  /** Reasoning included, where it has no price of its own. */
  readonly output: number;
  /** Of the output that the model thought; left out: as `output`. */
  readonly reasoning?: number;
  /** Of input that comes from a cache; left out: as `input`. */
  readonly cachedInput?: number;
  /** Of input that is put into a cache; left out: as `input`. */
  readonly cacheWrite?: number;
}

/** The prices of a request with more input than `above`, in tokens. */
export interface LongPrices extends TokenPrices {
  readonly above: number;
}

/** The prices of requests of any length. */
export interface RequestPrices extends TokenPrices {
  /** The shortest first. */
  readonly tiers?: readonly LongPrices[];
}

/** What a model costs and holds. Prices are in US dollars per million tokens, limits in tokens. */
export interface ModelFacts extends RequestPrices {
  readonly provider: Provider;
  /** Left out where the provider does not say. */
  readonly limits?: ModelLimits;
}

/** How much a model takes in and gives out, in tokens. */
export interface ModelLimits {
  /** Input and output together. */
  readonly context: number;
  readonly output?: number;
}

/** Those whose models have prices here. A model that is asked for without a provider is of the first that has it. */
export const providers = [
  'openai',
  'anthropic',
  'google',
  'groq',
  'mistral',
  'deepseek',
  'moonshotai',
  'openrouter',
] as const;

/** Who offers a model. */
export type Provider = (typeof providers)[number];

/** A row of the table that `scripts/prices.mjs` makes. */
interface PriceRow extends RequestPrices {
  readonly context?: number;
  readonly maxOutput?: number;
}

const rows: Readonly<Record<Provider, Readonly<Record<string, PriceRow>>>> = table.models;

/** The day of the list prices, as `2026-11-10`. */
export const pricesDate: string = table.date;

const facts = new Map(providers.map((provider) => [provider, factsByName(provider)]));

/**
 * The prices of a model at a provider, or (when no provider is given) at the one that has a model of that name.
 * @param model as `gpt-4o`; a date (`gpt-4o-2024-08-06`), `-latest` or a maker before it (`openai/gpt-oss-20b`) is fine
 */
export function findModelFacts(model: string, provider?: string): ModelFacts | undefined {
  const names = [model, model.slice(model.lastIndexOf('/') + 1)].flatMap((name) => {
    return [exactName(name), plainName(name)];
  });
  for (const [known, models] of facts) {
    if (provider !== undefined && provider !== known) continue;
    for (const name of names) {
      const found = models.get(name);
      if (found) return found;
    }
  }
  return undefined;
}

/**
 * `provider:model` and `provider/model` name their provider, and another provider's price for a model of that name does
 * not hold there (one that runs on this machine costs nothing). `model` alone is whoever's has that name.
 */
export function findModel(modelId: string): { provider: string | undefined; facts: ModelFacts | undefined } {
  const id = modelId.trim();
  const separator = id.search(/[:/]/);
  if (separator <= 0) {
    const facts = findModelFacts(id);
    return { provider: facts?.provider, facts };
  }
  const provider = id.slice(0, separator).toLowerCase();
  return { provider, facts: findModelFacts(id.slice(separator + 1), provider) };
}

/** By the names a model is found by; where two models share one, it is the first one's. */
function factsByName(provider: Provider): ReadonlyMap<string, ModelFacts> {
  const all = Object.entries(rows[provider]).map(([id, row]): readonly [string, ModelFacts] => [
    id,
    modelFacts(provider, row),
  ]);
  const named = new Map(all.map(([id, each]) => [exactName(id), each]));
  for (const [id, each] of all) {
    for (const name of [plainName(id), plainName(id.slice(id.lastIndexOf('/') + 1))]) {
      if (!named.has(name)) named.set(name, each);
    }
  }
  return named;
}

/** `Claude-Sonnet-4.5` → `claude-sonnet-4-5` */
function exactName(model: string): string {
  return model.toLowerCase().replaceAll('.', '-');
}

/** `Claude-Sonnet-4.5-20250929` → `claude-sonnet-4-5` */
function plainName(model: string): string {
  return exactName(model).replace(/(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, '');
}

function modelFacts(provider: Provider, { context, maxOutput, ...prices }: PriceRow): ModelFacts {
  return {
    provider,
    ...prices,
    ...(context !== undefined && {
      limits: maxOutput === undefined ? { context } : { context, output: maxOutput },
    }),
  };
}
