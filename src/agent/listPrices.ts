import { findModel } from '../engine/estimate/answerCost.ts';
import type { ModelFacts, Provider, RequestPrices } from '../engine/estimate/modelPrices.ts';
import type { ChatModel } from './chatModel.ts';

/** What the table of list prices says of a model; undefined where it has none of that name. */
export function listFacts({ id, listedAs = id }: Pick<ChatModel, 'id' | 'listedAs'>): ModelFacts | undefined {
  return findModel(listedAs).facts;
}

/** What a model costs: by the user's own settings, else by its list price; undefined where neither is known. */
export function pricesOf(model: Pick<ChatModel, 'id' | 'listedAs' | 'price'>): RequestPrices | undefined {
  return model.price ?? listFacts(model);
}

/** Where the models of a provider with list prices are asked for by OpenAI's chat protocol. */
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

/** The provider that answers at an address; undefined for all others: elsewhere the same model has another price. */
export function providerAt(baseUrl: string): Provider | undefined {
  const host = URL.parse(baseUrl.trim())?.hostname;
  return host !== undefined && Object.hasOwn(hosts, host) ? hosts[host] : undefined;
}
