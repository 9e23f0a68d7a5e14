import { AsyncFragmentError } from '../errors.ts';

/**
 * A fragment is rendered at once, so it cannot wait. Nothing else waits for the promise either: if it fails, the error
 * thrown here is the only one.
 */
export function refusePromise(promise: Promise<unknown>): never {
  promise.catch(() => undefined);
  throw new AsyncFragmentError();
}
