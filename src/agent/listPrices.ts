import type { Provider, RequestPrices } from '../engine/estimate/modelPrices.ts';
import type { ChatModel } from './chatModel.ts';

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
