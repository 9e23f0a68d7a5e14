/** Waits for `work`, or until `signal` fires: then it rejects and ignores the outcome of `work`. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new DOMException('Stopped', 'AbortError'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
    // No caller needs a later outcome.
    work.catch(() => undefined);
  }
}
