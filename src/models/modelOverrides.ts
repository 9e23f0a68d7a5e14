import { z } from 'zod';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { pricesOf, type ChatModel, type ModelSource } from './chatModel.ts';
import { ModelError } from './errors/modelErrors.ts';

const dollars = z.number().min(0).max(1_000_000);
const tokens = z.int().positive().max(1e9);

/** A user's settings for a model. Prices are in US dollars per million tokens, the others in tokens. */
export const modelOverride = z
  .strictObject({
    input: dollars,
    output: dollars,
    cachedInput: dollars,
    cacheWrite: dollars,
    contextWindow: tokens,
    maxOutput: tokens,
  })
  .partial()
  .refine(({ input, output }) => (input === undefined) === (output === undefined));
export type ModelOverride = z.infer<typeof modelOverride>;

/** The prefix of ids of compatible servers, followed by the user's name for the server. */
const NAMED_SERVER = 'openai-compatible.';

/** The user's settings for models; read again for each use. */
export class ModelOverrides {
  private readonly entries: () => Readonly<Record<string, unknown>>;

  constructor(entries: () => Readonly<Record<string, unknown>>) {
    this.entries = entries;
  }

  apply(model: ChatModel): ChatModel {
    const override = this.find(model);
    if (!override) return model;
    const { contextWindow, maxOutput, input, output, ...caches } = override;
    const known = pricesOf(model);
    // A price from the user is complete: its missing values are not taken from another price.
    const own = input === undefined || output === undefined ? known : { input, output };
    return {
      ...model,
      ...(own && (input !== undefined || Object.keys(caches).length > 0)
        ? { price: withCaches(own, caches) }
        : {}),
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutput === undefined ? {} : { maxOutputTokens: maxOutput }),
    };
  }

  /** Has no models, but reports which entry is invalid; the others stay valid. */
  readonly unreadable: ModelSource = {
    id: 'model-overrides',
    list: () => {
      const wrong = Object.entries(this.entries()).find(
        ([key, entry]) => !isKey(key) || !modelOverride.safeParse(entry).success,
      );
      if (!wrong) return Promise.resolve([]);
      const text = defineMessage(
        'Entry “{0}” of the setting offshoot.modelOverrides isn’t used. It needs a name like provider/model and positive numbers; input and output go together.',
        wrong[0].slice(0, 200).toWellFormed(),
      );
      return Promise.reject(new ModelError('invalid-override', text));
    },
    find: () => Promise.resolve(undefined),
  };

  private find(model: ChatModel): ModelOverride | undefined {
    const entries = Object.entries(this.entries());
    if (entries.length === 0) return undefined;
    for (const name of namesOf(model)) {
      for (const [key, entry] of entries) {
        const override = normalized(key) === name ? modelOverride.safeParse(entry).data : undefined;
        if (override) return override;
      }
    }
    return undefined;
  }
}

function withCaches(
  price: NonNullable<ChatModel['price']>,
  { cachedInput, cacheWrite }: Pick<ModelOverride, 'cachedInput' | 'cacheWrite'>,
): NonNullable<ChatModel['price']> {
  const { input, output, reasoning, tiers } = price;
  const read = cachedInput ?? price.cachedInput;
  const write = cacheWrite ?? price.cacheWrite;
  return {
    input,
    output,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(read === undefined ? {} : { cachedInput: read }),
    ...(write === undefined ? {} : { cacheWrite: write }),
    ...(tiers === undefined ? {} : { tiers }),
  };
}

/** The names an entry for a model may have, the most specific first. */
function namesOf({ id, listedAs }: ChatModel): string[] {
  return [
    id,
    ...(id.startsWith(NAMED_SERVER) ? [id.slice(NAMED_SERVER.length)] : []),
    ...(listedAs === undefined ? [] : [listedAs]),
  ].map(normalized);
}

/** `OpenAI:gpt-5.1` and `openai/gpt-5.1` are the same. */
function normalized(name: string): string {
  return name.trim().toLowerCase().replace(/[:/]/u, '/');
}

function isKey(key: string): boolean {
  return /^[^:/]+\/./u.test(normalized(key));
}
