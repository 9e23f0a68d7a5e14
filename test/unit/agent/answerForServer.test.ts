import assert from 'node:assert/strict';
import { answerForServer } from '../../../src/agent/run/answerForServer.ts';
import { ToolError } from '../../../src/agent/tools/toolError.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import {
  answer,
  refuse,
  startOpenAiServer,
  type OpenAiServer,
  type Script,
} from '../../fixtures/openaiServer.ts';

async function modelOf({ baseUrl }: OpenAiServer): Promise<ChatModel> {
  const source = new OpenAiCompatibleSource({
    id: 'openai-compatible',
    settings: () => ({ baseUrl, models: [] }),
    keyFor: () => Promise.resolve(undefined),
  });
  return (await source.find('openai-compatible:m')) ?? assert.fail();
}

const request = {
  instructions: 'Be short.',
  messages: [
    { role: 'user', content: 'Which bird?' },
    { role: 'assistant', content: 'A heron.' },
    { role: 'user', content: 'Sure?' },
  ],
  signal: new AbortController().signal,
  spends: undefined,
} as const;

describe('what an MCP server asks a model', () => {
  const served = async (script: Script) => {
    const server = await startOpenAiServer({ script });
    return { server, model: await modelOf(server), [Symbol.asyncDispose]: () => server.close() };
  };

  it('is sent alone, without tools, and bounded in what may be written', async () => {
    await using world = await served([answer('Yes.')]);
    assert.equal(await answerForServer({ ...request, model: world.model }), 'Yes.');
    const { body } = world.server.requests[0] ?? assert.fail();
    assert.deepEqual(
      body.messages.map(({ role, content }) => [role, content]),
      [
        ['system', 'Be short.'],
        ['user', 'Which bird?'],
        ['assistant', 'A heron.'],
        ['user', 'Sure?'],
      ],
    );
    assert.equal(body.tools, undefined);
    assert.match(JSON.stringify(body), /"max_(?:completion_)?tokens":4000/u);
  });

  it('asks the budget, whose refusal the server is told in words', async () => {
    await using world = await served([]);
    const refused = new ToolError('Stopped by your budget.', 'budget-reached');
    const begun: unknown[] = [];
    const spends = {
      begin: (model: ChatModel) => {
        begun.push(model);
        return {
          guard: () => {
            throw refused;
          },
          end: <T>(outcome: T) => Promise.resolve(outcome),
        };
      },
    };
    await assert.rejects(answerForServer({ ...request, model: world.model, spends }), (error) => {
      assert.ok(error instanceof ToolError);
      return true;
    });
    assert.deepEqual(begun, [world.model]);
    assert.equal(world.server.requests.length, 0);
  });

  it('fails with the reason of the model’s server, once', async () => {
    await using world = await served([refuse(500, { message: 'out of order' })]);
    await assert.rejects(answerForServer({ ...request, model: world.model }), ToolError);
    assert.equal(world.server.requests.length, 1);
  });

  it('is not sent once the call has been stopped', async () => {
    await using world = await served([]);
    const stop = new AbortController();
    const reason = new Error('stopped');
    stop.abort(reason);
    await assert.rejects(answerForServer({ ...request, model: world.model, signal: stop.signal }), reason);
    assert.equal(world.server.requests.length, 0);
  });
});
