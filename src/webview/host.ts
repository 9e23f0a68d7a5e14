import type { z } from 'zod';
import { fromHost, type FromHost } from '../protocol/fromHost.ts';
import { actsOnPlace, type FromPage, type PageRequest, type ShownPlace } from '../protocol/fromPage.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The only way out of a page. Everything else gets this object. */
export interface Connection<Out> {
  send(message: Out): void;
  /** What the page kept for itself, by name: it survives being hidden and shown again. `set` leaves other names be. */
  readonly memory: { get(): unknown; set(values: Readonly<Record<string, unknown>>): void };
}

/** The chat page's way out. */
export type Host = Connection<PageRequest>;

export interface ChatListener {
  receive(message: FromHost): void;
  /** Of what came, this kind could not be read. */
  refused(type: string): void;
  /** The conversation that is shown, which all that is asked names. */
  place(): ShownPlace | undefined;
  /** Nothing is shown that this could be asked of. */
  lost(): void;
}

/** Connects the chat page to its host. */
export function connectHost(listener: ChatListener): Host {
  const connection = connect<FromHost, FromPage>(
    'chat',
    fromHost,
    (message) => listener.receive(message),
    (type) => listener.refused(type),
  );
  return {
    memory: connection.memory,
    send: (message) => {
      const place = actsOnPlace(message.type) ? listener.place() : undefined;
      if (actsOnPlace(message.type) && !place) listener.lost();
      // What acts on a place has one now; the protocol is checked once more by the host.
      else connection.send({ ...message, ...(place ? { place } : {}) } as FromPage);
    },
  };
}

/**
 * Connects a page to its host. What does not follow the protocol changes nothing: it came from elsewhere, or from a
 * host of another version that will soon load the page anew. It is told to the developer tools, without its content.
 */
export function connect<In, Out>(
  page: string,
  protocol: z.ZodType<In>,
  receive: (message: In) => void,
  refused: (type: string) => void,
): Connection<Out> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const read = protocol.safeParse(event.data);
    if (read.success) receive(read.data);
    else if (isTyped(event.data)) {
      const problems = read.error.issues.map(({ path, code }) => `${path.join('.') || 'message'}: ${code}`);
      reportError(new TypeError(`The ${page} page got a message it cannot read (${problems.join('; ')})`));
      refused(String(event.data.type));
    }
  });
  return {
    send: (message) => api.postMessage(message),
    memory: {
      get: () => api.getState(),
      set: (values) => api.setState({ ...members(api.getState()), ...values }),
    },
  };
}

function members(state: unknown): object {
  return typeof state === 'object' && state !== null ? state : {};
}

/** Whether it looks like ours: browsers and their extensions post things of their own. */
function isTyped(data: unknown): data is { readonly type: unknown } {
  return typeof data === 'object' && data !== null && 'type' in data;
}
