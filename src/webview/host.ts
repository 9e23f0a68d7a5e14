import type { z } from 'zod';
import {
  replyMessage,
  type NoticeOf,
  type PageProtocol,
  type RequestOf,
  type Asked,
  type ReplyMessage,
} from '../protocol/everyPage.ts';
import { problemsOf } from '../protocol/pageFacts.ts';
import { newConnection, takeConnection } from './openingConnection.ts';
import { t } from './state/texts.ts';

/** A page's only connection to the outside, passed to all other code. */
export interface Connection<Notice, Request extends { readonly type: string }, Replies> {
  /** The page can take its content. It is asked for, unless the opening script did so: then it may be there. */
  begin(): void;
  send(message: Notice): void;
  /** Returns the reply. Rejects, with a text for the user, when the host refuses and when the page closes. */
  sendRequest<Type extends Request['type'] & keyof Replies>(
    request: Extract<Request, { type: Type }>,
  ): Promise<Replies[Type]>;
  /** The page's own state, by name: it survives hiding. `set` keeps other names. */
  readonly memory: { get(): unknown; set(values: Readonly<Record<string, unknown>>): void };
}

export type ConnectionOf<P extends PageProtocol> = Connection<NoticeOf<P>, RequestOf<P>, P['replies']>;

export interface Reading<P extends PageProtocol> {
  readonly fromHost: z.ZodType<P['fromHost']>;
  readonly replies: Readonly<Record<RequestOf<P>['type'], z.ZodType>>;
  readonly receive: (message: P['fromHost']) => void;
  /** A message of this type could not be read. */
  readonly refused: (type: string) => void;
}

/**
 * Connects a page to its host. Invalid messages are ignored: they came from elsewhere, or from a host of another
 * version that will soon reload the page. They are logged to the developer tools, without their content.
 */
export function connect<P extends PageProtocol>(
  page: string,
  { fromHost, replies, receive, refused }: Reading<P>,
): ConnectionOf<P> {
  const opened = takeConnection();
  const api = opened?.api ?? newConnection();
  // A reply to the previous page has a number from before this one began.
  const requests = new PendingRequests(
    (message) => api.postMessage(message),
    Math.round(performance.timeOrigin),
  );
  const report = (error: z.ZodError): void => {
    reportError(new TypeError(`The ${page} page got a message it cannot read (${problemsOf(error)})`));
  };
  window.addEventListener('pagehide', () => requests.dispose());
  const take = (data: unknown): void => {
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
  };
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => take(data));
  const send = (body: RequestOf<P>): Promise<unknown> => {
    const type: RequestOf<P>['type'] = body.type;
    return requests.send(body, replies[type]);
  };
  return {
    begin: () => {
      if (opened) for (const data of opened.received) take(data);
      else api.postMessage({ type: 'ready' });
    },
    send: (message) => api.postMessage(message),
    // The schema of the reply is found by the type of the request.
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

/** Whether it looks like ours: browsers and their extensions post their own messages. */
function isTyped(data: unknown): data is { readonly type: unknown } {
  return typeof data === 'object' && data !== null && 'type' in data;
}

function isReply(data: unknown): boolean {
  return isTyped(data) && (data.type === 'reply' || data.type === 'requestRefused');
}

interface Waiting {
  readonly schema: z.ZodType;
  readonly resolve: (body: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The pending requests of a page. Each request ends once; further replies with its number are ignored. */
export class PendingRequests {
  private readonly waiting = new Map<number, Waiting>();
  private isGone = false;

  /** @param lastId the numbers continue from here; those of a previous page must be lower */
  constructor(
    private readonly post: (message: Asked<unknown>) => void,
    private lastId: number,
  ) {}

  /** Rejects with a text for the user when the host refuses, and when the page closes. */
  send(body: unknown, schema: z.ZodType): Promise<unknown> {
    if (this.isGone) return Promise.reject(pageGone());
    this.lastId += 1;
    const messageId = this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(messageId, { schema, resolve, reject });
      this.post({ type: 'request', messageId, body });
    });
  }

  /** Returns the error of a reply that could not be read. */
  settle(message: ReplyMessage): z.ZodError | undefined {
    const request = this.waiting.get(message.inReplyTo);
    this.waiting.delete(message.inReplyTo);
    if (!request) return undefined;
    if (message.type === 'requestRefused') {
      request.reject(new Error(message.reason));
      return undefined;
    }
    const read = request.schema.safeParse(message.body);
    if (read.success) request.resolve(read.data);
    else request.reject(new Error(t('Couldn’t read a reply. Close this view or tab and open it again.')));
    return read.error;
  }

  dispose(): void {
    this.isGone = true;
    for (const { reject } of this.waiting.values()) reject(pageGone());
    this.waiting.clear();
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Nobody reads it: there is no page to show it. */
function pageGone(): Error {
  return new Error('The page is gone.');
}
