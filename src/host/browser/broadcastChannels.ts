import { z } from 'zod';
import type { Channels, Link, LinkEvents, Listener } from '../platform.ts';
import { BroadcastLink } from './broadcastLink.ts';
import { WebLock } from './webLock.ts';

/** More connections than the number of windows anyone has. */
const MAX_CONNECTIONS = 64;

const CONNECT_MS = 2_000;

/** Requests a connection of this name from a listener. */
const callSchema = z.object({ call: z.uuid() });

/** Connects the windows of one browser that have pages of one site open. */
export class BroadcastChannels implements Channels {
  /** @param name of the shared storage */
  constructor(private readonly name: string) {}

  async listen(_folder: string, onLink: (link: Link) => LinkEvents): Promise<Listener> {
    const address = crypto.randomUUID();
    const presence = new WebLock(this.listenerName(address));
    await presence.tryAcquire();
    const channel = new BroadcastChannel(this.listenerName(address));
    let open = 0;
    const counted = (link: Link): LinkEvents => {
      const events = onLink(link);
      open += 1;
      return {
        onMessage: (message) => events.onMessage(message),
        onClose: () => {
          open -= 1;
          events.onClose();
        },
      };
    };
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const { data: asked } = callSchema.safeParse(data);
      if (!asked || open >= MAX_CONNECTIONS) return;
      void new BroadcastLink(this.linkName(asked.call), 'listener', counted).begin();
    };
    return {
      address,
      close: async () => {
        channel.close();
        await presence.release();
      },
    };
  }

  async connect(address: string, onLink: (link: Link) => LinkEvents): Promise<Link | undefined> {
    if (!(await this.isHeard(address))) return undefined;
    const call = crypto.randomUUID();
    const link = new BroadcastLink(this.linkName(call), 'caller', onLink);
    await link.begin();
    const channel = new BroadcastChannel(this.listenerName(address));
    channel.postMessage({ call } satisfies z.infer<typeof callSchema>);
    channel.close();
    const limit = setTimeout(() => void link.close(), CONNECT_MS);
    const isAccepted = await link.accepted;
    clearTimeout(limit);
    return isAccepted ? link : undefined;
  }

  async discard(): Promise<void> {
    // Nothing is ever left behind.
  }

  private async isHeard(address: string): Promise<boolean> {
    // Shared, so that several callers at once do not mistake each other for the listener.
    const options = { ifAvailable: true, mode: 'shared' } as const;
    return navigator.locks.request(this.listenerName(address), options, (lock) => lock === null);
  }

  private listenerName(address: string): string {
    return `${this.name} listener ${address}`;
  }

  private linkName(call: string): string {
    return `${this.name} link ${call}`;
  }
}
