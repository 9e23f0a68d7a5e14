import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ModelFacts, RequestPrices } from '../engine/estimate/modelPrices.ts';

/** A language model as an object; a bare name the AI SDK would send to a service of its own. */
export type OpenedModel = LanguageModelV4;

/** What a model can do beyond reading and writing text. */
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
  /** True for the model that makes its answers up offline; shown wherever its answers are. */
  readonly isDemo: boolean;
  /** One line under the label in a list: where it runs, who offers it. */
  readonly detail?: string;
  /** Tokens the model can read at once. */
  readonly contextWindow?: number;
  /** As far as its server says; left out when it says nothing. */
  readonly capabilities?: readonly ModelCapability[];
  /** What it costs by the user's own settings; left out: by the list prices, where they are known. */
  readonly price?: RequestPrices;
  /** What the table of list prices calls it, as `openrouter/x/y`; left out: as its id does. */
  readonly listedAs?: string;
  /** What the table of list prices says of it; the registry looks it up. */
  readonly listed?: ListedModelFacts;
  /** Tokens an answer may have at most by the user's settings. */
  readonly maxOutputTokens?: number;
  /**
   * Makes it ready for one answer.
   * @throws ModelError when it cannot be used, with what the user can do.
   */
  open(): Promise<OpenedModel>;
}

/** A model whose server says nothing of what it can do is taken to take tools: most do. */
export function takesTools({ capabilities }: Pick<ChatModel, 'capabilities'>): boolean {
  return capabilities === undefined || capabilities.includes('tools');
}

/** A model whose server says nothing of what it can do is shown pictures: most see them. */
export function takesImages({ capabilities }: Pick<ChatModel, 'capabilities'>): boolean {
  return capabilities === undefined || capabilities.includes('images');
}

/** What a model takes of PDFs in a request, all of them together. */
export interface PdfLimits {
  /** In bytes of base64, with room for what else is said. */
  readonly maxBytes: number;
  /** Left out where none is documented. */
  readonly maxPages?: number;
}

/** What those write of PDFs who read them, by the source of their models; the others say nothing of them. */
const pdfLimits: Readonly<Record<string, PdfLimits>> = {
  // https://platform.claude.com/docs/en/build-with-claude/pdf-support: 32 MB, 100 pages where 200,000 tokens fit in.
  anthropic: { maxBytes: 28_000_000, maxPages: 100 },
  // https://ai.google.dev/gemini-api/docs/document-processing: 1,000 pages; what is not uploaded before, 20 MB.
  google: { maxBytes: 18_000_000, maxPages: 1_000 },
  // https://developers.openai.com/api/docs/guides/file-inputs: 50 MB.
  openai: { maxBytes: 48_000_000 },
};

/** https://openrouter.ai/docs/features/multimodal/pdfs: it reads them for models that do not. */
const openRouterLimits: PdfLimits = { maxBytes: 28_000_000 };

/** Of those who read PDFs, models that see nothing and get none. */
const READS_NO_PDF =
  /^(?:google:gemma|openai:(?:gpt-3\.5|gpt-4(?:-\d|-turbo|$)|o1-mini|o1-preview|o3-mini))/u;

/** What a model takes of PDFs; undefined: it reads none, for instance because it sees nothing. */
export function pdfLimitsOf(
  model: Pick<ChatModel, 'id' | 'listedAs' | 'capabilities'>,
): PdfLimits | undefined {
  const { id, listedAs } = model;
  if (!takesImages(model) || READS_NO_PDF.test(id)) return undefined;
  if (listedAs?.startsWith('openrouter/') === true) return openRouterLimits;
  const [source = ''] = id.split(':', 1);
  return Object.hasOwn(pdfLimits, source) ? pdfLimits[source] : undefined;
}

/** One place models come from. */
export interface ModelSource {
  /** The part of a model's id before the first colon. */
  readonly id: string;
  /**
   * The models it offers now.
   * @throws ModelError when they cannot be asked for.
   */
  list(): Promise<readonly ChatModel[]>;
  /** The model of this id, without asking anyone on the network; undefined when it is not to be had here. */
  find(id: string): Promise<ChatModel | undefined>;
}
