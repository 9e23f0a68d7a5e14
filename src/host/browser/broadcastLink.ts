import { z } from 'zod';
import type { Link, LinkEvents } from '../platform.ts';
import { WebLock } from './webLock.ts';

// A browser channel reaches everyone who opens it and does not report disconnects. Therefore each connection has its
// own channel, and each end holds a lock: the other end waits for that lock, and gets it when this end is gone.

const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted') }),
  z.object({ kind: z.literal('data'), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  z.object({ kind: z.literal('bye') }),
]);
type Message = z.infer<typeof messageSchema>;

/** How long the other end may take to acknowledge the end, in milliseconds. */
const BYE_MS = 1_000;

export type Side = 'listener' | 'caller';

export class BroadcastLink implements Link {
  limit = 4_096;
  private readonly channel: BroadcastChannel;
  private readonly presence: WebLock;
  private readonly watching = new AbortController();
  private readonly acceptance = Promise.withResolvers<boolean>();
  private readonly left = Promise.withResolvers<undefined>();
  private readonly events: LinkEvents;
  private readonly held: Uint8Array[] = [];
  private isPaused = false;
  private byeTimer: ReturnType<typeof setTimeout> | undefined;
  private state: 'open' | 'ending' | 'ended' = 'open';

  /** @param name of the connection, known only to its two ends */
  constructor(
    private readonly name: string,
    private readonly side: Side,
    onLink: (link: Link) => LinkEvents,
  ) {
    this.channel = new BroadcastChannel(name);
    this.presence = new WebLock(`${name} ${side}`);
    this.events = onLink(this);
    this.channel.onmessage = ({ data }: MessageEvent<unknown>) => this.take(data);
  }

  /** After this the other end can notice that this one is gone. */
  async begin(): Promise<void> {
    await this.presence.tryAcquire();
    if (this.side === 'listener') {
      this.post({ kind: 'accepted' });
      this.watch();
    }
  }

  /** Resolves once the other end has answered; false when it is gone. */
  get accepted(): Promise<boolean> {
    return this.acceptance.promise;
  }

  send(message: Uint8Array): void {
    if (this.state !== 'open') return;
    const isWhole = message.byteLength === message.buffer.byteLength;
    this.post({ kind: 'data', bytes: isWhole ? message : message.slice() });
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    // The receiver of a message may pause again, or close.
    for (const bytes of this.held.splice(0)) if (this.state === 'open') this.takeBytes(bytes);
  }

  async close(): Promise<void> {
    if (this.state === 'open') {
      this.post({ kind: 'bye' });
      // The lock is kept until sent messages have arrived, or the other end would treat the rest as lost.
      this.leave('ending');
      this.byeTimer = setTimeout(() => this.end(), BYE_MS);
    }
    await this.left.promise;
  }

  private take(data: unknown): void {
    const { data: message } = messageSchema.safeParse(data);
    switch (message?.kind) {
      case 'accepted':
        this.watch();
        this.acceptance.resolve(true);
        return;
      case 'bye':
        if (this.state === 'open') {
          this.post({ kind: 'bye' });
          this.leave('ending');
        }
        this.end();
        return;
      case 'data':
        if (this.state === 'open') this.takeBytes(message.bytes);
        return;
      case undefined:
        void this.close();
    }
  }

  private takeBytes(bytes: Uint8Array): void {
    if (bytes.byteLength > this.limit) void this.close();
    else if (this.isPaused) this.held.push(bytes);
    else this.events.onMessage(bytes);
  }

  private watch(): void {
    const other: Side = this.side === 'listener' ? 'caller' : 'listener';
    const { signal } = this.watching;
    navigator.locks
      .request(`${this.name} ${other}`, { signal }, () => {
        this.leave('ended');
        this.end();
      })
      // The request was aborted: the end is already known.
      .catch(() => undefined);
  }

  private leave(state: 'ending' | 'ended'): void {
    if (this.state !== 'open') return;
    this.state = state;
    this.held.length = 0;
    this.acceptance.resolve(false);
    queueMicrotask(() => {
      this.left.resolve(undefined);
      this.events.onClose();
    });
  }

  private end(): void {
    clearTimeout(this.byeTimer);
    this.state = 'ended';
    this.watching.abort();
    this.channel.close();
    void this.presence.release();
  }

  private post(message: Message): void {
    this.channel.postMessage(message);
  }
}
