import { fromHost, type FromHost } from '../protocol/fromHost.ts';
import type { FromPage } from '../protocol/fromPage.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The only way out of the page. Everything else gets this object. */
export interface Host {
  send(message: FromPage): void;
  /** What the page kept for itself: it survives being hidden and shown again. */
  readonly memory: { get(): unknown; set(value: unknown): void };
}

/**
 * Connects the page to its host. What does not follow the protocol is dropped: it did not come from our host, or from
 * one of another version that will soon load the page anew.
 */
export function connectHost(receive: (message: FromHost) => void): Host {
  const api = acquireVsCodeApi();
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const read = fromHost.safeParse(event.data);
    if (read.success) receive(read.data);
  });
  return {
    send: (message) => api.postMessage(message),
    memory: { get: () => api.getState(), set: (value) => api.setState(value) },
  };
}
