import assert from 'node:assert/strict';
import { toolsFor } from '../../../src/agent/context/toolsFor.ts';
import { cycleTools } from '../../../src/agent/checkpoints/cycleTools.ts';
import { notesTools } from '../../../src/agent/tools/notesTools.ts';
import { defineForeignTool, type AgentTool } from '../../../src/agent/tools/tool.ts';
import { formatInEnglish } from '../../../src/engine/messageDescriptor.ts';
import { cloudProviders, hostedProviders, targetOf } from '../../../src/models/modelProviders.ts';
import type { HostedProvider } from '../../../src/models/providerFacts.ts';

const foreign = (name: string, jsonSchema: object = { type: 'object', properties: {} }): AgentTool =>
  defineForeignTool({ name, description: 'Does it', jsonSchema, run: () => Promise.resolve({ text: '' }) });

const needs = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

describe('the tools that are included in a request to a model', () => {
  const shown = (tools: readonly AgentTool[], id: string): readonly [string[], string[]] => {
    const { offered, leftOut } = toolsFor(tools, targetOf({ id }));
    return [
      offered.map(({ name }) => name),
      leftOut.map(({ name, reason }) => `${name}: ${formatInEnglish(reason)}`),
    ];
  };

  it('are without those it would refuse, each with a word of why', () => {
    const tools = [
      foreign('look_up'),
      foreign('a list', needs('x')),
      foreign('list', { type: 'array', items: { type: 'string' } }),
      foreign('umlauts', needs('größe')),
      foreign('look_up'),
    ];
    assert.deepEqual(shown(tools, 'anthropic:claude-opus-5-5'), [
      ['look_up'],
      [
        'a list: This model doesn’t take this name.',
        'list: Its input isn’t an object.',
        'umlauts: It needs an input named “größe”, which models don’t take.',
        'look_up: Another tool has this name.',
      ],
    ]);
  });

  it('are no more than it takes: the first ones', () => {
    const tools = Array.from({ length: 130 }, (_, index) => foreign(`tool_${index}`));
    for (const source of ['openai', 'groq', 'vscode']) {
      const [offered, leftOut] = shown(tools, `${source}:any`);
      assert.deepEqual([offered.length, offered.at(-1)], [128, 'tool_127']);
      assert.deepEqual(leftOut, [
        'tool_128: This model takes at most 128 tools.',
        'tool_129: This model takes at most 128 tools.',
      ]);
    }
    assert.equal(shown(tools, 'anthropic:any')[0].length, 130);
  });

  it('depend on the model', () => {
    const tools = [foreign('3d_print')];
    assert.deepEqual(shown(tools, 'openai:gpt-5.1'), [['3d_print'], []]);
    assert.deepEqual(shown(tools, 'google:gemini-3.8-flash'), [
      [],
      ['3d_print: This model doesn’t take this name.'],
    ]);
  });

  it('have all of Offshoot’s own, whatever the model', () => {
    const own = [...notesTools, ...cycleTools];
    const hosted = [...hostedProviders, ...cloudProviders].map(({ id }) => id);
    for (const source of [...hosted, 'ollama', 'vscode', 'openai-compatible']) {
      const { offered, leftOut } = toolsFor(own, targetOf({ id: `${source}:any` }));
      assert.deepEqual([offered, leftOut], [own, []], source);
    }
  });

  it('are found for the target that is then asked', async () => {
    const fetch = (): Promise<Response> => assert.fail();
    const access = { baseUrl: 'https://model.test/v1', key: 'k', fetch, refused: {} };
    const opened = await Promise.all(hostedProviders.map(({ open }) => open('some-model', access)));
    assert.deepEqual(
      opened.map(({ provider }) => provider.split('.', 1)),
      // Azure has OpenAI's models, and OpenAI's protocol.
      hostedProviders.map(({ id, modelsOf = id }: HostedProvider) => [modelsOf]),
    );
  });
});
