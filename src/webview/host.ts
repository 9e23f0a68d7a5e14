import type { z } from 'zod';
import { replyMessage, type NoticeOf, type PageProtocol, type RequestOf } from '../protocol/envelope.ts';
import { problemsOf } from '../protocol/problemsOf.ts';
import { PendingRequests } from './pendingRequests.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** The only way out of a page. Everything else gets this object. */
export interface Connection<Notice, Request extends { readonly type: string }, Replies> {
  send(message: Notice): void;
  /** What comes back. Rejects, with words for the user, when the host refuses and when the page goes. */
  sendRequest<Type extends Request['type'] & keyof Replies>(
    request: Extract<Request, { type: Type }>,
  ): Promise<Replies[Type]>;
  /** What the page kept for itself, by name: it survives being hidden and shown again. `set` leaves other names be. */
  readonly memory: { get(): unknown; set(values: Readonly<Record<string, unknown>>): void };
}

/** The connection of a page that has this protocol. */
export type ConnectionOf<P extends PageProtocol> = Connection<NoticeOf<P>, RequestOf<P>, P['replies']>;

/** How a page reads what its host says. */
export interface Reading<P extends PageProtocol> {
  readonly fromHost: z.ZodType<P['fromHost']>;
  readonly replies: Readonly<Record<RequestOf<P>['type'], z.ZodType>>;
  readonly receive: (message: P['fromHost']) => void;
  /** Of what came, this kind could not be read. */
  readonly refused: (type: string) => void;
}

/**
 * Connects a page to its host. What does not follow the protocol changes nothing: it came from elsewhere, or from a
 * host of another version that will soon load the page anew. It is logged to the developer tools, without its content.
 */
export function connect<P extends PageProtocol>(
  page: string,
  { fromHost, replies, receive, refused }: Reading<P>,
): ConnectionOf<P> {
  const api = acquireVsCodeApi();
  // A reply to the page that was here before names a number from before this one began.
  const requests = new PendingRequests(
    (message) => api.postMessage(message),
    Math.round(performance.timeOrigin),
  );
  const report = (error: z.ZodError): void => {
    reportError(new TypeError(`The ${page} page got a message it cannot read (${problemsOf(error)})`));
  };
  window.addEventListener('pagehide', () => requests.dispose());
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isReply(data)) {
      const read = replyMessage.safeParse(data);
      const problem = read.success ? requests.settle(read.data) : read.error;
      if (problem) report(problem);
      return;
    }
    const read = fromHost.safeParse(data);
    if (read.success) receive(read.data);
    else if (isTyped(data)) {
      report(read.error);
      refused(String(data.type));
    }
  });
  const send = (body: RequestOf<P>): Promise<unknown> => {
    const type: RequestOf<P>['type'] = body.type;
    return requests.send(body, replies[type]);
  };
  return {
    send: (message) => api.postMessage(message),
    // The schema that reads the reply stands under the type of the request.
    sendRequest: send as ConnectionOf<P>['sendRequest'],
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

function isReply(data: unknown): boolean {
  return isTyped(data) && (data.type === 'reply' || data.type === 'requestRefused');
}
