import { z } from 'zod';
import type { JsonValue } from '../../engine/json.ts';
import { asFact, MAX_FACT, type MemoryChange } from './memoryChange.ts';
import { KnownFactError, MemoryFullError, UnknownFactError } from './memoryErrors.ts';

/** How many facts a branch remembers. */
export const MAX_BRANCH_FACTS = 50;

const facts = z.array(z.string().min(1).max(MAX_FACT)).max(MAX_BRANCH_FACTS);

/** Nothing for an invalid value: imports may hold any. */
export function branchFacts(value: JsonValue | undefined): readonly string[] {
  // Checked first: no entry of an overlong list is read.
  if (!Array.isArray(value) || value.length > MAX_BRANCH_FACTS) return [];
  const read = facts.safeParse(value).data ?? [];
  return [...new Set(read.map(asFact))].filter((fact) => fact !== '');
}

/** @throws KnownFactError, UnknownFactError, MemoryFullError */
export function changedFacts(before: readonly string[], { add, remove }: MemoryChange): readonly string[] {
  if (add !== undefined && before.includes(add)) throw new KnownFactError(add);
  if (remove !== undefined && !before.includes(remove)) throw new UnknownFactError(remove);
  const after =
    remove === undefined ? before : before.flatMap((fact) => (fact === remove ? (add ?? []) : fact));
  if (add === undefined || remove !== undefined) return after;
  if (after.length >= MAX_BRANCH_FACTS) throw new MemoryFullError();
  return [...after, add];
}
