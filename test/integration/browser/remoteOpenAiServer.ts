import type * as InNode from '../../fixtures/openaiServer.ts';
import type { RecordedRequest } from '../../fixtures/openaiRequests.ts';
import { refuse, type Reply } from '../../fixtures/openaiScript.ts';
import { callModelServers } from './callModelServers.ts';
import { askedSchema, startedSchema, type Asked } from './modelServerCalls.ts';

// Stands in for test/fixtures/openaiServer.ts where there is no Node: the server is a real one in another process, and
// its script is asked here.

export * from '../../fixtures/openaiRequests.ts';
export * from '../../fixtures/openaiScript.ts';

type Members =
  | 'origin'
  | 'baseUrl'
  | 'requests'
  | 'requestReceived'
  | 'clientHungUp'
  | 'pauseReached'
  | 'release'
  | 'close';

/** A scripted model server, as tests know it. */
export class OpenAiServer implements Pick<InNode.OpenAiServer, Members>, AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  private readonly arrivals = new EventTarget();
  /** A release has to arrive before anything else is waited for. */
  private released: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly id: string,
    readonly origin: string,
    private readonly script: InNode.OpenAiServerOptions['script'],
  ) {}

  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  async reply(request: RecordedRequest, index: number): Promise<Reply> {
    this.requests.push(request);
    this.arrivals.dispatchEvent(new Event('request'));
    if (typeof this.script === 'function') return this.script(request, index);
    return this.script[index] ?? refuse(500, { message: `The script has no answer number ${index + 1}.` });
  }

  async requestReceived(count = 1): Promise<void> {
    while (this.requests.length < count) {
      await new Promise((resolve) => {
        this.arrivals.addEventListener('request', resolve, { once: true });
      });
    }
  }

  async clientHungUp(count = 1): Promise<void> {
    await callModelServers({ call: 'clientHungUp', id: this.id, count });
  }

  async pauseReached(gate = 'pause'): Promise<void> {
    await this.released;
    await callModelServers({ call: 'pauseReached', id: this.id, gate });
  }

  release(gate = 'pause'): void {
    this.released = this.released.then(() => callModelServers({ call: 'release', id: this.id, gate }));
  }

  async close(): Promise<void> {
    await this.released;
    await callModelServers({ call: 'close', id: this.id });
    servers.delete(this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

const servers = new Map<string, OpenAiServer>();

export async function startOpenAiServer({
  script,
  models,
  key,
}: InNode.OpenAiServerOptions): Promise<OpenAiServer> {
  const started = startedSchema.parse(
    await callModelServers({
      call: 'start',
      ...(models && { models: [...models] }),
      ...(key !== undefined && { key }),
    }),
  );
  const server = new OpenAiServer(started.id, started.origin, script);
  servers.set(started.id, server);
  return server;
}

/** Answers what the servers are asked, by the scripts of the tests, for as long as the worker lives. */
export async function answerByScripts(): Promise<never> {
  for (;;) {
    const asked = askedSchema.parse(await callModelServers({ call: 'listen' }));
    void reply(asked);
  }
}

async function reply({ number, id, index, request }: Asked): Promise<void> {
  // A script that throws fails what waits for its answer.
  const said = await servers
    .get(id)
    ?.reply(request, index)
    .catch((error: unknown) => refuse(500, { message: String(error) }));
  await callModelServers({ call: 'reply', number, reply: said ?? refuse(410) });
}
