import { z } from 'zod';
import { ToolFailure } from './readingTool.ts';

/** Where a list continues; only values that a tool returned. */
export const cursor = z.string().max(200).optional().describe('nextCursor of the page before');

/** @param most the most that fit on a page */
export function pageLimit(most: number, usual: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(usual);
}

/** @throws ToolFailure for a cursor that no tool returned */
export function offsetOf(given: string | undefined): number {
  if (given === undefined) return 0;
  if (!/^\d{1,9}$/u.test(given)) throw new ToolFailure('invalid-cursor', 'This is no nextCursor of a list.');
  return Number(given);
}

/** A page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** Cuts a page out of the results. @param found at least one more than fits on it, if there are more */
export function pageOf<T>(found: readonly T[], offset: number, limit: number): Page<T> {
  const items = found.slice(offset, offset + limit);
  return found.length > offset + limit ? { items, nextCursor: String(offset + limit) } : { items };
}

/** The line with the cursor of the next page; none on the last. */
export function moreLine({ nextCursor }: Pick<Page<unknown>, 'nextCursor'>): string[] {
  return nextCursor === undefined ? [] : [`There is more: cursor ${JSON.stringify(nextCursor)}.`];
}
