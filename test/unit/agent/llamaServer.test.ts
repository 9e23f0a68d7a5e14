import assert from 'node:assert/strict';
import type { ModelMessage } from 'ai';
import { streamAnswer } from '../../../src/agent/run/answerStream.ts';
import type { CommandHost } from '../../../src/agent/tools/commands/commandTools.ts';
import { ownTools } from '../../../src/agent/tools/ownTools.ts';
import { defineForeignTool, type AgentTool } from '../../../src/agent/tools/tool.ts';
import type { MemoryHost } from '../../../src/agent/memory/rememberTool.ts';
import type { SkillHost } from '../../../src/agent/skills/skillTool.ts';
import type { RecallHost } from '../../../src/agent/tools/recallTool.ts';
import type { WebHost } from '../../../src/agent/tools/web/webTools.ts';
import type { WorkspaceHost } from '../../../src/agent/tools/workspace/workspaceHost.ts';
import { fetchWithoutTimeout } from '../../../src/host/node/fetchWithoutTimeout.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { isLlamaSupported, LlamaServer } from '../../fixtures/llama/llamaServer.ts';
import { until } from '../../fixtures/until.ts';

/** Bounds that llama.cpp refuses to make a grammar of, and what else another program may say of an input. */
const bounded = defineForeignTool({
  name: 'bounded',
  description: 'Takes bounded inputs.',
  jsonSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1_000, maxLength: 5_000, pattern: '^[^a]+(?=b)', format: 'uri' },
      count: { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 },
      list: { type: 'array', items: { type: 'string', maxLength: 2_000 }, minItems: 1, maxItems: 5_000 },
      kind: { type: 'string', enum: ['a', 'b'] },
      nested: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
    },
    required: ['text'],
  },
  run: () => Promise.resolve({ text: '' }),
});

// Nothing is asked of a host until a tool is called.
const own = ownTools({
  workspace: {} as WorkspaceHost,
  commands: {} as CommandHost,
  web: {} as WebHost,
  recall: {} as RecallHost,
  skills: {} as SkillHost,
  memory: { isOn: () => true } as MemoryHost,
});
const tools: readonly AgentTool[] = [...Object.values(own).flat(), bounded];

const call = (toolCallId: string, path: string) =>
  ({ type: 'tool-call', toolCallId, toolName: 'read_file', input: { path } }) as const;
const result = (toolCallId: string, value: string) =>
  ({ type: 'tool-result', toolCallId, toolName: 'read_file', output: { type: 'text', value } }) as const;

/** What a conversation with an agent has: text with calls, parallel calls, calls without text, two steps in a row. */
const history: ModelMessage[] = [
  { role: 'user', content: 'What is in a.ts and b.ts?' },
  { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call('c1', 'a.ts'), call('c2', 'b.ts')] },
  { role: 'tool', content: [result('c1', 'one'), result('c2', 'two')] },
  { role: 'assistant', content: [call('c3', 'c.ts')] },
  { role: 'tool', content: [result('c3', '')] },
  { role: 'assistant', content: 'One and two.' },
  { role: 'user', content: 'And now?' },
];
const inLoop = history.slice(0, 5);

/** A source whose responses to questions are looked at. Its answers are short: they are nonsense anyway. */
function watched({ origin }: LlamaServer, maxOutputTokens = 4) {
  const seen = { statuses: [] as number[], refusal: '' };
  const source = new OpenAiCompatibleSource({
    settings: () => ({ baseUrl: `${origin}/v1`, models: [], maxOutputTokens, body: { ignore_eos: true } }),
    keyFor: () => Promise.resolve(undefined),
    fetch: async (input, init) => {
      const response = await fetchWithoutTimeout(input, init);
      if (init?.method === 'POST') seen.statuses.push(response.status);
      if (!response.ok) seen.refusal = await response.clone().text();
      return response;
    },
  });
  return { source, seen };
}

function ask(
  model: ChatModel,
  messages: ModelMessage[],
  offered: readonly AgentTool[],
  signal = new AbortController().signal,
) {
  return streamAnswer({
    spends: undefined,
    model,
    instructions: 'You help.',
    messages,
    tools: offered,
    temperature: undefined,
    signal,
    maxRetries: 0,
    onPiece: () => undefined,
    onNote: () => undefined,
    onCallBegun: () => undefined,
    onCall: () => undefined,
    onTemperatureIgnored: () => undefined,
    scheduler: { now: () => 0, after: () => assert.fail('waited') },
    onRetry: () => undefined,
  });
}

/** Of each family of models that people run themselves, the template that llama.cpp brings. */
const templates = [
  'Qwen-Qwen2.5-7B-Instruct',
  'Qwen-Qwen3-0.6B',
  'Qwen3-Coder',
  'Qwen3.5-4B',
  'meta-llama-Llama-3.1-8B-Instruct',
  'meta-llama-Llama-3.3-70B-Instruct',
  'mistralai-Mistral-Nemo-Instruct-2407',
  'Mistral-Small-3.2-24B-Instruct-2506',
  'unsloth-mistral-Devstral-Small-2507',
  'NousResearch-Hermes-3-Llama-3.1-8B-tool_use',
  'openai-gpt-oss-120b',
  'google-gemma-4-31B-it',
  'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B',
  'deepseek-ai-DeepSeek-V3.1',
  'moonshotai-Kimi-K2',
  'GLM-4.6',
  'MiniMax-M2',
  'ByteDance-Seed-OSS',
  'microsoft-Phi-3.5-mini-instruct',
  'ibm-granite-granite-4.0',
  'CohereForAI-c4ai-command-r7b-12-2024-tool_use',
  'HuggingFaceTB-SmolLM3-3B',
  'NVIDIA-Nemotron-Nano-v2',
];

if (isLlamaSupported) {
  describe('a real llama-server', () => {
    for (const template of templates) {
      it(`accepts every tool, and a conversation with parallel calls, with the template ${template}`, async () => {
        await using server = await LlamaServer.start(template);
        const { source, seen } = watched(server);
        const [model = assert.fail()] = await source.list();
        for (const messages of [inLoop, history]) {
          await ask(model, messages, tools);
          assert.equal(seen.statuses.at(-1), 200, seen.refusal);
        }
        // Templates that take one call in a message refuse the first request, and no other.
        assert.ok(seen.statuses.length <= 3, String(seen.statuses));
      });
    }

    it('is not asked with parallel calls at all where its model is known to take one', async () => {
      await using server = await LlamaServer.start(
        'meta-llama-Llama-3.3-70B-Instruct',
        'Llama-3.3-70B-Instruct-Q4_K_M.gguf',
      );
      const { source, seen } = watched(server);
      const [model = assert.fail()] = await source.list();
      await ask(model, history, tools);
      assert.deepEqual(seen.statuses, [200]);
    });

    it('is known to have a model without tools, by its name, or by what its template refuses', async () => {
      await using named = await LlamaServer.start('google-gemma-2-2b-it', 'gemma-2-2b-it-Q8_0');
      assert.deepEqual((await watched(named).source.list())[0]?.capabilities, []);
      await using server = await LlamaServer.start('google-gemma-2-2b-it');
      const { source, seen } = watched(server);
      const [model = assert.fail()] = await source.list();
      assert.equal((await ask(model, history, tools)).error?.code, 'no-tools');
      // As an answer goes on then: without tools, and with what they said as text.
      const [question = assert.fail()] = history;
      const asText = { role: 'assistant', content: '[Called the tool read_file …]' } as const;
      await ask(model, [question, asText, { role: 'user', content: 'And now?' }], []);
      assert.deepEqual(seen.statuses, [400, 200]);
    });

    it('writes no further once an answer is stopped', async () => {
      await using server = await LlamaServer.start('Qwen-Qwen2.5-7B-Instruct');
      const { source } = watched(server, 100_000);
      const [model = assert.fail()] = await source.list();
      const stop = new AbortController();
      const answer = ask(model, history.slice(0, 1), [], stop.signal);
      await until(() => server.isBusy(), 'the answer to begin');
      stop.abort();
      assert.equal((await answer).status, 'interrupted');
      await until(async () => !(await server.isBusy()), 'the slot to be free');
    });
  });
}
