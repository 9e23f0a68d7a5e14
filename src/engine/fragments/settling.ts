import { AsyncFragmentError, NotStorableError } from '../errors.ts';
import { isRevoked, MAX_DEPTH, tooDeep } from '../storable.ts';
import { isFragment, type Fragment, type FragmentContext } from './fragment.ts';
import { isPromise } from './promises.ts';
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

/** A function in fragment data. */
type FragmentFunction = (context?: FragmentContext) => unknown;

/** What comes later: one value, or several. */
export type LaterData = PromiseLike<unknown> | AsyncIterable<unknown>;

/** What is done with the parts of fragment data that are no data yet. */
export interface Sources {
  /** Returns what the function returns. */
  call(compute: (context: FragmentContext) => unknown, holder: Fragment): unknown;
  /**
   * Returns what takes its place.
   * @param above the objects that hold it, including itself; they change after this call
   */
  later(data: LaterData, above: ReadonlySet<unknown>, holder: Fragment): SettledData | undefined;
}

/** Rendering ends before anything could be aborted. */
const now: FragmentContext = { signal: new AbortController().signal };

/** What comes later is refused. */
export const atOnce: Sources = {
  call: (compute) => compute(now),
  later(data) {
    if (isPromise(data)) refusePromise(data);
    throw new AsyncFragmentError();
  },
};

/** The fragment with settled data. */
export function withData<F extends Fragment>(
  fragment: F,
  settledData: SettledData | undefined,
): F & { readonly data?: SettledData } {
  const { data: _data, ...rest } = fragment;
  // All members except the data are those of F.
  return (settledData === undefined ? rest : { ...rest, data: settledData }) as F & { data?: SettledData };
}

const loaded = new WeakSet<Fragment>();

/** Notes that a fragment is settled, so that each renderer need not settle it again. */
export function asLoaded<F extends Fragment>(fragment: F): F {
  loaded.add(fragment);
  return fragment;
}

export function isLoaded<F extends Fragment>(fragment: F): fragment is F & { readonly data?: SettledData } {
  return loaded.has(fragment);
}

/** Where in a fragment some data is. */
export interface DataPlace {
  /** The objects and functions that lead to it. */
  readonly above: Set<unknown>;
  /** The innermost fragment. */
  readonly holder: Fragment;
  readonly sources: Sources;
}

/** @throws what the sources throw; NotStorableError */
export function settle(data: unknown, at: DataPlace): SettledData | undefined {
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
      return within(data, at, () => settle(called(data as FragmentFunction, at), at));
    case 'object':
      return data === null ? null : within(data, at, () => settleObject(data, at));
    case 'undefined':
      return undefined;
  }
}

function called(compute: FragmentFunction, { holder, sources }: DataPlace): unknown {
  // That of a standing reminder is given what is known of a message, by what adds it to one.
  const takesMessage = holder.metadata?.['standing'] === true;
  return sources.call(takesMessage ? () => compute() : compute, holder);
}

function settleObject(data: object, at: DataPlace): SettledData | undefined {
  if (isPromise(data)) return at.sources.later(data, at.above, at.holder);
  if (isFragment(data)) return withData(data, settle(data.data, { ...at, holder: data }));
  if (data instanceof Date) return Number.isNaN(data.getTime()) ? String(data) : data.toISOString();
  if (data instanceof Map) return settleMap(data, at);
  if (Symbol.iterator in data) return settleList(data as Iterable<unknown>, at);
  if (Symbol.asyncIterator in data)
    return at.sources.later(data as AsyncIterable<unknown>, at.above, at.holder);
  const entries = Object.entries(data);
  // Objects such as URLs and errors have no enumerable members; their text is used.
  if (entries.length === 0 && !isPlain(data)) return asText(data);
  return settleMembers(entries, at);
}

function settleMembers(entries: Iterable<readonly [string, unknown]>, at: DataPlace): SettledData {
  const settledEntries: [string, SettledData][] = [];
  for (const [name, value] of entries) {
    const member = settle(value, at);
    if (member !== undefined) settledEntries.push([name, member]);
  }
  return Object.fromEntries(settledEntries);
}

/** Two keys with the same text would overwrite each other: in that case it stays a list of pairs. */
function settleMap(map: ReadonlyMap<unknown, unknown>, at: DataPlace): SettledData {
  const named = Array.from(map, ([key, value]) => [String(key), value] as const);
  const isSafe = new Set(named.map(([name]) => name)).size === map.size;
  return isSafe ? settleMembers(named, at) : settleList(named, at);
}

function settleList(items: Iterable<unknown>, at: DataPlace): SettledData {
  return Array.from(items, (item) => settle(item, at)).filter((item) => item !== undefined);
}

function within<T>(data: unknown, { above }: DataPlace, read: () => T): T | undefined {
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
