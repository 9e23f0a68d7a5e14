import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { LocalServer } from '../fixtures/localServer.ts';
import { until } from '../fixtures/until.ts';
import { anthropicMessages } from './protocols/anthropicMessages.ts';
import { chatCompletionsWire } from './protocols/chatCompletionsWire.ts';
import { geminiContents } from './protocols/geminiContents.ts';
import { responsesWire } from './protocols/responsesWire.ts';
import { INPUT_TOKENS, parsedInput, sendJson } from './protocols/wire.ts';
import type { Exchange, ModelRequest, Reply, Said } from './said.ts';

/** Decides what the model says to a request; undefined: the server refuses it, and says so in its record. */
export type Script = (request: ModelRequest, index: number) => Reply | undefined;

const protocols = [anthropicMessages, chatCompletionsWire, responsesWire, geminiContents];

/** The models that it lists. */
const MODELS = ['scripted', 'claude-scripted', 'gpt-scripted', 'gemini-scripted'];

/**
 * One server on this machine that speaks the protocols of four kinds of model servers, says what its script tells it, and
 * keeps a record of all that was said.
 */
export class ModelServer extends LocalServer {
  /** The requests that were answered, in their order. */
  readonly record: Exchange[] = [];
  /** What it did not know or could not read: a run with any of these has failed. */
  readonly refused: string[] = [];
  /** Called before each answer. */
  onRequest: ((request: ModelRequest) => Promise<void>) | undefined;
  private script: Script;
  private requests = 0;
  private calls = 0;
  private holding = 0;

  constructor(script: Script) {
    super();
    this.script = script;
  }

  /** Answers by another script from now on. */
  play(script: Script): void {
    this.script = script;
  }

  /** Waits until an answer has stopped in its middle. */
  async isHolding(): Promise<void> {
    await until(() => this.holding > 0, 'an answer that is held');
  }

  /** Waits until so many requests were answered in full or left. */
  async answered(count: number, limitMs?: number): Promise<void> {
    await until(() => this.record.length >= count, `${count} answers`, limitMs);
  }

  protected override async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const given = parsedInput(await textOf(request));
    if (request.method === 'POST' && /count_?tokens$/iu.test(url.pathname)) {
      sendJson(response, { input_tokens: INPUT_TOKENS, totalTokens: INPUT_TOKENS });
      return;
    }
    // Whether there is a server at all.
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    if (request.method === 'GET' && url.pathname.endsWith('/models')) {
      const data = MODELS.map((id) => ({ id, object: 'model', type: 'model', display_name: id }));
      sendJson(response, { object: 'list', data, has_more: false });
      return;
    }
    const protocol = protocols.find(({ isFor }) => isFor(url.pathname));
    if (request.method !== 'POST' || !protocol) {
      this.refuse(response, 404, `${request.method ?? ''} ${url.pathname}`);
      return;
    }
    const read = protocol.read(given, url);
    const reply = this.script(read, this.requests++);
    await this.onRequest?.(read);
    if (!reply) {
      this.refuse(response, 400, `${url.pathname}: the script has no reply to ${lastWords(read)}`);
      return;
    }
    const { body: _, ...asked } = read;
    const answered: Said[] = [];
    const at = Date.now();
    const calls = (reply.calls ?? []).map((call) => ({ ...call, id: `call_${++this.calls}` }));
    const closed = once(response, 'close');
    await protocol.write({
      response,
      request: read,
      reply: { ...reply, calls, id: `answer${this.requests}` },
      sent: (said) => answered.push(said),
      held: async () => {
        this.holding += 1;
        await closed;
        this.holding -= 1;
      },
    });
    await closed;
    const isCut = !response.writableFinished;
    this.record.push({ ...asked, at, as: reply.as ?? 'turn', answered, isCut });
  }

  private refuse(response: ServerResponse, status: number, what: string): void {
    this.refused.push(what);
    sendJson(response, { type: 'error', error: { type: 'invalid_request_error', message: what } }, status);
  }
}

function lastWords({ said }: ModelRequest): string {
  return JSON.stringify(said.at(-1) ?? '').slice(0, 300);
}
