import { z } from 'zod';
import { NotStorableError } from '../../engine/errors.ts';
import { storable } from '../../engine/storable.ts';
import { LAST_TIME } from '../../engine/time.ts';
import type { TextPart } from '../../engine/uiMessage.ts';
import { beyondBounds, INPUT_BOUNDS } from './jsonBounds.ts';

/** Provider metadata of a part, by provider name; `offshoot` holds this program's own. */
export type PartMetadata = NonNullable<TextPart['providerMetadata']>;

/** The storable part of a provider's metadata: what cannot be stored is not useful to the provider either. */
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

/** Merges both; for one provider, the later value of each member wins. */
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

/** When the model started and stopped reasoning, in milliseconds since 1970. */
export interface ReasoningTimes {
  readonly startedAt?: number | undefined;
  readonly finishedAt?: number | undefined;
}

export function reasoningTimes(part: { readonly providerMetadata?: PartMetadata }): ReasoningTimes {
  return timed.safeParse(part.providerMetadata).data?.offshoot ?? {};
}
