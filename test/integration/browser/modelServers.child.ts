import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { LocalServer } from '../../fixtures/localServer.ts';
import { startOpenAiServer, type OpenAiServer, type Reply } from '../../fixtures/openaiServer.ts';
import { callSchema, type Asked, type Call, type TestResults } from './modelServerCalls.ts';

/** Has scripted model servers for tests in a browser. Their scripts are asked there. */
export class ModelServers extends LocalServer {
  private readonly servers = new Map<string, OpenAiServer>();
  private readonly replies = new Map<number, (reply: Reply) => void>();
  private readonly asked: Asked[] = [];
  private readonly ended = Promise.withResolvers<TestResults>();
  private awaited = Promise.withResolvers<undefined>();
  private count = 0;

  /** How the tests went, once they have. */
  get results(): Promise<TestResults> {
    return this.ended.promise;
  }

  override async close(): Promise<void> {
    await Promise.all(Array.from(this.servers.values(), (server) => server.close()));
    await super.close();
  }

  protected override async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', 'application/json');
    const result = await this.do(callSchema.parse(await readJson(request)));
    response.end(JSON.stringify(result ?? null));
  }

  private async do(call: Call): Promise<unknown> {
    switch (call.call) {
      case 'start':
        return this.start(call);
      case 'listen':
        return this.next();
      case 'reply':
        this.replies.get(call.number)?.(call.reply as Reply);
        this.replies.delete(call.number);
        return undefined;
      case 'release':
        this.server(call.id).release(call.gate);
        return undefined;
      case 'pauseReached':
        return this.server(call.id).pauseReached(call.gate);
      case 'clientHungUp':
        return this.server(call.id).clientHungUp(call.count);
      case 'close':
        return this.server(call.id).close();
      case 'ended':
        this.ended.resolve(call.tests);
        return undefined;
    }
  }

  private async start({ models, key }: Extract<Call, { call: 'start' }>): Promise<unknown> {
    const id = randomUUID();
    const server = await startOpenAiServer({
      ...(models && { models }),
      ...(key !== undefined && { key }),
      allowsPages: true,
      script: (request, index) => {
        const number = ++this.count;
        this.asked.push({ number, id, index, request });
        this.awaited.resolve(undefined);
        return new Promise((resolve) => this.replies.set(number, resolve));
      },
    });
    this.servers.set(id, server);
    return { id, origin: server.origin };
  }

  private async next(): Promise<Asked> {
    for (;;) {
      const first = this.asked.shift();
      if (first) return first;
      this.awaited = Promise.withResolvers();
      await this.awaited.promise;
    }
  }

  private server(id: string): OpenAiServer {
    const server = this.servers.get(id);
    if (!server) throw new Error(`There is no server ${id}.`);
    return server;
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(z.instanceof(Buffer).parse(chunk));
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
