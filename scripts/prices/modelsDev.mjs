import { z } from 'zod';

/**
 * The providers whose models have prices here, by their names at models.dev: those Offshoot asks itself, and those its
 * users reach most by their OpenAI-compatible addresses.
 */
export const providers = /** @type {const} */ ([
  'openai',
  'anthropic',
  'google',
  'groq',
  'mistral',
  'deepseek',
  'moonshotai',
  'openrouter',
]);

const dollars = z.number().min(0).max(1_000_000);
const tokens = z.number().int().min(0).max(1_000_000_000);

const price = z.object({
  input: dollars,
  output: dollars,
  reasoning: dollars.optional(),
  cache_read: dollars.optional(),
  cache_write: dollars.optional(),
});

const model = z.object({
  modalities: z.object({ output: z.array(z.string()) }).optional(),
  cost: price
    .extend({
      tiers: z.array(price.extend({ tier: z.object({ size: tokens }) })).optional(),
      context_over_200k: price.optional(),
    })
    .optional(),
  limit: z.object({ context: tokens.optional(), output: tokens.optional() }).optional(),
});

const modelId = z.string().regex(/^[\w.~:/@+-]{1,200}$/u);

/** As far as it is read: https://models.dev/api.json */
const modelsDev = z.object(
  Object.fromEntries(providers.map((id) => [id, z.object({ models: z.record(modelId, model) })])),
);

/** @typedef {z.infer<typeof model>} Model */
/** @typedef {Record<string, { models: Record<string, Model> }>} ModelsDev */

/**
 * @param {unknown} data
 * @param {string} source what the data was read from, for the error
 * @returns {ModelsDev}
 */
export function readModelsDev(data, source) {
  const read = modelsDev.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue && issue.path.length > 0 ? issue.path.join(' → ') : 'the whole';
  throw new Error(
    `${source} is not what models.dev publishes: ${where}: ${issue?.message ?? 'unreadable'}. Download https://models.dev/api.json again.`,
  );
}
