import assert from 'node:assert/strict';
import { boundedResponse, RESPONSE_LIMITS } from '../../../src/models/requests/boundedResponse.ts';
import { hostedProviders } from '../../../src/models/modelProviders.ts';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { OllamaSource } from '../../../src/models/providers/ollama/ollamaSource.ts';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { Runs } from '../../../src/agent/run/runs.ts';
import { createAgentWrites } from '../../../src/conversation/agentWrites.ts';
import { FloodingServer, type Flood } from '../../fixtures/floodingServer.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { MemoryLog } from '../../worlds/agentWorld.ts';
import { answerMetadataOf } from '../../../src/agent/run/answerMetadata.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { loadLater } from '../../fixtures/loadLater.ts';

const MB = 1_048_576;
/** What may be on its way between the two when a connection is closed. */
const ON_THE_WAY = 16 * MB;

const whatever = { status: 200, contentType: 'application/json', start: '', again: ' ' };

async function flooding(flood: Partial<Flood>): Promise<FloodingServer> {
  return new FloodingServer({ ...whatever, ...flood }).listen();
}

function sourceAt(server: FloodingServer, key?: string): OpenAiCompatibleSource {
  return new OpenAiCompatibleSource({
    settings: () => ({ baseUrl: `${server.origin}/v1`, models: [] }),
    keyFor: () => Promise.resolve(key),
  });
}

/** What becomes of an answer by a model of this server. */
async function outcomeAt(server: FloodingServer, key?: string) {
  const model = await sourceAt(server, key).find('openai-compatible:m');
  assert.ok(model);
  const store = memoryStore();
  await store.upsertChat({ id: 'c', userId: 'u' });
  const runs = new Runs({
    store,
    writes: createAgentWrites(store, 'u', loadLater),
    fragments: () => [],
    log: new MemoryLog(),
    maxRetries: 0,
  });
  const run = await runs.start({ chatId: 'c', branch: 'main', question: '?', model });
  await run.done;
  await server.clientLeft();
  const message = run.message();
  await store.close();
  return { text: textOf(message), error: answerMetadataOf(message)?.error };
}

describe('what a server sends', () => {
  it('is read only as far as an error is told', async () => {
    for (const start of ['{"error":{"message":"', 'plain words, and ']) {
      await using server = await flooding({ status: 500, start, again: 'no more of this ' });
      const { error } = await outcomeAt(server);
      assert.equal(error?.code, 'server-error');
      assert.match(error.message, /500.*no more of this/s);
      assert.ok(error.message.length < 1_000);
      assert.ok(server.sent < ON_THE_WAY, `${server.sent} bytes`);
    }
  });

  it('never shows a key, not even one that was cut in two', async () => {
    const key = 'very-secret-0123456789';
    for (let shift = 0; shift < key.length; shift++) {
      const start = 'x'.repeat(RESPONSE_LIMITS.error - shift);
      const response = new Response(start + key, { status: 500 });
      const { originFetch } = await import('../../../src/models/requests/originFetch.ts');
      const fetch = originFetch({ origin: 'https://a.test', key, fetch: () => Promise.resolve(response) });
      assert.doesNotMatch(await (await fetch('https://a.test/')).text(), /very/);
    }
  });

  it('is given up when it is no list of models, but very much', async () => {
    await using server = await flooding({ start: '{"data":[' });
    await assert.rejects(sourceAt(server).list(), { code: 'model-list' });
    await server.clientLeft();
    assert.ok(server.sent < RESPONSE_LIMITS.whole + ON_THE_WAY, `${server.sent} bytes`);
  });

  it('is bounded for each provider, and for what Ollama tells of its models', async () => {
    for (const provider of hostedProviders) {
      await using server = await flooding({ start: '[' });
      const source = new HostedSource(provider, {
        keyFor: () => Promise.resolve('k'),
        baseUrl: () => server.origin,
      });
      await assert.rejects(source.check('k'), { code: 'model-list' }, provider.id);
      await server.clientLeft();
    }
    await using server = await flooding({ start: '[' });
    assert.deepEqual(await new OllamaSource({ address: () => server.origin }).list(), []);
    await server.clientLeft();
  });

  for (const again of ['x', 'data: x\n', 'data: x\r\n', ':\r']) {
    it(`ends an answer with an event that never does, of ${JSON.stringify(again)}; what had arrived is kept`, async () => {
      const chunk = { id: '1', created: 1, model: 'm', choices: [{ index: 0, delta: { content: 'Good' } }] };
      const start = `data: ${JSON.stringify(chunk)}\n\ndata: `;
      await using server = await flooding({ contentType: 'text/event-stream', start, again });
      const { text, error } = await outcomeAt(server);
      assert.equal(text, 'Good');
      assert.equal(error?.code, 'response-too-large');
      assert.match(error.message, /more than 4 MB/);
      assert.ok(server.sent < RESPONSE_LIMITS.event + ON_THE_WAY, `${server.sent} bytes`);
    });
  }

  it('may be as long as it likes in events of its own, up to the limit of all', async () => {
    const limits = { error: 10, whole: 10, event: 20, stream: 1_000 };
    const stream = (text: string): Promise<Response> =>
      boundedResponse(new Response(text, { headers: { 'content-type': 'text/event-stream' } }), limits);
    for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
      const text = `data: 0123456789${end}`.repeat(40);
      assert.equal(await (await stream(text)).text(), text);
      await assert.rejects((await stream(text.repeat(2))).text(), { code: 'response-too-large' });
    }
    await assert.rejects((await stream('data: 0123456789\r\n'.repeat(2))).text(), {
      code: 'response-too-large',
    });
  });

  it('closes the connection when its reader stops', async () => {
    await using server = await flooding({ contentType: 'text/event-stream', again: 'data: 1\n\n' });
    const response = await boundedResponse(await fetch(server.origin));
    await response.body?.cancel();
    await server.clientLeft();
  });
});
