import assert from 'node:assert/strict';
import path from 'node:path';
import type { BrowserContext, Disposable, Locator, Page } from 'playwright-core';
import type { ChatFromHost, ConversationView } from '../../../../src/protocol/chatFromHost.ts';
import type { MessageView } from '../../../../src/protocol/views.ts';
import {
  alternativesNotices,
  answersNotices,
  answersRequests,
  chatFromPage,
  type ChatFromPage,
  type ChatProtocol,
} from '../../../../src/protocol/chatFromPage.ts';
import type { SegmentId } from '../../../../src/webview/state/traySegments.ts';
import type { Asked, MessageOf, RequestOf } from '../../../../src/protocol/everyPage.ts';
import { until } from '../../../fixtures/until.ts';
import { root } from '../../support/host.ts';
import themes from './themes.json';

type Request = RequestOf<ChatProtocol>;
type PageMessage = MessageOf<ChatProtocol>;
type WithoutPlace<T> = T extends { place: unknown } ? Omit<T, 'place'> : T;

export type ThemeName = keyof typeof themes;
export const themeNames = Object.keys(themes) as ThemeName[];

/** Stands in for VS Code's side of the page: records what the page says, and keeps its state over a reload. */
const fakeHost = `
  window.sent = [];
  window.faults = [];
  window.unanswered = 0;
  window.addEventListener('error', (event) => window.faults.push(String(event.message)));
  window.addEventListener('unhandledrejection', (event) => window.faults.push(String(event.reason)));
  document.addEventListener('securitypolicyviolation', (event) =>
    window.faults.push('policy: ' + event.violatedDirective + ' ' + event.blockedURI));
  // The opening script asks for the content, and gives the connection to the page once that is there.
  window.addEventListener('offshoot.connectionTaken', () => (window.isLoaded = true));
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      window.sent.push(structuredClone(message));
      if (message.body?.type !== 'loadEarlier' || !window.answerEarlier) return;
      window.unanswered += 1;
      void window.answerEarlier(message.body).then((messages) => {
        window.unanswered -= 1;
        postMessage({ type: 'reply', inReplyTo: message.messageId, body: { messages } }, '*');
      });
    },
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });`;

/** Has every page that is opened in a browser context find a host, and a theme. */
export async function playHost(context: BrowserContext, theme: ThemeName): Promise<void> {
  await context.addInitScript(fakeHost);
  await context.addInitScript(applyTheme(theme));
}

/** A command that the page ran, and what it gave it. */
type Command = (Sent<'runCommand'> | Sent<'runCommandHere'>) & {
  readonly messageId?: string | undefined;
  readonly file?: string | undefined;
};

type Sent<T extends PageMessage['type']> = Extract<WithoutPlace<PageMessage>, { type: T }>;

/** What the host of alternatives takes of their page. */
const ofAlternatives = new Set<string>([
  'ready',
  ...[...answersNotices, ...alternativesNotices, ...answersRequests].map(({ shape }) => shape.type.value),
]);

function withoutEnvelope(message: ChatFromPage): PageMessage {
  return message.type === 'request' ? message.body : message;
}

function withoutPlace(message: PageMessage): WithoutPlace<PageMessage> {
  if (!('place' in message)) return message;
  const { place: _named, ...rest } = message;
  return rest;
}

/** The chat page alone, in Chromium, with a host that says what a test has it say. */
export class Chat {
  private readonly exposed: Disposable[] = [];

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  /** @param page of a context with a fake host */
  static async open(page: Page, origin: string): Promise<Chat> {
    const chat = new Chat(page, origin);
    await page.goto(origin);
    await chat.loaded();
    return chat;
  }

  /** One more page of the same browser, which knows what other pages left in its storage. */
  async another(): Promise<Chat> {
    return Chat.open(await this.page.context().newPage(), this.origin);
  }

  /** The page dies at once, as of a fault in the browser. */
  async crash(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const crashed = this.page.waitForEvent('crash');
    // It has no time to answer.
    session.send('Page.crash').catch(() => undefined);
    await crashed;
  }

  /** The page does not answer any more, and is taken away by force. */
  async hangAndClose(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    session.send('Runtime.evaluate', { expression: 'for (;;);' }).catch(() => undefined);
    await this.page.close();
  }

  /** Takes back what a reload does not. */
  async close(): Promise<void> {
    for (const each of this.exposed.splice(0)) await each.dispose();
  }

  get input(): Locator {
    return this.page.getByRole('textbox', { name: 'Message' });
  }

  get messages(): Locator {
    return this.page.locator('.message');
  }

  get scroller(): Locator {
    return this.page.locator('.scroller');
  }

  segment(id: SegmentId): Locator {
    return this.page.locator(`[data-segment="${id}"]`);
  }

  /** Opens a panel of the tray, if it has not opened automatically. */
  async openPanel(id: SegmentId): Promise<void> {
    const segment = this.segment(id);
    if ((await segment.getAttribute('aria-expanded')) === 'false') await segment.click();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The host says something; what it says need not follow the protocol. */
  async tell(message: ChatFromHost | Record<string, unknown>): Promise<void> {
    // Messages are handled in order, so the page has read it when a later one comes.
    await this.page.evaluate(`new Promise((resolve) => {
      addEventListener('message', function read({ data }) {
        if (data !== 'read') return;
        removeEventListener('message', read);
        resolve();
      });
      postMessage(${JSON.stringify(message)}, '*');
      postMessage('read', '*');
    })`);
  }

  async show(conversation: ConversationView): Promise<void> {
    await this.tell({ type: 'conversationChanged', conversation });
    await this.frame();
  }

  /** From now on the host tells earlier messages when it is asked, as the real one does, out of these. */
  async answerEarlier(messages: readonly MessageView[]): Promise<void> {
    const places = new Map(messages.map(({ id }, index) => [id, index]));
    const answer = ({ beforeMessageId, fromMessageId }: Sent<'loadEarlier'>): MessageView[] => {
      const end = places.get(beforeMessageId) ?? 0;
      const from = fromMessageId === undefined ? undefined : places.get(fromMessageId);
      const count = Math.max(50, from === undefined ? 0 : end - from + 10);
      return messages.slice(Math.max(0, end - count), end);
    };
    this.exposed.push(await this.page.exposeFunction('answerEarlier', answer));
  }

  async delta(messageId: string, text: string, offset: number, partIndex = 0): Promise<void> {
    await this.tell({
      type: 'answerDelta',
      chatId: 'chat-1',
      branch: 'main',
      messageId,
      partIndex,
      part: { type: 'text', text },
      offset,
    });
  }

  /** Waits until the page has drawn what it knows. */
  async frame(): Promise<void> {
    await this.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
  }

  /** Sets the clock of the page forward by more than a question has to stand still until it takes an answer. */
  async letStand(): Promise<void> {
    await this.page.evaluate(`{
      const now = performance.now.bind(performance);
      performance.now = () => now() + 1_000;
    }`);
  }

  /**
   * Everything the page has said, with the conversation that it was said of; all of it has to follow the protocol. But
   * for where the keyboard is, which depends on what else is on the screen.
   */
  async sentOf(): Promise<PageMessage[]> {
    return (await this.enveloped()).map(withoutEnvelope).filter(({ type }) => type !== 'focused');
  }

  /** Everything the page has said and asked for. */
  async sent(): Promise<WithoutPlace<PageMessage>[]> {
    return (await this.sentOf()).map(withoutPlace);
  }

  /** Waits until the page has said a thing of this kind, and gives the last. */
  async expect<T extends PageMessage['type']>(type: T): Promise<Sent<T>> {
    return until(
      async () =>
        (await this.enveloped())
          .map(withoutEnvelope)
          .map(withoutPlace)
          .findLast((message): message is Sent<T> => message.type === type),
      `the page to say ${type}`,
    );
  }

  /** Waits until the page has drawn itself, and can be told something. */
  async loaded(): Promise<void> {
    await until(() => this.page.evaluate<boolean>('window.isLoaded === true'), 'the script of the page');
    await this.expect('ready');
  }

  /** The same of a command. */
  async expectCommand(command: Command['command']): Promise<Command> {
    return until(
      async () =>
        (await this.sent()).findLast(
          (message): message is Command =>
            (message.type === 'runCommand' || message.type === 'runCommandHere') &&
            message.command === command,
        ),
      `the page to run ${command}`,
    );
  }

  /** Waits until the page has asked for this, and replies; by default to the last of this kind. */
  async reply<T extends Request['type']>(
    type: T,
    body: ChatProtocol['replies'][T],
    isMeant: (request: Extract<Request, { type: T }>) => boolean = () => true,
  ): Promise<void> {
    await this.tell({ type: 'reply', inReplyTo: (await this.asked(type, isMeant)).messageId, body });
  }

  /** Waits until the page has asked for this, and refuses the last of this kind. */
  async refuse(type: Request['type'], reason: string): Promise<void> {
    await this.tell({ type: 'requestRefused', inReplyTo: (await this.asked(type)).messageId, reason });
  }

  /** Waits until the page has asked for this, and gives the last request of this kind in its envelope. */
  async asked<T extends Request['type']>(
    type: T,
    isMeant: (request: Extract<Request, { type: T }>) => boolean = () => true,
  ): Promise<Asked<Extract<Request, { type: T }>>> {
    return until(
      async () =>
        (await this.enveloped()).findLast(
          (message): message is Asked<Extract<Request, { type: T }>> =>
            message.type === 'request' &&
            message.body.type === type &&
            isMeant(message.body as Extract<Request, { type: T }>),
        ),
      `the page to ask for ${type}`,
    );
  }

  private async enveloped(): Promise<ChatFromPage[]> {
    const sent = await this.page.evaluate<unknown[]>('window.sent');
    const messages = sent.map((message) => chatFromPage.parse(message));
    if (this.origin.endsWith('/tries')) {
      const types = messages.map((message) => withoutEnvelope(message).type);
      assert.deepEqual(
        types.filter((type) => !ofAlternatives.has(type)),
        [],
      );
    }
    return messages;
  }

  /** What went wrong in the page: errors nobody caught, and what its policy forbade. */
  async faults(): Promise<string[]> {
    return this.page.evaluate<string[]>('window.faults');
  }

  /** The faults so far; they no longer fail the test. */
  async takeFaults(): Promise<string[]> {
    return this.page.evaluate<string[]>('window.faults.splice(0)');
  }

  async scrollTop(): Promise<number> {
    return this.page.evaluate<number>("document.querySelector('.scroller').scrollTop");
  }

  /** How far the end of the conversation is below what one sees, in pixels. */
  async fromEnd(): Promise<number> {
    return this.page.evaluate<number>(
      "(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop)(document.querySelector('.scroller'))",
    );
  }

  async setTheme(theme: ThemeName): Promise<void> {
    await this.page.evaluate(applyTheme(theme));
  }

  /** Keeps a picture of the page in out/results/. */
  async screenshot(name: string): Promise<void> {
    const file = `page-${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.png`;
    await this.page.screenshot({ path: path.join(root, 'out', 'results', file) });
  }
}

/** Sets the variables and the class that VS Code sets for a theme. */
export function applyTheme(theme: ThemeName): string {
  const { bodyClass, variables } = themes[theme];
  return `{
    const apply = () => {
      const { style } = document.documentElement;
      for (const name of [...style]) if (name.startsWith('--vscode-')) style.removeProperty(name);
      for (const [name, value] of Object.entries(${JSON.stringify(variables)})) style.setProperty(name, value);
      document.body.className = ${JSON.stringify(bodyClass)};
    };
    if (document.body) apply();
    else document.addEventListener('DOMContentLoaded', apply);
  }`;
}
