import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import {
  graphFromPage,
  type GraphChanged,
  type GraphFromHost,
  type GraphFromPage,
  type GraphProtocol,
} from '../../../../src/protocol/graphMessages.ts';
import type { Asked, RequestOf } from '../../../../src/protocol/everyPage.ts';
import { until } from '../../../fixtures/until.ts';
import { root } from '../../support/host.ts';
import type { ThemeName } from './chat.ts';
import { useServedPage } from './useServedPage.ts';

type Request = RequestOf<GraphProtocol>;
/** What the page says or asks, without the envelope. */
type PageMessage = Exclude<GraphFromPage, { type: 'request' }> | Request;
type Sent<T extends PageMessage['type']> = Extract<PageMessage, { type: T }>;

/** Noon of a day in May, as every message of a made graph says. */
const createdAt = Date.UTC(2026, 4, 4, 12);

/** A conversation from the parents of its messages, which are `m0`, `m1` and so on, questions and answers in turn. */
export function graphOf(parents: readonly number[], rest: Partial<GraphChanged> = {}): GraphChanged {
  const depths: number[] = [];
  for (const parent of parents) depths.push(parent === -1 ? 0 : (depths[parent] ?? 0) + 1);
  return {
    type: 'graphChanged',
    chat: { id: 'chat-1', title: 'Closures and other things' },
    from: 0,
    ids: parents.map((_, index) => `m${index}`),
    parents: [...parents],
    roles: depths.map((depth) => (depth % 2 === 0 ? 'user' : 'assistant')),
    branches: [{ name: 'main', headMessageId: `m${parents.length - 1}`, isActive: true, isArchived: false }],
    checkpoints: [],
    isReadOnly: false,
    ...rest,
  };
}

/** The page of the graph alone, in Chromium, with a host that says what a test has it say. */
export class Graph {
  private constructor(readonly page: Page) {}

  /** @param page of a context with a fake host */
  static async open(page: Page, origin: string): Promise<Graph> {
    const graph = new Graph(page);
    await page.goto(`${origin}/graph`);
    await graph.expect('ready');
    return graph;
  }

  get list(): Locator {
    return this.page.getByRole('listbox');
  }

  row(id: string): Locator {
    return this.page.locator(`[data-node-id="${id}"]`);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async tell(message: GraphFromHost | Record<string, unknown>): Promise<void> {
    await this.page.evaluate(`postMessage(${JSON.stringify(message)}, '*')`);
    // Posted later, so handled later; then drawn.
    await this.page.evaluate(
      `new Promise((done) => { const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => requestAnimationFrame(() => requestAnimationFrame(done));
        setTimeout(() => port2.postMessage(0)); })`,
    );
  }

  /** Shows a conversation, and answers what the page asks of its messages once it is drawn. */
  async show(change: GraphChanged): Promise<void> {
    await this.tell(change);
    await this.answer((id) => `What ${id} says`);
  }

  async answer(label: (id: string) => string): Promise<void> {
    await this.expect('describeNodes');
    for (const { messageId, body } of await this.requests()) {
      if (body.type !== 'describeNodes') continue;
      const nodes = body.ids.map((id) => ({ id, label: label(id), createdAt }));
      await this.tell({ type: 'reply', inReplyTo: messageId, body: { nodes } });
    }
  }

  /** Everything the page has said; all of it has to follow the protocol. */
  async sent(): Promise<PageMessage[]> {
    return (await this.enveloped()).map((message) => (message.type === 'request' ? message.body : message));
  }

  /** Waits until the page asks what a message says in full, and replies. */
  async preview(id: string, preview: { readonly text: string; readonly isCut: boolean }): Promise<void> {
    const { messageId } = await until(
      async () =>
        (await this.requests()).findLast(({ body }) => body.type === 'previewNode' && body.id === id),
      `the preview of ${id} to be asked for`,
    );
    await this.tell({ type: 'reply', inReplyTo: messageId, body: { preview } });
  }

  private async requests(): Promise<Asked<Request>[]> {
    return (await this.enveloped()).filter((message) => message.type === 'request');
  }

  private async enveloped(): Promise<GraphFromPage[]> {
    const sent = await this.page.evaluate<unknown[]>('window.sent');
    return sent.map((message) => graphFromPage.parse(message));
  }

  /** Waits until the page has said a thing of this kind, and gives the last. */
  async expect<T extends PageMessage['type']>(type: T): Promise<Sent<T>> {
    return until(
      async () => (await this.sent()).findLast((message): message is Sent<T> => message.type === type),
      `the graph to say ${type}`,
    );
  }

  /** The node that has the keyboard, as a screen reader is told. */
  async focused(): Promise<string | undefined> {
    return this.page.evaluate<string | undefined>(
      "document.getElementById(document.querySelector('[role=listbox]').getAttribute('aria-activedescendant'))?.dataset.nodeId",
    );
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.list.press(key);
  }

  async faults(): Promise<string[]> {
    return this.page.evaluate<string[]>('window.faults');
  }

  async screenshot(name: string): Promise<void> {
    const file = `graph-${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.png`;
    await this.page.screenshot({ path: path.join(root, 'out', 'results', file) });
  }
}

/** Opens a new page of the graph for each test of the enclosing `describe`. */
export function useGraph(theme?: ThemeName, viewport = { width: 900, height: 600 }): () => Graph {
  return useServedPage({ theme, viewport }, (page, origin) => Graph.open(page, origin));
}
