import { untilAborted } from '../../base/untilAborted.ts';
import { AsyncFragmentError, FragmentLoadError } from '../errors.ts';
import { isFragment, type Fragment, type FragmentContext } from './fragment.ts';
import { isPromise, watched } from './promises.ts';
import type { SettledData, SettledFragment } from './settled.ts';
import { asLoaded, settle, withData, type DataPlace, type LaterData, type Sources } from './settling.ts';

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
  const waits = new Waits(signal);
  const all = fragments.map((holder) =>
    withData(holder, settle(holder.data, { above: new Set(), holder, sources: waits })),
  );
  if (waits.areNone) return all.map(asLoaded);
  return untilAborted(signal, async () => {
    await waits.end();
    return all.map((fragment) => asLoaded(withData(fragment, filled(fragment.data))));
  });
}

/** Holds the place of data in a list or an object that is settled otherwise, until `filled` replaces it. */
class Slot {
  data: SettledData | undefined;
}

/** What is waited for side by side. What fails when nothing waits any more is no unhandled rejection. */
class Waits implements Sources {
  private readonly all: Promise<void>[] = [];

  constructor(private readonly signal: AbortSignal) {}

  get areNone(): boolean {
    return this.all.length === 0;
  }

  async end(): Promise<void> {
    await Promise.all(this.all);
  }

  call(compute: (context: FragmentContext) => unknown, { name }: Fragment): unknown {
    try {
      return compute({ signal: this.signal });
    } catch (error) {
      throw failure(name, error);
    }
  }

  later(data: LaterData, above: ReadonlySet<unknown>, holder: Fragment): SettledData {
    const slot = new Slot();
    this.all.push(watched(this.fill(slot, data, { above: new Set(above), holder })));
    return slot as unknown as SettledData;
  }

  private async fill(slot: Slot, data: LaterData, at: Omit<DataPlace, 'sources'>): Promise<void> {
    const value = await this.arrival(data, at.holder);
    const waits = new Waits(this.signal);
    const settledData = settle(value, { ...at, sources: waits });
    await waits.end();
    slot.data = filled(settledData);
  }

  private async arrival(data: LaterData, { name }: Fragment): Promise<unknown> {
    try {
      return await (isPromise(data) ? data : collected(data, this.signal));
    } catch (error) {
      throw failure(name, error);
    }
  }
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
