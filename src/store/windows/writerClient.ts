import { deferred } from '../../base/deferred.ts';
import { SaveTooLargeError } from '../../engine/errors.ts';
import type { StoreChange } from '../../engine/graph.ts';
import type { Channels, Link, LinkEvents } from '../../host/platform.ts';
import type { JournalPoint } from '../durable/journal.ts';
import type { StorageParts } from '../durable/storageParts.ts';
import * as protocol from './channelProtocol.ts';
import { fromWireError } from './wireErrors.ts';

/** The connection to the writer was lost. Whether the last request was done is unknown. */
export class LinkLostError extends Error {
  constructor() {
    super('The connection to the process that writes was lost.');
    this.name = 'LinkLostError';
  }
}

/** The writer's result, and the point up to which the files must be read to see it. */
export interface Answer {
  readonly result: unknown;
  readonly changes: readonly StoreChange[];
  readonly point: JournalPoint;
}

/** The writer refused it: what led to that is in the files up to the point. */
export interface Refusal {
  readonly error: Error;
  readonly point: JournalPoint | undefined;
}

export interface ClientEvents {
  /** The writer wrote something for itself or for another window. */
  onChanged(changes: readonly StoreChange[], point: JournalPoint): void;
  onClose(): void;
}

export interface Contact {
  readonly address: string;
  readonly secret: string;
}

interface Waiting {
  resolve(answer: Answer | Refusal): void;
  reject(error: Error): void;
}

interface Asking {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * What a writer of an earlier version answers while it closes its database. It is a lost connection to this process,
 * which has closed nothing.
 */
const CLOSED = 'closed';

/** How many requests may be in progress; others wait. */
const MAX_REQUESTS = 50;

export class WriterClient implements LinkEvents {
  private link: Link | undefined;
  private isClosed = false;
  private readonly nonce = protocol.newNonce();
  private readonly greeting = deferred<boolean>();
  private expects: 'challenge' | 'welcome' | 'answers' = 'challenge';
  private number = 0;
  private readonly waiting = new Map<number, Waiting>();
  private readonly asking = new Map<number, Asking>();
  private readonly queue: (() => void)[] = [];

  private constructor(
    readonly contact: Contact,
    private readonly events: ClientEvents,
    private readonly parts: StorageParts,
  ) {}

  /** @returns undefined when no writer is there, or it cannot read the secret */
  static async connect(
    { channels, parts }: { readonly channels: Channels; readonly parts: StorageParts },
    contact: Contact,
    { window, role }: { readonly window: string; readonly role: protocol.Role },
    events: ClientEvents,
  ): Promise<WriterClient | undefined> {
    const client = new WriterClient(contact, events, parts);
    const link = await channels.connect(contact.address, (made) => {
      made.limit = protocol.STRANGER_LIMIT;
      client.link = made;
      return client;
    });
    if (!link) return undefined;
    const { nonce } = client;
    link.send(
      protocol.encode({
        ...({ kind: 'hello', version: protocol.PROTOCOL_VERSION } as const),
        schema: parts.schemaVersion,
        window,
        role,
        nonce,
      }),
    );
    const limit = parts.timers.later(protocol.GREETING_MS, () => void client.close());
    const isFriend = await client.greeting.promise;
    limit.stop();
    if (isFriend) return client;
    await client.close();
    return undefined;
  }

  get isOpen(): boolean {
    return !this.isClosed;
  }

  /** @param given JSON @throws LinkLostError */
  async request(id: string, name: string, given: string): Promise<Answer | Refusal> {
    const number = ++this.number;
    const message = protocol.encode({ kind: 'request', number, id, name }, { given });
    if (message.byteLength > protocol.FRIEND_LIMIT) throw new SaveTooLargeError();
    while (this.waiting.size >= MAX_REQUESTS && !this.isClosed) {
      await new Promise<void>((resolve) => this.queue.push(resolve));
    }
    if (this.isClosed) throw new LinkLostError();
    return new Promise<Answer | Refusal>((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.link?.send(message);
    });
  }

  /** The user may take any time to answer. @throws LinkLostError, errors of the question, or the signal's reason */
  async ask(name: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    if (this.isClosed) throw new LinkLostError();
    const number = ++this.number;
    const message = protocol.encode({ kind: 'ask', number, name, given });
    if (message.byteLength > protocol.GUEST_LIMIT) throw new SaveTooLargeError();
    const withdraw = (): void => {
      this.asking.get(number)?.reject(signal.reason as Error);
      this.asking.delete(number);
      this.link?.send(protocol.encode({ kind: 'withdraw', number }));
    };
    signal.addEventListener('abort', withdraw, { once: true });
    try {
      return await new Promise<unknown>((resolve, reject) => {
        this.asking.set(number, { resolve, reject });
        this.link?.send(message);
      });
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  /** What is waiting for an answer is rejected at once. */
  async close(): Promise<void> {
    const closing = this.link?.close();
    this.onClose();
    await closing;
  }

  onMessage(message: Uint8Array): void {
    if (this.isClosed) return;
    switch (this.expects) {
      case 'challenge':
        void this.respond(message);
        return;
      case 'welcome':
        this.expects = 'answers';
        if (protocol.decode(protocol.welcome, message)) this.greeting.resolve(true);
        else void this.close();
        return;
      case 'answers':
        this.take(message);
    }
  }

  onClose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.greeting.resolve(false);
    for (const each of [...this.waiting.values(), ...this.asking.values()]) each.reject(new LinkLostError());
    this.waiting.clear();
    this.asking.clear();
    for (const next of this.queue.splice(0)) next();
    this.events.onClose();
  }

  private async respond(message: Uint8Array): Promise<void> {
    const decoded = protocol.decode(protocol.challenge, message);
    const { secret } = this.contact;
    if (!decoded) {
      void this.close();
      return;
    }
    const nonces = [this.nonce, decoded.nonce];
    // It must be the process that wrote the file, not one that took its address later.
    if (!protocol.isSame(decoded.proof, await protocol.proofOf(secret, 'writer', nonces))) {
      void this.close();
      return;
    }
    this.expects = 'welcome';
    if (this.link) this.link.limit = protocol.FRIEND_LIMIT;
    this.link?.send(
      protocol.encode({
        kind: 'response',
        proof: await protocol.proofOf(secret, 'reader', nonces),
      }),
    );
  }

  private take(message: Uint8Array): void {
    const decoded = protocol.decode(protocol.fromWriter, message);
    if (!decoded) {
      void this.close();
      return;
    }
    switch (decoded.kind) {
      case 'done': {
        const { result, changes, point } = decoded;
        this.settle(decoded.number)?.resolve({ result, changes, point });
        return;
      }
      case 'answered':
        this.asking.get(decoded.number)?.resolve(decoded.result);
        this.asking.delete(decoded.number);
        return;
      case 'failed': {
        const { number, point } = decoded;
        if (decoded.error.code === CLOSED) {
          void this.close();
          return;
        }
        const error = fromWireError(decoded.error, this.parts.errorClasses);
        const asking = this.asking.get(number);
        this.asking.delete(number);
        if (asking) asking.reject(error);
        else this.settle(number)?.resolve({ error, point });
        return;
      }
      case 'changed':
        this.events.onChanged(decoded.changes, decoded.point);
    }
  }

  private settle(number: number): Waiting | undefined {
    const found = this.waiting.get(number);
    this.waiting.delete(number);
    this.queue.shift()?.();
    return found;
  }
}
