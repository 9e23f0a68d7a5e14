import { untilAborted } from '../../base/untilAborted.ts';
import { AsyncFragmentError, FragmentLoadError } from '../errors.ts';
import { isFragment, type Fragment } from './fragment.ts';
import { isPromise, watched } from './promises.ts';
import type { SettledData, SettledFragment } from './settled.ts';
import { settle, withData, type LaterData, type Sources } from './settling.ts';

/**
 * Returns the fragments as they are now, those with nothing asynchronous at once. All others are waited for side by
 * side.
 * @throws NotStorableError, FragmentLoadError, also by rejecting, and why it was stopped
 */
export type LoadFragments = (
  fragments: readonly Fragment[],
) => readonly SettledFragment[] | Promise<readonly SettledFragment[]>;

/** The calls of an engine that load fragments, one at a time. */
export class Loadings {
  private current: AbortController | undefined;
  private stopped: { readonly reason: unknown } | undefined;

  /** Ends as soon as the caller aborts it. */
  async run<T>(given: AbortSignal | undefined, work: (load: LoadFragments) => Promise<T>): Promise<T> {
    const control = new AbortController();
    const abort = (): void => {
      control.abort(given?.reason);
    };
    this.current = control;
    if (this.stopped) control.abort(this.stopped.reason);
    given?.addEventListener('abort', abort, { once: true });
    try {
      return await untilAborted(given, () => work((fragments) => loadFragments(fragments, control.signal)));
    } finally {
      given?.removeEventListener('abort', abort);
      this.current = undefined;
    }
  }

  /** Ends what is being loaded, and what is loaded later. */
  stop(reason: unknown): void {
    this.stopped = { reason };
    this.current?.abort(reason);
  }
}

function loadFragments(fragments: readonly Fragment[], signal: AbortSignal): ReturnType<LoadFragments> {
  const all = fragments.map((fragment) => loadFragment(fragment, signal));
  const here = all.filter((each): each is SettledFragment => !(each instanceof Promise));
  if (here.length === all.length) return here;
  return untilAborted(signal, () => Promise.all(all));
}

/** Its promise may be left alone: its failure is no unhandled rejection. */
function loadFragment(fragment: Fragment, signal: AbortSignal): SettledFragment | Promise<SettledFragment> {
  const data = load(fragment.data, new Set(), fragment, signal);
  if (!(data instanceof Promise)) return withData(fragment, data);
  return watched(data.then((loaded) => withData(fragment, loaded)));
}

/** Holds the place of data in a list or an object that is settled otherwise. */
class Slot {
  data: SettledData | undefined;
}

function load(
  data: unknown,
  above: Set<unknown>,
  holder: Fragment,
  signal: AbortSignal,
): SettledData | undefined | Promise<SettledData | undefined> {
  const waits: Promise<void>[] = [];
  const sources: Sources = {
    call: (compute, { name }) => attempt(name, () => compute({ signal })),
    later(source, over, inner) {
      const slot = new Slot();
      const place = new Set(over);
      const fill = async (): Promise<void> => {
        const value = await arrival(source, inner.name, signal);
        slot.data = await load(value, place, inner, signal);
      };
      waits.push(watched(fill()));
      // `filled` replaces it before it is seen.
      return slot as unknown as SettledData;
    },
  };
  const settledData = settle(data, { above, holder, sources });
  if (waits.length === 0) return settledData;
  return watched(Promise.all(waits).then(() => filled(settledData)));
}

function filled(data: unknown): SettledData | undefined {
  if (data instanceof Slot) return data.data;
  if (Array.isArray(data)) return data.map(filled).filter((item) => item !== undefined);
  // All else is settled, and metadata of nested fragments is no data.
  if (typeof data !== 'object' || data === null) return data as SettledData;
  if (isFragment(data)) return withData(data, filled(data.data));
  const members = Object.entries(data).map(([name, member]) => [name, filled(member)] as const);
  return Object.fromEntries(members.filter(isThere));
}

function isThere(entry: readonly [string, SettledData | undefined]): entry is readonly [string, SettledData] {
  return entry[1] !== undefined;
}

async function arrival(source: LaterData, name: string, signal: AbortSignal): Promise<unknown> {
  try {
    return await (isPromise(source) ? source : collected(source, signal));
  } catch (error) {
    throw failure(name, error);
  }
}

function attempt(name: string, compute: () => unknown): unknown {
  try {
    return compute();
  } catch (error) {
    throw failure(name, error);
  }
}

function failure(name: string, error: unknown): Error {
  return error instanceof AsyncFragmentError ? error : new FragmentLoadError(name, error);
}

/** The items of generators, which can be read only once: each resolving would otherwise take them from the next. */
const kept = new WeakMap<object, Promise<unknown[]>>();

function collected(items: AsyncIterable<unknown>, signal: AbortSignal): Promise<unknown[]> {
  const known = kept.get(items);
  if (known) return known;
  const iterator = items[Symbol.asyncIterator]();
  const isReadOnce = (iterator as unknown) === items;
  // What is kept for others as well does not end with this call.
  const collecting = watched(collect(iterator, isReadOnce ? undefined : signal));
  if (isReadOnce) kept.set(items, collecting);
  return collecting;
}

async function collect(
  iterator: AsyncIterator<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of { [Symbol.asyncIterator]: () => iterator }) {
    all.push(item);
    if (signal?.aborted === true) break;
  }
  return all;
}
