import { providers } from './modelsDev.mjs';

/** @typedef {import('./modelsDev.mjs').Model} Model */
/** @typedef {NonNullable<Model['cost']>} Cost */

/**
 * The table of prices and windows: sorted, so that two of them differ in what has changed alone.
 * @param {import('./modelsDev.mjs').ModelsDev} data
 * @param {string} date of the data
 */
export function priceTable(data, date) {
  return {
    date,
    models: Object.fromEntries(providers.map((id) => [id, rows(data[id]?.models ?? {})])),
  };
}

/** @param {Record<string, Model>} models */
function rows(models) {
  const all = Object.entries(models)
    .filter(([id, model]) => isForConversations(id, model))
    .map(([id, model]) => /** @type {const} */ ([id, row(model)]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const known = new Map(all.map(([id, each]) => [id, JSON.stringify(each)]));
  // A dated name is found by the one without; it has a row of its own where it costs something else.
  return Object.fromEntries(
    all.filter(([id, each]) => {
      const plain = id.replace(/(?:-\d{8}|-\d{4}-\d{2}-\d{2})$/u, '');
      return plain === id || known.get(plain) !== JSON.stringify(each);
    }),
  );
}

/**
 * @param {string} id
 * @param {Model} model
 */
function isForConversations(id, { cost, modalities }) {
  if (!cost || /embed|whisper|-tts|:batch$/u.test(id)) return false;
  return modalities?.output.includes('text') ?? true;
}

/** @param {Model} model */
function row({ cost, limit }) {
  if (!cost) throw new Error('A model without a price has no row.');
  const tiers =
    cost.tiers?.map((tier) => ({ above: tier.tier.size, ...prices(tier) })) ??
    (cost.context_over_200k ? [{ above: 200_000, ...prices(cost.context_over_200k) }] : []);
  return {
    ...prices(cost),
    ...(limit?.context ? { context: limit.context } : {}),
    ...(limit?.output ? { maxOutput: limit.output } : {}),
    ...(tiers.length === 0 ? {} : { tiers: tiers.sort((a, b) => a.above - b.above) }),
  };
}

/** @param {Pick<Cost, 'input' | 'output' | 'reasoning' | 'cache_read' | 'cache_write'>} cost */
function prices({ input, output, reasoning, cache_read: cachedInput, cache_write: cacheWrite }) {
  return {
    input,
    output,
    ...(reasoning === undefined || reasoning === output ? {} : { reasoning }),
    ...(cachedInput === undefined ? {} : { cachedInput }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
