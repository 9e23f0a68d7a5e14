import assert from 'node:assert/strict';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { reasoningEffort, type ReasoningEffort } from '../../../src/models/chatModel.ts';
import { effortsOf, hostedProviders, leastEffortOf } from '../../../src/models/modelProviders.ts';
import { startProviderServer, type ProviderServer } from '../../fixtures/providerServer.ts';
import { OllamaServer } from '../../fixtures/strict/ollama.ts';
import { OpenAiResponsesServer } from '../../fixtures/strict/openAiResponses.ts';
import { readObject } from '../../fixtures/strict/strictServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';

const KEY = 'k-1-of-the-test';

/** What a provider is sent when a model is asked with this effort. */
async function bodyFor(
  server: ProviderServer,
  id: string,
  effort: ReasoningEffort | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const provider = hostedProviders.find((each) => id.startsWith(`${each.id}:`)) ?? assert.fail();
  const source = new HostedSource(provider, {
    keyFor: () => Promise.resolve(KEY),
    baseUrl: () => server.baseUrl(provider.id),
  });
  const model = (await source.find(id)) ?? assert.fail();
  await using world = await newWorld({ effort: () => effort });
  const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
  await run.done;
  assert.equal(run.error, undefined);
  assert.equal((await world.lastMetadata()).effort, effort);
  return readObject(JSON.parse(server.questions.at(-1)?.body ?? assert.fail()));
}

describe('how hard a model is to think', () => {
  it('is said in the words of its provider, and thoughts are asked for where they are hidden', async () => {
    await using server = await startProviderServer({ key: KEY });
    const shown = { type: 'adaptive', display: 'summarized' };
    const cases: [string, ReasoningEffort | undefined, Record<string, unknown>][] = [
      ['anthropic:claude-opus-5-5', undefined, { thinking: shown, output_config: undefined }],
      ['anthropic:claude-opus-5-5', 'max', { thinking: shown, output_config: { effort: 'max' } }],
      ['anthropic:claude-opus-4-6', 'low', { thinking: shown, output_config: { effort: 'low' } }],
      ['anthropic:claude-sonnet-5', 'none', { thinking: { type: 'disabled' } }],
      ['anthropic:claude-sonnet-4-5', undefined, { thinking: undefined }],
      ['groq:openai/gpt-oss-120b', 'high', { reasoning_effort: 'high' }],
      ['groq:openai/gpt-oss-120b', undefined, { reasoning_effort: undefined }],
      ['azure:gpt-5.1', 'low', { reasoning: { effort: 'low', summary: 'auto' } }],
      ['azure:gpt-4.1', undefined, { reasoning: undefined }],
      ['deepseek:deepseek-flash', 'none', { thinking: { type: 'disabled' }, reasoning_effort: undefined }],
      ['deepseek:deepseek-flash', 'max', { thinking: undefined, reasoning_effort: 'max' }],
      ['deepseek:deepseek-flash', undefined, { thinking: undefined, reasoning_effort: undefined }],
      ['mistral:mistral-small-latest', 'none', { reasoning_effort: 'none', stream_options: undefined }],
      ['mistral:mistral-large-4', 'medium', { reasoning_effort: 'medium' }],
      ['xai:grok-4.7', 'high', { reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] }],
      ['xai:grok-4.7', undefined, { reasoning: undefined, store: false }],
      ['xai:grok-4.20-non-reasoning', undefined, { reasoning: undefined, include: undefined }],
      ['openai:gpt-5.1', 'low', { reasoning: { effort: 'low', summary: 'auto' } }],
      ['openai:gpt-5.1', undefined, { reasoning: { summary: 'auto' } }],
      ['openai:gpt-4.1', undefined, { reasoning: undefined }],
    ];
    for (const [id, effort, expected] of cases) {
      const body = await bodyFor(server, id, effort);
      for (const [name, value] of Object.entries(expected)) {
        assert.deepEqual(body[name], value, `${id} ${effort ?? 'by default'} ${name}`);
      }
    }
    const thinking = async (id: string, effort: ReasoningEffort | undefined): Promise<unknown> =>
      readObject((await bodyFor(server, id, effort))['generationConfig'])['thinkingConfig'];
    assert.deepEqual(await thinking('google:gemini-3.8-flash', undefined), { includeThoughts: true });
    assert.deepEqual(await thinking('google:gemini-3.8-flash', 'high'), {
      includeThoughts: true,
      thinkingLevel: 'high',
    });
    assert.deepEqual(await thinking('google:gemini-2.5-flash', 'none'), { thinkingBudget: 0 });
    assert.equal(await thinking('google:gemini-2.0-flash', undefined), undefined);
  });

  it('is for OpenAI one of those its model takes, whichever of them is chosen', async () => {
    for (const name of [
      'gpt-6-sol',
      'gpt-6-astra',
      'gpt-5.6-terra',
      'gpt-5.4-mini',
      'gpt-5.1',
      'gpt-5',
      'o3',
    ]) {
      await using server = await new OpenAiResponsesServer(name).listen();
      const model = await server.model();
      assert.notDeepEqual(effortsOf(model), [], name);
      for (const effort of effortsOf(model)) {
        await using world = await newWorld({ effort: () => effort });
        const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model });
        await run.done;
        assert.equal(run.error, undefined, `${name} ${effort}`);
        assert.equal(readObject(readObject(server.requests.at(-1)?.body)['reasoning'])['effort'], effort);
      }
    }
  });

  it('is for Ollama whether to think, or how much where a model knows degrees', async () => {
    await using server = await new OllamaServer().listen();
    const model = await server.model();
    assert.deepEqual(effortsOf(model), ['none']);
    await using world = await newWorld({ effort: () => 'none' });
    await (
      await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Hello?', model })
    ).done;
    assert.deepEqual([server.refused, readObject(server.requests[0]?.body)['think']], [[], false]);
    assert.deepEqual(effortsOf({ id: 'ollama:gpt-oss:20b', capabilities: ['reasoning'] }), [
      'low',
      'medium',
      'high',
    ]);
  });

  it('is no choice for models that do not think, or of which nothing is known', () => {
    const ids = [
      ...['openai:gpt-4o', 'openai:gpt-5-chat-latest', 'google:gemini-2.0-flash', 'google:gemma-3-27b-it'],
      ...['anthropic:claude-3-7-sonnet-20250219', 'vscode:copilot/gpt-5', 'demo:offline', 'nothing'],
      ...['mistral:mistral-large-latest', 'xai:grok-4.20-reasoning', 'xai:grok-4.35', 'azure:my-deployment'],
      ...['openai-compatible:deepseek-reasoner', 'ollama:llama3', 'groq:llama-3.3-70b'],
    ];
    for (const id of ids) assert.deepEqual(effortsOf({ id }), [], id);
  });

  it('is listed from least to most', () => {
    const ids = [
      ...['openai:gpt-6-sol', 'openai:gpt-5.6-luna', 'openai:gpt-5', 'anthropic:claude-sonnet-5-5'],
      ...['deepseek:deepseek-v4-pro', 'mistral:mistral-medium-3.5', 'xai:grok-4.3', 'xai:grok-5'],
      ...['anthropic:claude-haiku-4-5-20251001', 'google:gemini-3.8-flash', 'google:gemini-2.5-pro'],
    ];
    for (const id of ids) {
      const places = effortsOf({ id }).map((effort) => reasoningEffort.options.indexOf(effort));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
    }
    assert.equal(leastEffortOf({ id: 'anthropic:claude-haiku-4-5-20251001' }), 'none');
    assert.equal(leastEffortOf({ id: 'openai:gpt-4o' }), undefined);
  });
});
