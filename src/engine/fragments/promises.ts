/**
 * True for what `await` waits for, queries of database clients included. A plain object with a function named `then` is
 * data: rules have such members.
 */
export function isPromise(value: object): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  if (!('then' in value) || typeof value.then !== 'function') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype;
}

/** The promise, whose failure is no unhandled rejection while nothing waits for it: those who do are told. */
export function watched<P extends Promise<unknown>>(promise: P): P {
  promise.catch(() => undefined);
  return promise;
}
