import type { z } from 'zod';
import type { Asked, ReplyMessage } from '../protocol/everyPage.ts';
import { t } from './state/texts.ts';

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

  /**
   * Asks the host.
   * @param schema of the body of the reply
   * @returns that body; rejects with a text for the user when the host refuses, and when the page closes
   */
  send(body: unknown, schema: z.ZodType): Promise<unknown> {
    if (this.isGone) return Promise.reject(pageGone());
    this.lastId += 1;
    const messageId = this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(messageId, { schema, resolve, reject });
      this.post({ type: 'request', messageId, body });
    });
  }

  /** Ends the request that a reply names. Returns the error of a reply that could not be read. */
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

  /** The page closes: pending requests get no reply. */
  dispose(): void {
    this.isGone = true;
    for (const { reject } of this.waiting.values()) reject(pageGone());
    this.waiting.clear();
  }
}

/** Why a request failed, for the user. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Nobody reads it: there is no page to show it. */
function pageGone(): Error {
  return new Error('The page is gone.');
}
