import { z } from 'zod';
import type { StoreChange } from '../../engine/graph.ts';
import { ClosedError, InvalidArgumentError } from '../../engine/errors.ts';
import { verbatim } from '../../engine/messageDescriptor.ts';
import type { Link, LinkEvents } from '../../host/platform.ts';
import type { BackgroundTimer } from '../../host/timers.ts';
import type { WriteArguments, WriteName } from '../common/storeWrites.ts';
import type { JournalPoint } from '../durable/journal.ts';
import type { StorageParts } from '../durable/storageParts.ts';
import * as protocol from './channelProtocol.ts';
import { GuestQuestions, type AnswerQuestion } from './guestQuestions.ts';
import { toWireError } from './wireErrors.ts';
import { unpackGiven } from './wireWrites.ts';

/** A write for another process, once it is on disk. */
export interface Served {
  /** JSON. */
  readonly result: string;
  readonly changes: readonly StoreChange[];
  readonly point: JournalPoint;
  /** What is announced to the other windows; undefined: nothing that a window shows changed. */
  readonly announced: readonly StoreChange[] | undefined;
}

export interface WriterServerOptions {
  readonly secret: string;
  readonly parts: StorageParts;
  /** Runs a write. @returns undefined when this process is no longer the writer: nothing was done in that case */
  readonly serve: <N extends WriteName>(
    id: string,
    name: N,
    given: WriteArguments[N],
  ) => Promise<Served | undefined>;
  /** Resolves once what a refused write was held against is on disk. @returns where it ends */
  readonly settled: () => Promise<JournalPoint>;
  /** Asks the user a guest's question; left out: nobody can be asked here. */
  readonly onAsk: AnswerQuestion | undefined;
  /** A window has connected, or none of this name is connected any more. */
  readonly onDidChangeWindow: (window: string, isThere: boolean) => void;
}

/** At this many open requests, the next request of a window waits until one is answered. */
const MAX_REQUESTS = 100;

/**
 * Serves the requests of other processes. A process that fails authentication, or sends an invalid message, is
 * disconnected.
 */
export class WriterServer {
  /** Every connection, also of those that have not proved themselves yet. */
  private readonly connected = new Set<Reader>();
  private readonly readers = new Set<Reader>();
  private isStopped = false;

  constructor(private readonly options: WriterServerOptions) {}

  /** Whether other windows are connected; guests do not show conversations while they are written. */
  get hasWindows(): boolean {
    return [...this.readers].some(({ role }) => role === 'window');
  }

  readonly accept = (link: Link): LinkEvents => {
    const reader: Reader = new Reader(link, this.options, {
      onReady: () => {
        this.readers.add(reader);
        if (reader.role === 'window') this.options.onDidChangeWindow(reader.window, true);
      },
      onWritten: (changes, point) => this.announce(changes, point, reader),
      onClose: () => {
        this.connected.delete(reader);
        if (!this.readers.delete(reader) || reader.role === 'guest') return;
        const isThere = [...this.readers].some(({ window }) => window === reader.window);
        if (!isThere) this.options.onDidChangeWindow(reader.window, false);
      },
    });
    this.connected.add(reader);
    if (this.isStopped) void reader.stop();
    return reader;
  };

  announce(changes: readonly StoreChange[], point: JournalPoint, but?: Reader): void {
    if (this.readers.size === 0) return;
    const message = protocol.encode({ kind: 'changed', changes, point });
    for (const reader of this.readers) if (reader !== but) reader.send(message);
  }

  /** Accepts nothing more; resolves once requests in progress are answered and every connection is closed. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.connected].map((reader) => reader.stop()));
  }
}

interface ReaderEvents {
  onReady(): void;
  onWritten(changes: readonly StoreChange[], point: JournalPoint): void;
  onClose(): void;
}

interface Who {
  readonly window: string;
  readonly role: protocol.Role;
}

type State =
  | { readonly kind: 'stranger' }
  | ({ readonly kind: 'greeted'; readonly expected: string } & Who)
  | ({ readonly kind: 'friend' } & Who)
  | { readonly kind: 'gone' };

class Reader implements LinkEvents {
  private state: State = { kind: 'stranger' };
  private readonly greeting: BackgroundTimer;
  private readonly underWay = new Set<Promise<void>>();
  private readonly questions: GuestQuestions;
  private isStopping = false;
  private isClosed = false;

  constructor(
    private readonly link: Link,
    private readonly options: WriterServerOptions,
    private readonly events: ReaderEvents,
  ) {
    this.questions = new GuestQuestions(options.onAsk, (message) => this.send(message));
    link.limit = protocol.STRANGER_LIMIT;
    this.greeting = options.parts.timers.later(protocol.GREETING_MS, () => void this.close());
  }

  get window(): string {
    return 'window' in this.state ? this.state.window : '';
  }

  get role(): protocol.Role {
    return 'role' in this.state ? this.state.role : 'window';
  }

  onMessage(message: Uint8Array): void {
    // The next writer is asked.
    if (this.isStopping) return;
    switch (this.state.kind) {
      case 'stranger':
        void this.greet(message);
        return;
      case 'greeted':
        this.admit(this.state, message);
        return;
      case 'friend':
        if (this.state.role === 'window') this.take(message);
        else if (!this.questions.take(message)) void this.close();
        return;
      case 'gone':
    }
  }

  onClose(): void {
    this.isClosed = true;
    this.greeting.stop();
    this.questions.dispose();
    this.events.onClose();
    this.state = { kind: 'gone' };
  }

  send(message: Uint8Array): void {
    this.link.send(message);
  }

  close(): Promise<void> {
    return this.link.close();
  }

  /** Its later requests are sent to another writer. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.link.pause();
    await Promise.all(this.underWay);
    await this.close();
  }

  private async greet(message: Uint8Array): Promise<void> {
    const decoded = protocol.decode(protocol.hello, message);
    // No other message may come before the answer.
    this.state = { kind: 'gone' };
    if (decoded?.schema !== this.options.parts.schemaVersion) {
      void this.close();
      return;
    }
    const nonce = protocol.newNonce();
    const [proof, expected] = await Promise.all(
      (['writer', 'reader'] as const).map((side) =>
        protocol.proofOf(this.options.secret, side, [decoded.nonce, nonce]),
      ),
    );
    if (this.isClosed) return;
    const { window, role } = decoded;
    this.state = { kind: 'greeted', window, role, expected: expected ?? '' };
    this.send(protocol.encode({ kind: 'challenge', nonce, proof }));
  }

  private admit({ window, role, expected }: State & { kind: 'greeted' }, message: Uint8Array): void {
    const decoded = protocol.decode(protocol.response, message);
    if (!decoded || !protocol.isSame(decoded.proof, expected)) {
      this.state = { kind: 'gone' };
      void this.close();
      return;
    }
    this.greeting.stop();
    this.link.limit = role === 'guest' ? protocol.GUEST_LIMIT : protocol.FRIEND_LIMIT;
    this.state = { kind: 'friend', window, role };
    this.events.onReady();
    this.send(protocol.encode({ kind: 'welcome' }));
  }

  private take(message: Uint8Array): void {
    const asked = protocol.decode(protocol.request, message);
    if (!asked) {
      void this.close();
      return;
    }
    const answering = this.answer(asked).finally(() => {
      this.underWay.delete(answering);
      if (this.underWay.size === MAX_REQUESTS - 1 && !this.isStopping) this.link.resume();
    });
    this.underWay.add(answering);
    if (this.underWay.size >= MAX_REQUESTS) this.link.pause();
  }

  private async answer({ number, id, name, given }: z.infer<typeof protocol.request>): Promise<void> {
    try {
      const { parts } = this.options;
      if (!parts.isWriteName(name)) throw new InvalidArgumentError('request', verbatim(name));
      const served = await this.options.serve(id, name, unpackGiven(parts, name, given));
      if (!served) {
        void this.close();
        return;
      }
      const { result, changes, point, announced } = served;
      this.send(protocol.encode({ kind: 'done', number, changes, point }, { result }));
      if (announced) this.events.onWritten(announced, point);
    } catch (error) {
      // Nothing was done: the next writer is asked.
      if (error instanceof ClosedError) {
        void this.close();
        return;
      }
      const decoded = error instanceof z.ZodError ? notUnderstood(error) : error;
      // If it cannot be told, the other process looks for itself.
      const point = await this.options.settled().catch(() => undefined);
      this.send(protocol.encode({ kind: 'failed', number, error: toWireError(decoded), point }));
    }
  }
}

function notUnderstood(error: z.ZodError): InvalidArgumentError {
  const [issue] = error.issues;
  return new InvalidArgumentError(
    'request',
    verbatim(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`),
  );
}
