/** VS Code's side of a page, which it gives once. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export interface OpenedConnection {
  readonly api: VsCodeApi;
  /** What has arrived, in order. */
  readonly received: readonly unknown[];
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The opening script and that of the page share no module, so they meet by an event. */
const TAKEN = 'offshoot.connectionTaken';

declare global {
  interface WindowEventMap {
    [TAKEN]: CustomEvent<(opened: OpenedConnection) => void>;
  }
}

/** Asks for the content of the page while its script is on its way, and keeps what arrives until then. */
export function openConnection(): void {
  const api = acquireVsCodeApi();
  const received: unknown[] = [];
  const keep = ({ data }: MessageEvent<unknown>): void => void received.push(data);
  window.addEventListener('message', keep);
  window.addEventListener(
    TAKEN,
    ({ detail: take }) => {
      window.removeEventListener('message', keep);
      take({ api, received });
    },
    { once: true },
  );
  api.postMessage({ type: 'ready' });
}

/** The opened connection, which is then the caller's. Undefined in a document without an opening script. */
export function takeConnection(): OpenedConnection | undefined {
  let taken: OpenedConnection | undefined;
  const take = (opened: OpenedConnection): void => void (taken = opened);
  window.dispatchEvent(new CustomEvent(TAKEN, { detail: take }));
  return taken;
}

/** The connection of a page that has not asked for anything. */
export function newConnection(): VsCodeApi {
  return acquireVsCodeApi();
}
