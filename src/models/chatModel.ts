import type { LanguageModelV4 } from '@ai-sdk/provider';
import { z } from 'zod';
import type { ModelFacts, RequestPrices } from '../engine/estimate/modelPrices.ts';

/** A language model as an object; the AI SDK would send a bare name to its own service. */
export type OpenedModel = LanguageModelV4;

/** What a model supports beyond reading and writing text. */
export type ModelCapability = 'tools' | 'images' | 'reasoning';

/** Reasoning efforts, from least to most; each provider has its own words for them. */
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export type ReasoningEffort = z.infer<typeof reasoningEffort>;

export interface ListedModelFacts {
  readonly facts: ModelFacts;
  /** The day of the prices, as `2026-11-10`. */
  readonly date: string;
}

export interface ChatModel {
  /** Source and name: `demo:offline`, `openai-compatible:<model>`, `vscode:<vendor>/<id>`. */
  readonly id: string;
  readonly label: string;
  /** True for the offline demo, which no model is behind; shown with every answer. */
  readonly isDemo: boolean;
  /** One line under the label in a list: where it runs, who offers it. */
  readonly detail?: string;
  /** In tokens. */
  readonly contextWindow?: number;
  /** As reported by its server; omitted when it reports nothing. */
  readonly capabilities?: readonly ModelCapability[];
  /** The price from the user's settings or its server; omitted: the list price, if known. */
  readonly price?: RequestPrices;
  /** Its name in the table of list prices, as `openrouter/x/y`; omitted: the same as its id. */
  readonly listedAs?: string;
  /** Its entry in the table of list prices; the registry looks it up. */
  readonly listed?: ListedModelFacts;
  /** The most tokens in an answer, from the user's settings. */
  readonly maxOutputTokens?: number;
  /** Prepares it for one answer. @throws ModelError when it cannot be used, with what the user can do */
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

export interface ModelSource {
  /** The part of a model's id before the first colon. */
  readonly id: string;
  /** @throws ModelError when the list cannot be requested */
  list(): Promise<readonly ChatModel[]>;
  /** The model with this id, after one short request at most; undefined when it is not available. */
  find(id: string): Promise<ChatModel | undefined>;
}

/** In tokens: from its server, else from the known facts; undefined if unknown. */
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

/** A model's price: from the user's settings or its server, else its list price; undefined if neither is known. */
export function pricesOf(model: Pick<ChatModel, 'listed' | 'price'>): RequestPrices | undefined {
  return model.price ?? model.listed?.facts;
}
