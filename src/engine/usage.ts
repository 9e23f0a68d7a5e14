import { InvalidArgumentError } from './errors.ts';
import { verbatim } from './messageDescriptor.ts';
import { isRevoked } from './storable.ts';

/** Counts by name; AI SDK 7 groups some of them, as in `inputTokenDetails.cacheReadTokens`. */
export interface UsageNumbers {
  readonly [name: string]: number | UsageNumbers;
}

/** The groups of AI SDK 7's `LanguageModelUsage`. Provider-specific data (`raw`) is not added up. */
const groups: ReadonlySet<string> = new Set(['inputTokenDetails', 'outputTokenDetails']);

/** The numeric counts; everything else a model reports is left out. @throws InvalidArgumentError */
export function usageNumbers(usage: Readonly<Record<string, unknown>>): UsageNumbers {
  if (!isReadable(usage)) throw new InvalidArgumentError('usage', verbatim('it is no object with counts'));
  return Object.fromEntries(
    Object.entries(usage).flatMap(([name, value]): [string, number | UsageNumbers][] => {
      if (typeof value === 'number') return Number.isFinite(value) ? [[name, value]] : [];
      if (!groups.has(name) || !isReadable(value)) return [];
      const counts = usageNumbers(value);
      return Object.keys(counts).length === 0 ? [] : [[name, counts]];
    }),
  );
}

function isReadable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !isRevoked(value);
}
