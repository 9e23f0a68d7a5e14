import { z } from 'zod';
import { NotStorableError } from '../engine/errors.ts';
import { storable } from '../engine/storable.ts';
import { LAST_TIME } from '../engine/time.ts';
import type { TextPart } from '../engine/uiMessage.ts';
import { beyondBounds, INPUT_BOUNDS } from './tools/jsonBounds.ts';

/** What providers say of a part, by their names, and below `offshoot` what this program keeps with it. */
export type PartMetadata = NonNullable<TextPart['providerMetadata']>;

/** What a provider said of a part, as far as it can be stored: what cannot is of no use to the provider either. */
export function storableMetadata(metadata: unknown): PartMetadata | undefined {
  if (typeof metadata !== 'object' || metadata === null || beyondBounds(metadata, INPUT_BOUNDS)) {
    return undefined;
  }
  try {
    return providers.safeParse(storable(metadata, 'providerMetadata')).data;
  } catch (error) {
    if (error instanceof NotStorableError) return undefined;
    throw error;
  }
}

const providers = z.record(z.string(), z.record(z.string(), z.json()));

/** Both together; of one provider, what was said last of each member. */
export function mergedMetadata(
  before: PartMetadata | undefined,
  after: PartMetadata | undefined,
): PartMetadata | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries([...names].map((name) => [name, { ...before[name], ...after[name] }]));
}

const time = z.number().min(0).max(LAST_TIME).optional().catch(undefined);
const timed = z.looseObject({ offshoot: z.looseObject({ startedAt: time, finishedAt: time }) });

/** When the model began and ended to think, in milliseconds since 1970. */
export interface ReasoningTimes {
  readonly startedAt?: number | undefined;
  readonly finishedAt?: number | undefined;
}

/** The times this program kept with a part of reasoning. */
export function reasoningTimes(part: { readonly providerMetadata?: PartMetadata }): ReasoningTimes {
  return timed.safeParse(part.providerMetadata).data?.offshoot ?? {};
}
