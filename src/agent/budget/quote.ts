import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { contextWindowOf, pricesOf, type ChatModel } from '../../models/chatModel.ts';
import { pdfFacts } from '../../models/messages/messageFiles.ts';
import type { RequestPrices } from '../../engine/estimate/modelPrices.ts';
import { pricesFor } from '../../engine/estimate/requestCost.ts';
import { PDF_PAGE_TOKENS } from '../context/sentText.ts';
import { TextTokens } from '../context/textTokens.ts';

/** Dollars are undefined where no price is known. */
export interface Amount {
  readonly dollars: number | undefined;
  readonly tokens: number;
}

/** What one request can take at most. */
export interface Quote {
  readonly inputTokens: number;
  /** The most it may write. */
  readonly outputLimit: number;
  /** Whether the limit must be sent, because neither the request nor its server is known to have one. */
  readonly isAssumed: boolean;
  /** Whether the request may be sent with a lower limit. */
  readonly canLower: boolean;
  readonly model: ChatModel;
}

/** For a server of which nothing is known; larger ones are refused by some whose context window is small. */
const ASSUMED_OUTPUT = 4_096;

/** Pictures, at the most that providers name for one. */
const PICTURE_TOKENS = 3_000;

/** The bytes of a PDF page, where its pages could not be counted. */
const PAGE_BYTES = 10_000;

/** What providers put around each message and each tool, and what some add when there are tools. */
const PER_MESSAGE = 16;
const WITH_TOOLS = 1_000;

/** Tokenizers of other makers than OpenAI find up to this many times the tokens that are counted here. */
const MOST_RATIO = 1.6;
const OPEN_AI_RATIO = 1.1;

/** Texts whose counts are cached. */
const MAX_COUNTED = 5_000;

/** Estimates requests from above: its counts are those of OpenAI's tokenizer, corrected by what servers reported. */
export class Quotes {
  private readonly tokens = new TextTokens();
  private readonly counts = new Map<string, number>();
  private readonly ratios = new Map<string, number>();

  async of(model: ChatModel, params: LanguageModelV4CallOptions): Promise<Quote> {
    const counted = await this.input(params);
    const limits = model.listed?.facts.limits;
    const window = contextWindowOf(model);
    const known = lowest(limits?.output, window);
    const thinksBeyond = addsThinking(model, params);
    const limit = thinksBeyond ? known : lowest(params.maxOutputTokens, known);
    return {
      inputTokens: Math.ceil(counted * this.ratio(model)),
      outputLimit: limit ?? ASSUMED_OUTPUT,
      isAssumed: params.maxOutputTokens === undefined && known === undefined,
      canLower: !thinksBeyond,
      model,
    };
  }

  /** What was received, as the server may have counted it. */
  async text(model: ChatModel, text: string): Promise<number> {
    return Math.ceil((await this.count(text)) * this.ratio(model));
  }

  /** @param quoted the tokens estimated with the present ratio */
  learn(model: ChatModel, quoted: number, reported: number): void {
    const ratio = this.ratio(model);
    if (reported > quoted) this.ratios.set(model.id, (ratio * reported * 1.05) / Math.max(1, quoted));
  }

  private ratio({ id }: ChatModel): number {
    return this.ratios.get(id) ?? (/^(?:openai|azure):/u.test(id) ? OPEN_AI_RATIO : MOST_RATIO);
  }

  private async input({ prompt, tools = [] }: LanguageModelV4CallOptions): Promise<number> {
    let sum = tools.length === 0 ? 0 : WITH_TOOLS;
    for (const tool of tools) sum += (await this.count(JSON.stringify(tool))) + PER_MESSAGE;
    for (const { content } of prompt) {
      sum += PER_MESSAGE;
      if (typeof content === 'string') sum += await this.count(content);
      else for (const part of content) sum += await this.part(part);
    }
    return sum;
  }

  private async part(part: PromptPart): Promise<number> {
    switch (part.type) {
      case 'text':
        return this.count(part.text);
      case 'file':
        return fileTokens(part);
      case 'tool-result':
        if (part.output.type === 'content') {
          let sum = 0;
          for (const item of part.output.value) {
            sum += item.type === 'text' ? await this.count(item.text) : fileTokens(item);
          }
          return sum;
        }
        return this.count(JSON.stringify(part.output));
      default:
        // With the provider's own data: that of reasoning stands for as many tokens as were thought.
        return this.count(JSON.stringify(part));
    }
  }

  private async count(text: string): Promise<number> {
    const known = this.counts.get(text);
    if (known !== undefined) return known;
    const tokens = await this.tokens.count(text);
    this.counts.set(text, tokens);
    const oldest = this.counts.keys().next();
    if (this.counts.size > MAX_COUNTED && oldest.done !== true) this.counts.delete(oldest.value);
    return tokens;
  }
}

type PromptPart = Exclude<LanguageModelV4CallOptions['prompt'][number]['content'], string>[number];

/** With all of the input uncached, or put into the cache, whichever costs more. */
export function amountOf({ inputTokens, model }: Quote, outputTokens: number): Amount {
  const tokens = inputTokens + outputTokens;
  const prices = pricesOf(model);
  if (!prices) return { tokens, dollars: isFree(model) ? 0 : undefined };
  const { input, output } = highestPrices(prices, inputTokens);
  return { tokens, dollars: (inputTokens * input + outputTokens * output) / 1_000_000 };
}

/** How much may be written so that the whole request stays within an amount; negative if nothing may be. */
export function affordableOutput(
  { inputTokens, model }: Quote,
  left: { readonly dollars?: number | undefined; readonly tokens?: number | undefined },
): number {
  const prices = pricesOf(model);
  const byTokens = left.tokens === undefined ? Infinity : left.tokens - inputTokens;
  if (left.dollars === undefined || !prices) return Math.floor(byTokens);
  const { input, output } = highestPrices(prices, inputTokens);
  const rest = left.dollars * 1_000_000 - inputTokens * input;
  const byDollars = output > 0 ? rest / output : rest >= 0 ? Infinity : -1;
  return Math.floor(Math.min(byTokens, byDollars));
}

function highestPrices(prices: RequestPrices, inputTokens: number): { input: number; output: number } {
  const { input, output, reasoning = output, cacheWrite = input } = pricesFor(prices, inputTokens);
  return { input: Math.max(input, cacheWrite), output: Math.max(output, reasoning) };
}

/** The demo and Ollama run on the machine of the user. */
function isFree({ id, isDemo }: ChatModel): boolean {
  return isDemo || id.startsWith('ollama:');
}

/** For some of Claude's models, the AI SDK adds the room for reasoning to the limit, up to what the model has at most. */
function addsThinking({ id }: ChatModel, { reasoning = 'none' }: LanguageModelV4CallOptions): boolean {
  return id.startsWith('anthropic:') && reasoning !== 'none' && reasoning !== 'provider-default';
}

interface SentFile {
  readonly mediaType?: string;
  readonly data?: unknown;
  readonly providerOptions?: Parameters<typeof pdfFacts>[0];
}

function fileTokens({ mediaType = '', data, providerOptions }: SentFile): number {
  if (mediaType !== 'application/pdf') return PICTURE_TOKENS;
  const pages = pdfFacts(providerOptions).pages ?? Math.ceil(lengthOf(data) / PAGE_BYTES);
  // Providers name up to twice as many.
  return Math.max(1, pages) * PDF_PAGE_TOKENS * 2;
}

function lengthOf(data: unknown): number {
  if (typeof data === 'string' || data instanceof Uint8Array) return data.length;
  if (typeof data === 'object' && data !== null && 'data' in data) return lengthOf(data.data);
  return 0;
}

function lowest(...limits: readonly (number | undefined)[]): number | undefined {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
