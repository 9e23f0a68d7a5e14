import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelFacts, RequestPrices, Provider } from '../engine/estimate/modelPrices.ts';

/** A language model as an object; the AI SDK would send a bare name to its own service. */
export type OpenedModel = LanguageModelV4;

/** What a model supports beyond reading and writing text. */
export type ModelCapability = 'tools' | 'images' | 'reasoning';

/** List prices and limits. */
export interface ListedModelFacts {
  readonly facts: ModelFacts;
  /** The day of the prices, as `2026-11-10`. */
  readonly date: string;
}

/** A model the user can pick. */
export interface ChatModel {
  /** Source and name: `demo:offline`, `openai-compatible:<model>`, `vscode:<vendor>/<id>`. */
  readonly id: string;
  readonly label: string;
  /** True for the offline model that makes up its answers; shown with every answer. */
  readonly isDemo: boolean;
  /** One line under the label in a list: where it runs, who offers it. */
  readonly detail?: string;
  /** The context window in tokens. */
  readonly contextWindow?: number;
  /** As reported by its server; omitted when it reports nothing. */
  readonly capabilities?: readonly ModelCapability[];
  /** The price from the user's settings; omitted: the list price, if known. */
  readonly price?: RequestPrices;
  /** Its name in the table of list prices, as `openrouter/x/y`; omitted: the same as its id. */
  readonly listedAs?: string;
  /** Its entry in the table of list prices; the registry looks it up. */
  readonly listed?: ListedModelFacts;
  /** The most tokens in an answer, from the user's settings. */
  readonly maxOutputTokens?: number;
  /**
   * Prepares it for one answer.
   * @throws ModelError when it cannot be used, with what the user can do.
   */
  open(): Promise<OpenedModel>;
}

/** Assumes tool support when the server reports nothing: most models have it. */
export function takesTools({ capabilities }: Pick<ChatModel, 'capabilities'>): boolean {
  return capabilities === undefined || capabilities.includes('tools');
}

/** Assumes picture support when the server reports nothing: most models have it. */
export function takesImages({ capabilities }: Pick<ChatModel, 'capabilities'>): boolean {
  return capabilities === undefined || capabilities.includes('images');
}

/** The limits for all PDFs of a request together. */
export interface PdfLimits {
  /** In bytes of base64, with room for the rest of the request. */
  readonly maxBytes: number;
  /** Omitted if none is documented. */
  readonly maxPages?: number;
}

/** The documented PDF limits of providers that read PDFs, by model source; the others document none. */
const pdfLimits: Readonly<Record<string, PdfLimits>> = {
  // https://platform.claude.com/docs/en/build-with-claude/pdf-support: 32 MB, 100 pages where 200,000 tokens fit in.
  anthropic: { maxBytes: 28_000_000, maxPages: 100 },
  // https://ai.google.dev/gemini-api/docs/document-processing: 1,000 pages; without an upload, 20 MB.
  google: { maxBytes: 18_000_000, maxPages: 1_000 },
  // https://developers.openai.com/api/docs/guides/file-inputs: 50 MB.
  openai: { maxBytes: 48_000_000 },
};

/** https://openrouter.ai/docs/features/multimodal/pdfs: it reads them for models that do not. */
const openRouterLimits: PdfLimits = { maxBytes: 28_000_000 };

/** Models without vision from providers that read PDFs; they get none. */
const READS_NO_PDF =
  /^(?:google:gemma|openai:(?:gpt-3\.5|gpt-4(?:-\d|-turbo|$)|o1-mini|o1-preview|o3-mini))/u;

/** A model's PDF limits; undefined: it reads none, for instance because it has no vision. */
export function pdfLimitsOf(
  model: Pick<ChatModel, 'id' | 'listedAs' | 'capabilities'>,
): PdfLimits | undefined {
  const { id, listedAs } = model;
  if (!takesImages(model) || READS_NO_PDF.test(id)) return undefined;
  if (listedAs?.startsWith('openrouter/') === true) return openRouterLimits;
  const [source = ''] = id.split(':', 1);
  return Object.hasOwn(pdfLimits, source) ? pdfLimits[source] : undefined;
}

/** A source of models. */
export interface ModelSource {
  /** The part of a model's id before the first colon. */
  readonly id: string;
  /**
   * The models it offers now.
   * @throws ModelError when the list cannot be requested.
   */
  list(): Promise<readonly ChatModel[]>;
  /** The model with this id, without a network request; undefined when it is not available. */
  find(id: string): Promise<ChatModel | undefined>;
}

/** A model's context window in tokens: from its server, else from the known facts; undefined if unknown. */
export function contextWindowOf(model: Pick<ChatModel, 'contextWindow' | 'listed'>): number | undefined {
  return model.contextWindow ?? model.listed?.facts.limits?.context;
}

/** The same model with its entry from the table of list prices. The table is loaded on first use. */
export async function withListPrices<M extends Pick<ChatModel, 'id' | 'listedAs'>>(
  model: M,
): Promise<M & Pick<ChatModel, 'listed'>> {
  const { findModel, pricesDate: date } = await import('../engine/estimate/modelPrices.ts');
  const { facts } = findModel(model.listedAs ?? model.id);
  return facts ? { ...model, listed: { facts, date } } : model;
}

/** A model's price: from the user's settings, else its list price; undefined if neither is known. */
export function pricesOf(model: Pick<ChatModel, 'listed' | 'price'>): RequestPrices | undefined {
  return model.price ?? model.listed?.facts;
}

/** The hosts where providers with list prices serve OpenAI's chat protocol. */
const hosts: Readonly<Record<string, Provider>> = {
  'api.anthropic.com': 'anthropic',
  'api.deepseek.com': 'deepseek',
  'api.groq.com': 'groq',
  'api.mistral.ai': 'mistral',
  'api.moonshot.ai': 'moonshotai',
  'api.openai.com': 'openai',
  'generativelanguage.googleapis.com': 'google',
  'openrouter.ai': 'openrouter',
};

/** The provider at an address; undefined for all others: elsewhere the same model has another price. */
export function providerAt(baseUrl: string): Provider | undefined {
  const host = URL.parse(baseUrl.trim())?.hostname;
  return host !== undefined && Object.hasOwn(hosts, host) ? hosts[host] : undefined;
}
