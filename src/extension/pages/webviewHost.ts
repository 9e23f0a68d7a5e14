import type * as vscode from 'vscode';
import type { z } from 'zod';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type {
  ActionOf,
  Asked,
  MessageOf,
  NoticeOf,
  PageProtocol,
  ReplyMessage,
  ReplyTo,
  RequestOf,
  EveryPageFromHost,
} from '../../protocol/everyPage.ts';
import { problemsOf } from '../../protocol/pageFacts.ts';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';

type Handler<Notice> = (notice: Notice) => void | Promise<void>;

export type Handlers<Notice extends { readonly type: string }> = {
  readonly [Type in Notice['type']]: Handler<Extract<Notice, { type: Type }>>;
};

export type Answers<P extends PageProtocol> = {
  readonly [Type in RequestOf<P>['type']]: (
    request: Extract<RequestOf<P>, { type: Type }>,
  ) => Promise<ReplyTo<P, Type>>;
};

/** What is thrown is logged and shown in the page. */
export interface PageListener<P extends PageProtocol> {
  /** Throws if the message must not be handled now. */
  readonly check?: (message: MessageOf<P>) => void | Promise<void>;
  /** The page is loaded, or has missed something: it gets everything. */
  readonly begin: () => Promise<void>;
  /** Called before a notice is handled: the user is on this page. */
  readonly used?: () => void;
  /** A notice without a handler is refused like one that violates the protocol. */
  readonly handlers: Partial<Handlers<ActionOf<P>>>;
  /** Notices that mean something when they are sent again at once; any other is the second click on one button. */
  readonly repeated?: ReadonlySet<ActionOf<P>['type']>;
  readonly answers: Partial<Answers<P>>;
  /** Called after the page was notified of a failure. */
  readonly failed?: (error: unknown, message: MessageOf<P>) => void;
}

export interface HostPageContext {
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
  /** In the user's language. */
  readonly localised: () => Promise<{
    readonly texts: Record<string, string>;
    readonly locale: string;
  }>;
  readonly logFailure: (what: string, error: unknown) => void;
  readonly messageOf: (error: unknown) => string;
}

type Posted<P extends PageProtocol> = P['fromHost'] | ReplyMessage | EveryPageFromHost;

/** Parses messages with the page's protocol; each request gets one reply. Keeps nothing of what the page shows. */
export class WebviewHost<P extends PageProtocol> implements Disposable {
  private webview: Pick<vscode.Webview, 'postMessage'> | undefined;
  private isThere = false;
  /** The page that began last. */
  private beginning: symbol | undefined;
  private readonly pending = new Set<number>();
  /** The notices that are being handled. */
  private readonly underWay = new Set<string>();
  private queued: P['fromHost'][] = [];
  private readonly subscriptions = new DisposableStore();

  /**
   * @param name the page in the log, as in "The chat page"
   * @param protocol of the page's messages; loaded with the first one
   */
  constructor(
    private readonly name: string,
    private readonly protocol: () => z.ZodType<P['fromPage']> | Promise<z.ZodType<P['fromPage']>>,
    private readonly listener: PageListener<P>,
    private readonly context: HostPageContext,
  ) {}

  /** The page is loaded, and is being sent its content. */
  get isReady(): boolean {
    return this.isThere;
  }

  /** Connects to this page, which has yet to report that it is loaded. */
  open(webview: Pick<vscode.Webview, 'postMessage'>): void {
    this.hide();
    this.webview = webview;
  }

  /** For the page of an editor tab, until this is disposed. */
  attach(panel: vscode.WebviewPanel): void {
    this.open(panel.webview);
    this.subscriptions.addAll(
      panel.webview.onDidReceiveMessage((message: unknown) => void this.receive(message)),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) this.hide();
      }),
    );
  }

  /** VS Code destroys a hidden page and its pending requests: shown again, it starts from scratch and reports it. */
  hide(): void {
    this.beginning = undefined;
    this.isThere = false;
    this.pending.clear();
    this.underWay.clear();
  }

  close(): void {
    this.hide();
    this.webview = undefined;
  }

  dispose(): void {
    this.close();
    this.queued = [];
    this.subscriptions.dispose();
  }

  /**
   * A page that is not loaded, or hidden, misses nothing: it requests everything when it begins.
   * @param passedOn is called once VS Code has passed the message on
   */
  post(message: P['fromHost'], passedOn?: () => void): void {
    if (this.isThere) this.send(message, passedOn);
  }

  postWhenReady(message: P['fromHost']): void {
    if (this.isThere) this.send(message);
    else this.queued.push(message);
  }

  /** A message that violates the protocol is refused. Reports its own failures. */
  async receive(message: unknown): Promise<void> {
    const { logFailure, messageOf } = this.context;
    try {
      const read = (await this.protocol()).safeParse(message);
      if (!read.success) this.refuseMessage(message, problemsOf(read.error));
      else if (isRequest<P>(read.data)) await this.answer(read.data);
      else await this.take(read.data as NoticeOf<P>);
    } catch (error) {
      logFailure(this.name, error);
      this.send({ type: 'actionFailed', text: messageOf(error) });
    }
  }

  private async take(notice: NoticeOf<P>): Promise<void> {
    const { logFailure, messageOf } = this.context;
    try {
      if (notice.type === 'ready') {
        await this.begin();
        return;
      }
      const action = notice as ActionOf<P>;
      const type: ActionOf<P>['type'] = action.type;
      // The compiler can't infer that the entry of a type takes notices of that type.
      const handle = this.listener.handlers[type] as Handler<ActionOf<P>> | undefined;
      if (!handle) {
        this.refuseMessage(notice, 'type: not of this page');
        return;
      }
      const key = JSON.stringify(action);
      if (this.underWay.has(key)) return;
      if (this.listener.repeated?.has(type) !== true) this.underWay.add(key);
      try {
        await this.listener.check?.(notice);
        this.listener.used?.();
        await handle(action);
      } finally {
        this.underWay.delete(key);
      }
    } catch (error) {
      logFailure(notice.type, error);
      this.send({ type: 'actionFailed', text: messageOf(error), ...chatOf(notice) });
      this.listener.failed?.(error, notice);
    }
  }

  private async begin(): Promise<void> {
    const beginning = Symbol('page');
    this.beginning = beginning;
    const localised = await this.context.localised();
    // The page may have been hidden or restarted while the texts were loaded.
    if (this.beginning !== beginning) return;
    this.isThere = true;
    this.send({ type: 'localised', ...localised });
    await this.listener.begin();
    for (const queued of this.queued.splice(0)) this.send(queued);
  }

  private async answer(request: Asked<RequestOf<P>>): Promise<void> {
    const { log, logFailure, messageOf } = this.context;
    const { messageId, body } = request;
    const type: RequestOf<P>['type'] = body.type;
    // The compiler can't infer that the entry of a type takes requests of that type.
    const take = this.listener.answers[type] as ((request: RequestOf<P>) => Promise<unknown>) | undefined;
    if (!take) {
      this.refuseMessage(request, 'body.type: not of this page');
      return;
    }
    if (this.pending.has(messageId)) {
      log.warn(`${this.name} sent a request that was refused (its number is that of another)`);
      return;
    }
    this.pending.add(messageId);
    try {
      await this.listener.check?.(body);
      const reply = await take(body);
      if (this.pending.delete(messageId)) this.send({ type: 'reply', inReplyTo: messageId, body: reply });
    } catch (error) {
      logFailure(body.type, error);
      if (this.pending.delete(messageId)) this.refuse(messageId, messageOf(error));
      this.listener.failed?.(error, body);
    }
  }

  /** Logs its shape, never its content. If it is a request after all, the page need not wait for a reply. */
  private refuseMessage(message: unknown, problems: string): void {
    this.context.log.warn(`${this.name} sent a message that was refused (${problems})`);
    const messageId = numberOf(message);
    if (messageId === undefined || this.pending.has(messageId)) return;
    this.refuse(messageId, this.context.messageOf(new UnreadableRequestError()));
  }

  private refuse(inReplyTo: number, reason: string): void {
    this.send({ type: 'requestRefused', inReplyTo, reason });
  }

  private send(message: Posted<P>, passedOn?: () => void): void {
    const sent = this.webview?.postMessage(message);
    if (passedOn) void sent?.then(passedOn);
  }
}

/** The chat that a message is about. */
function chatOf(message: object): { readonly chatId?: string } {
  if (!('place' in message)) return {};
  const { place } = message;
  const isPlace = typeof place === 'object' && place !== null && 'chatId' in place;
  return isPlace && typeof place.chatId === 'string' ? { chatId: place.chatId } : {};
}

function isRequest<P extends PageProtocol>(
  message: P['fromPage'],
): message is P['fromPage'] & Asked<RequestOf<P>> {
  return message.type === 'request';
}

/** The number of a request whose body could not be read. */
function numberOf(message: unknown): number | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('type' in message) || message.type !== 'request' || !('messageId' in message)) return undefined;
  const { messageId } = message;
  return typeof messageId === 'number' && Number.isSafeInteger(messageId) && messageId > 0
    ? messageId
    : undefined;
}

class UnreadableRequestError extends OffshootError {
  constructor() {
    super(
      'unreadable-request',
      defineMessage('A request of this page couldn’t be read. Close the view or tab and open it again.'),
    );
  }
}
