import type { Fragment } from './fragment.ts';
import { atOnce, isLoaded, settle, withData } from './settling.ts';

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
 * @throws AsyncFragmentError when it holds a promise or anything else that comes later
 * @throws NotStorableError when it is nested too deep, or holds a proxy that was revoked
 */
export function settled<F extends Fragment>(fragment: F): F & { readonly data?: SettledData } {
  if (isLoaded(fragment)) return fragment;
  return withData(fragment, settle(fragment.data, { above: new Set(), holder: fragment, sources: atOnce }));
}
