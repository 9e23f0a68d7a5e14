import { AsyncFragmentError } from '../errors.ts';
import { watched } from './promises.ts';

/**
 * What is rendered at once cannot wait. Nothing else waits for the promise either: if it fails, the error thrown here is
 * the only one. A query of a database client, which begins when something waits for it, is not begun.
 */
export function refusePromise(promise: PromiseLike<unknown>): never {
  if (promise instanceof Promise) void watched(promise);
  throw new AsyncFragmentError();
}
