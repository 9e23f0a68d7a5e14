import { z } from 'zod';
import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ImportReport } from './importReport.ts';
import { recordLines } from './recordLines.ts';

// Since 1.109 VS Code stores a session as a log: its first line holds the session, each further one a change.

const path = z.array(z.union([z.string(), z.int().min(0).max(1_000_000)])).max(100);

const entry = z.union([
  z.object({ kind: z.literal(0), v: z.unknown().optional() }),
  z.object({ kind: z.literal(1), k: path, v: z.unknown().optional() }),
  z.object({ kind: z.literal(2), k: path, v: z.array(z.unknown()).nullish(), i: z.int().min(0).optional() }),
  z.object({ kind: z.literal(3), k: path }),
]);

/** Members that would change every object. */
const forbidden = new Set<string | number>(['__proto__', 'constructor', 'prototype']);

/** Whether a file begins like such a log. */
export function isMutationLog(value: unknown): boolean {
  return (
    entry.options[0].safeParse(value).success && typeof value === 'object' && value !== null && 'v' in value
  );
}

/** The session at the end of its log. @throws ImportError for a log without a beginning */
export function sessionOfLog(text: string, report: ImportReport): unknown {
  let state: unknown;
  for (const value of recordLines(text, report)) {
    const read = entry.safeParse(value).data;
    const isDone = read !== undefined && (read.kind === 0 ? true : applied(state, read));
    if (read?.kind === 0) state = read.v;
    else if (!isDone) report.add(defineMessage('Records of an unknown kind'));
  }
  if (state === undefined) throw new ImportError(defineMessage('its beginning is missing'));
  return state;
}

type Change = Exclude<z.infer<typeof entry>, { kind: 0 }>;

/** @returns false for a change to something that does not exist */
function applied(state: unknown, change: Change): boolean {
  const last = change.k.at(-1);
  if (last === undefined || change.k.some((name) => forbidden.has(name))) return false;
  const parent = change.k.slice(0, -1).reduce<unknown>(memberOf, state);
  if (typeof parent !== 'object' || parent === null) return false;
  // An array may grow by one, not to an arbitrary length.
  if (Array.isArray(parent) && (typeof last !== 'number' || last > parent.length)) return false;
  const members = parent as Record<string | number, unknown>;
  switch (change.kind) {
    case 1:
      members[last] = change.v;
      return true;
    case 2: {
      const list: unknown = memberOf(parent, last) ?? (members[last] = []);
      if (!Array.isArray(list)) return false;
      if (change.i !== undefined) list.length = Math.min(list.length, change.i);
      for (const each of change.v ?? []) list.push(each);
      return true;
    }
    case 3:
      members[last] = undefined;
      return true;
  }
}

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string | number, unknown>)[name];
}
