import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as requestFrom, type IncomingMessage, type ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, startOpenAiServer, type OpenAiServer } from '../fixtures/openaiServer.ts';
import { ask, offshoot, messageText, setSetting } from './support.ts';

/** Resolved nowhere: only a proxy can know it. */
const HOST = 'models.offshoot.invalid';

/** A proxy that passes what is for {@link HOST} on to a server of this machine, and opens no tunnels. */
class Proxy implements AsyncDisposable {
  /** The addresses it was asked for. */
  readonly asked: string[] = [];
  /** The hosts it was asked to open a tunnel to. */
  readonly tunnels: string[] = [];
  readonly #http = createServer((request, response) => this.#pass(request, response));

  constructor(private readonly target: string) {
    this.#http.on('connect', (request, socket) => {
      this.tunnels.push(request.url ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
  }

  async listen(): Promise<string> {
    this.#http.listen(0, '127.0.0.1');
    await once(this.#http, 'listening');
    const address = this.#http.address();
    assert.ok(address !== null && typeof address === 'object');
    return `http://127.0.0.1:${address.port}`;
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? '');
    this.asked.push(`${request.method} ${request.url}`);
    if (url?.hostname !== HOST) {
      response.writeHead(502).end();
      return;
    }
    const { method, headers } = request;
    const onward = requestFrom(
      `${this.target}${url.pathname}${url.search}`,
      { method, headers },
      (incoming) => {
        response.writeHead(incoming.statusCode ?? 502, incoming.headers);
        incoming.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}

describe('requests to model servers', () => {
  let api: Offshoot;
  let server: OpenAiServer;
  let proxy: Proxy;
  const http = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('http');

  before(async () => {
    api = await offshoot();
    server = await startOpenAiServer({ script: () => answer('Through the proxy.') });
    proxy = new Proxy(new URL(server.baseUrl).origin);
    await http().update('proxy', await proxy.listen(), vscode.ConfigurationTarget.Global);
    await setSetting('openaiCompatible.model', 'test-model');
  });
  after(async () => {
    await setSetting('openaiCompatible.model', undefined);
    await setSetting('openaiCompatible.baseUrl', undefined);
    await http().update('proxy', undefined, vscode.ConfigurationTarget.Global);
    await proxy[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  beforeEach(() => api.parts.current.startNew());

  it('go through the proxy of the settings', async () => {
    await setSetting('openaiCompatible.baseUrl', `http://${HOST}/v1`);
    await ask(api, 'Are you there?');
    assert.deepEqual(await messageText(api), ['Are you there?', 'Through the proxy.']);
    assert.ok(proxy.asked.includes(`POST http://${HOST}/v1/chat/completions`), proxy.asked.join());
  });

  it('go through a tunnel of it where they are encrypted', async () => {
    await setSetting('openaiCompatible.baseUrl', `https://${HOST}/v1`);
    await api.parts.models.list();
    assert.ok(proxy.tunnels.includes(`${HOST}:443`), proxy.tunnels.join());
  });

  it('of providers with a protocol of their own take the same way', async () => {
    const origin = `https://anthropic.${HOST}`;
    await setSetting('baseUrls', { anthropic: `${origin}/v1` });
    await api.parts.keys.set(origin, 'key-of-the-proxy-test');
    try {
      await api.parts.models.list();
      assert.ok(proxy.tunnels.includes(`anthropic.${HOST}:443`), proxy.tunnels.join());
    } finally {
      await api.parts.keys.remove(origin);
      await setSetting('baseUrls', undefined);
    }
  });

  it('to this machine go past it', async () => {
    await setSetting('openaiCompatible.baseUrl', server.baseUrl);
    const before = proxy.asked.length;
    await ask(api, 'And you?');
    assert.deepEqual(await messageText(api), ['And you?', 'Through the proxy.']);
    assert.equal(proxy.asked.length, before);
  });
});
