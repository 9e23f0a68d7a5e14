import { isFragment, type Fragment, type FragmentData } from '../fragments/fragment.ts';

/**
 * Fragment data as renderers see it: functions called, nulls and cycles dropped, nested fragments turned into members
 * of their name. What remains is text, lists and members, in the order given.
 */
export type Plain = string | number | boolean | readonly Plain[] | PlainMembers;

export interface PlainMembers {
  /** A name may come twice. */
  readonly members: readonly (readonly [name: string, value: Plain])[];
}

export function isMembers(value: Plain): value is PlainMembers {
  return typeof value === 'object' && 'members' in value;
}

export function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}

/** The fragments as named values; those that say nothing are left out. */
export function plainFragments(fragments: readonly Fragment[]): (readonly [name: string, value: Plain])[] {
  return fragments.flatMap((fragment) => named(fragment, new Set()));
}

function named(fragment: Fragment, above: Set<unknown>): (readonly [string, Plain])[] {
  const value = plain(fragment.data, above);
  return value === undefined ? [] : [[fragment.name, value]];
}

function plain(data: FragmentData, above: Set<unknown>): Plain | undefined {
  switch (typeof data) {
    case 'string':
    case 'boolean':
      return data;
    case 'number':
      return Number.isFinite(data) ? data : String(data);
    case 'function':
      return guarded(data, above, () => plain(data(), above));
    case 'object':
      return data === null ? undefined : guarded(data, above, () => plainObject(data, above));
    case 'undefined':
      return undefined;
    default:
      // What the types rule out can still come from JavaScript; it is shown as JavaScript would.
      return String(data);
  }
}

function plainObject(data: object, above: Set<unknown>): Plain | undefined {
  if (isFragment(data)) return { members: named(data, above) };
  if (Array.isArray(data)) return plainList(data as readonly FragmentData[], above);
  if (data instanceof Date) return data.toISOString();
  if (data instanceof Set) return plainList([...data] as FragmentData[], above);
  const entries = data instanceof Map ? [...data] : Object.entries(data);
  return {
    members: entries.flatMap(([name, value]: [unknown, unknown]) => {
      const read = plain(value as FragmentData, above);
      return read === undefined ? [] : [[String(name), read] as const];
    }),
  };
}

/** A list of fragments only is the fragments' members; any other list keeps its order as a list. */
function plainList(items: readonly FragmentData[], above: Set<unknown>): Plain {
  if (items.length > 0 && items.every((item) => isFragment(item))) {
    return { members: items.flatMap((item) => named(item, above)) };
  }
  return items.flatMap((item) => {
    const value = plain(item, above);
    return value === undefined ? [] : [value];
  });
}

function guarded<T>(data: unknown, above: Set<unknown>, read: () => T): T | undefined {
  if (above.has(data)) return undefined;
  above.add(data);
  try {
    return read();
  } finally {
    above.delete(data);
  }
}
