import { z } from 'zod';

const reported = z.looseObject({ offshoot: z.looseObject({ cost: z.number().min(0).max(1e6) }) });

/** The metadata of an answer whose server says what it cost, in US dollars. */
export function costMetadata(cost: number): { readonly offshoot: { readonly cost: number } } {
  return { offshoot: { cost } };
}

/** Undefined if its server does not say. */
export function reportedCost(metadata: unknown): number | undefined {
  return reported.safeParse(metadata).data?.offshoot.cost;
}
