import { NotStorableError } from '../errors.ts';
import { isRevoked, MAX_DEPTH, tooDeep } from '../storable.ts';
import { isFragment, type Fragment, type FragmentData } from './fragment.ts';
import { refusePromise } from './refusePromise.ts';

/** Fragment data at one moment: no functions, no cycles, nothing that JSON does not have. */
export type SettledData =
  | string
  | number
  | boolean
  | null
  | readonly SettledData[]
  | SettledFragment
  | { readonly [key: string]: SettledData };

/** A fragment at one moment, with nothing left to compute. */
export type SettledFragment = Fragment & { readonly data?: SettledData };

/**
 * The fragment as it is now: functions are called, cyclic references are left out, dates become texts. The result can
 * be written to JSON.
 * @example settled(fragment('today', () => new Date())) // { name: 'today', type: 'fragment', data: '2026-…' }
 * @throws AsyncFragmentError when it holds a promise
 * @throws NotStorableError when it is nested too deep, or holds a proxy that was revoked
 */
export function settled<F extends Fragment>(fragment: F): F & { readonly data?: SettledData } {
  const { data, ...rest } = fragment;
  const settledData = settle(data, new Set());
  // All members except the data are those of F.
  return (settledData === undefined ? rest : { ...rest, data: settledData }) as F & { data?: SettledData };
}

function settle(data: unknown, above: Set<unknown>): SettledData | undefined {
  switch (typeof data) {
    case 'string':
    case 'boolean':
      return data;
    case 'number':
      return Number.isFinite(data) ? data : String(data);
    case 'bigint':
    case 'symbol':
      return String(data);
    case 'function':
      return within(data, above, () => settle((data as () => FragmentData)(), above));
    case 'object':
      return data === null ? null : within(data, above, () => settleObject(data, above));
    case 'undefined':
      return undefined;
  }
}

function settleObject(data: object, above: Set<unknown>): SettledData | undefined {
  if (data instanceof Promise) refusePromise(data);
  if (isFragment(data)) {
    const { data: inner, ...rest } = data;
    const settledInner = settle(inner, above);
    return { ...rest, ...(settledInner !== undefined && { data: settledInner }) };
  }
  if (data instanceof Date) return Number.isNaN(data.getTime()) ? String(data) : data.toISOString();
  if (data instanceof Map) return settleMap(data, above);
  if (Symbol.iterator in data) return settleList(data as Iterable<unknown>, above);
  const entries = Object.entries(data);
  // Objects such as URLs and errors have no enumerable members; their text is used.
  if (entries.length === 0 && !isPlain(data)) return asText(data);
  return settleMembers(entries, above);
}

function settleMembers(entries: Iterable<readonly [string, unknown]>, above: Set<unknown>): SettledData {
  const settledEntries: [string, SettledData][] = [];
  for (const [name, value] of entries) {
    const member = settle(value, above);
    if (member !== undefined) settledEntries.push([name, member]);
  }
  return Object.fromEntries(settledEntries);
}

/** Two keys with the same text would overwrite each other: in that case it stays a list of pairs. */
function settleMap(map: ReadonlyMap<unknown, unknown>, above: Set<unknown>): SettledData {
  const named = Array.from(map, ([key, value]) => [String(key), value] as const);
  const isSafe = new Set(named.map(([name]) => name)).size === map.size;
  return isSafe ? settleMembers(named, above) : settleList(named, above);
}

function settleList(items: Iterable<unknown>, above: Set<unknown>): SettledData {
  return Array.from(items, (item) => settle(item, above)).filter((item) => item !== undefined);
}

function within<T>(data: unknown, above: Set<unknown>, read: () => T): T | undefined {
  if (above.has(data)) return undefined;
  // Functions that return functions count as levels, too.
  if (above.size >= MAX_DEPTH) throw tooDeep('fragment');
  if (isRevoked(data)) throw new NotStorableError('fragment', 'it holds a proxy that was revoked');
  above.add(data);
  try {
    return read();
  } finally {
    above.delete(data);
  }
}

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === null || prototype === Object.prototype;
}

function asText(data: { toString?: unknown }): SettledData {
  return data.toString === Object.prototype.toString ? {} : String(data);
}
