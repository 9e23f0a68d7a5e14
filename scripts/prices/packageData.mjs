import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { providers } from './modelsDev.mjs';

const price = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

const models = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      type: z.string(),
      id: z.string(),
      cost: price
        .extend({ tiers: z.array(price.extend({ inputTokensAbove: z.number() })).optional() })
        .optional(),
      contextWindow: z.number().optional(),
      maxTokens: z.number().optional(),
    }),
  ),
);

/** @typedef {z.infer<typeof models>[string][string]} PackageModel */

/**
 * The data of models.dev as the npm package `@earendil-works/pi-ai` has it, in the form of models.dev itself.
 * @param {string} folder the unpacked package
 */
export async function readPackageData(folder) {
  const read = await Promise.all(
    providers.map(async (id) => {
      const file = path.join(folder, 'dist', 'providers', 'data', `${id}.json`);
      const parsed = models.safeParse(JSON.parse(await readFile(file, 'utf8')));
      if (!parsed.success) throw new Error(`${file} has another form: ${z.prettifyError(parsed.error)}`);
      const chat = Object.values(parsed.data)
        .flatMap((group) => Object.values(group))
        .filter(({ type }) => type === 'chat');
      return /** @type {const} */ ([id, new Map(chat.map((each) => [each.id, each]))]);
    }),
  );
  const byProvider = new Map(read);
  const atOpenRouter = byProvider.get('openrouter');
  return Object.fromEntries(
    read.map(([id, all]) => [
      id,
      {
        models: Object.fromEntries(
          [...all].map(([name, each]) => [name, asModelsDev(each, atOpenRouter?.get(`${id}/${name}`))]),
        ),
      },
    ]),
  );
}

/**
 * @param {PackageModel} model
 * @param {PackageModel | undefined} elsewhere the same model where its window is whole
 */
function asModelsDev({ cost, contextWindow, maxTokens }, elsewhere) {
  // The package ends a window where a request begins to cost more; the model itself reads on.
  const isCut = cost?.tiers?.some(({ inputTokensAbove }) => inputTokensAbove === contextWindow);
  const context = isCut ? elsewhere?.contextWindow : contextWindow;
  return {
    ...(cost && {
      cost: {
        ...asPrice(cost),
        ...(cost.tiers && {
          tiers: cost.tiers.map((tier) => ({ ...asPrice(tier), tier: { size: tier.inputTokensAbove } })),
        }),
      },
    }),
    limit: {
      ...(context === undefined ? {} : { context }),
      ...(maxTokens === undefined ? {} : { output: maxTokens }),
    },
  };
}

/**
 * What is not known is 0 in the package.
 * @param {z.infer<typeof price>} price
 */
function asPrice({ input, output, cacheRead, cacheWrite }) {
  return {
    input,
    output,
    ...(cacheRead > 0 && { cache_read: cacheRead }),
    ...(cacheWrite > 0 && { cache_write: cacheWrite }),
  };
}
