import type { Provider, RequestPrices } from '../engine/estimate/modelPrices.ts';
import type { ChatModel } from './chatModel.ts';

/** The same model with what the table of list prices says of it. The table is loaded when it is first asked. */
export async function withListPrices<M extends Pick<ChatModel, 'id' | 'listedAs'>>(
  model: M,
): Promise<M & Pick<ChatModel, 'listed'>> {
  const { findModel, pricesDate: date } = await import('../engine/estimate/modelPrices.ts');
  const { facts } = findModel(model.listedAs ?? model.id);
  return facts ? { ...model, listed: { facts, date } } : model;
}

/** What a model costs: by the user's own settings, else by its list price; undefined where neither is known. */
export function pricesOf(model: Pick<ChatModel, 'listed' | 'price'>): RequestPrices | undefined {
  return model.price ?? model.listed?.facts;
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
