import type { Fragment } from './fragment.ts';
import { atOnce, isLoaded, settle, withData, type SettledData } from './settling.ts';

export type { SettledData, SettledFragment } from './settling.ts';

/**
 * The fragment as it is now: functions are called, cyclic references are left out, dates become texts. The result can
 * be written to JSON.
 * @example settled(fragment('today', () => new Date())) // { name: 'today', type: 'fragment', data: '2026-…' }
 * @throws AsyncFragmentError when it holds a promise or anything else that comes later
 * @throws NotStorableError when it is nested too deep, or holds a proxy that was revoked
 */
export function settled<F extends Fragment>(fragment: F): F & { readonly data?: SettledData } {
  if (isLoaded(fragment)) return fragment;
  return withData(fragment, settle(fragment.data, { above: new Set(), holder: fragment, sources: atOnce }));
}
