import { z } from 'zod';
import type { ProviderOptions } from './prompt.ts';

/** The provider name under which they are stored; gateways other than OpenRouter have the same form. */
export const OPENROUTER = 'openrouter';

/** https://openrouter.ai/docs/guides/best-practices/reasoning-tokens: text, a summary, or encrypted. */
export const reasoningDetails = z.array(z.record(z.string(), z.json()));
export type ReasoningDetail = z.infer<typeof reasoningDetails>[number];

const kept = z.looseObject({ [OPENROUTER]: z.looseObject({ reasoning_details: reasoningDetails }) });

export function detailsMetadata(details: readonly ReasoningDetail[]): ProviderOptions {
  return { [OPENROUTER]: { reasoning_details: [...details] } };
}

/** Those that are stored with a part; none for other parts. */
export function keptDetails(metadata: ProviderOptions | undefined): readonly ReasoningDetail[] {
  return kept.safeParse(metadata).data?.[OPENROUTER].reasoning_details ?? [];
}

export function hasReasoningDetails(metadata: ProviderOptions | undefined): boolean {
  return keptDetails(metadata).length > 0;
}
