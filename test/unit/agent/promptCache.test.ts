import assert from 'node:assert/strict';
import { figure } from '../../fixtures/figures.ts';
import { AnthropicServer } from '../../fixtures/strict/anthropic.ts';
import { OpenAiResponsesServer } from '../../fixtures/strict/openAiResponses.ts';
import { OpenRouterServer } from '../../fixtures/strict/openRouter.ts';
import { strictServers } from '../../fixtures/strict/strictServers.ts';
import {
  call,
  readObject,
  reasoning,
  text,
  type StrictPiece,
  type StrictRequest,
  type StrictServer,
} from '../../fixtures/strict/strictServer.ts';
import { cycleTools } from '../../../src/agent/checkpoints/cycleTools.ts';
import { CHAT, USER } from '../../worlds/agentWorld.ts';
import { Scene } from '../../worlds/scene.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

/** Where the messages stand in a request of each protocol. */
function messagesOf({ body }: StrictRequest): string[] {
  const { messages, contents, input } = readObject(body);
  const list: unknown = messages ?? contents ?? input;
  assert.ok(Array.isArray(list));
  return list.map((each) => JSON.stringify(each, withoutMarks));
}

/** Everything else: the tools, the system prompt, the settings. */
function frameOf({ body }: StrictRequest): string {
  const { messages: _messages, contents: _contents, input: _input, ...rest } = readObject(body);
  return JSON.stringify(rest, withoutMarks);
}

/** A mark is no part of what is cached. */
function withoutMarks(name: string, value: unknown): unknown {
  if (name === 'cache_control') return undefined;
  // Bedrock's are blocks of their own.
  return Array.isArray(value) ? value.filter((each) => !('cachePoint' in readObject(each))) : value;
}

const page = 'A line of a file that was read, as long as such lines are.\n'.repeat(60);

describe('the cache of prompts', () => {
  for (const create of strictServers) {
    it(`finds each request of ${create().name} to begin with the one before, from step to step and turn to turn`, async () => {
      await using scene = await Scene.open(create);
      scene.tools = [...cycleTools, echoTool];
      for (const turn of ['one', 'two', 'three']) {
        await scene.talk(
          turn,
          [reasoning('First.'), text('Look:'), call('echo', { text: turn }), call('echo', { text: 'b' })],
          [reasoning('Then.'), call('echo', { text: 'c' })],
          [reasoning('So.'), text(`Done with ${turn}.`)],
        );
      }
      await scene.accepted();
      const { requests } = scene.server;
      assert.equal(requests.length, 9);
      for (const [at, request] of requests.slice(1).entries()) {
        const before = requests[at] ?? assert.fail();
        const sent = messagesOf(before);
        assert.deepEqual(messagesOf(request).slice(0, sent.length), sent, `request ${at + 2}`);
        assert.equal(frameOf(request), frameOf(before));
      }
    });
  }

  const counting: readonly (readonly [string, () => StrictServer, boolean])[] = [
    ['Claude', () => new AnthropicServer(), true],
    ['Claude through OpenRouter', () => new OpenRouterServer('claude'), true],
    ['OpenAI', () => new OpenAiResponsesServer(), false],
  ];
  for (const [name, create, hasMarks] of counting) {
    it(`is read for at least 85 % of the input of a loop of 20 steps on ${name}`, async () => {
      await using scene = await Scene.open(create);
      const { server } = scene;
      const steps = Array.from({ length: 19 }, (_none, step): StrictPiece[] => [
        reasoning(`Step ${step}.`),
        // More blocks in one step than a mark is looked for behind the next.
        ...Array.from({ length: step === 9 ? 14 : 1 }, (_no, number) =>
          call('echo', { text: `${page} ${step} ${number}` }),
        ),
      ]);
      await scene.talk('Go', ...steps, [text('Done.')]);
      await scene.accepted();
      assert.equal(server.usages.length, 20);
      const input = server.usages.reduce((sum, usage) => sum + usage.input, 0);
      const read = server.usages.reduce((sum, usage) => sum + usage.cacheRead, 0);
      const share = `${((read / input) * 100).toFixed(1)} % of ${input} tokens were read from the cache`;
      figure(`a loop of 20 steps on ${name}`, share);
      assert.ok(read / input >= 0.85, share);
      const { usage } = await scene.world.lastMetadata();
      assert.equal(usage?.cachedTokens, read);
      if (!hasMarks) return;
      // Each step after the first reads all that was marked before.
      for (const [at, usage] of server.usages.slice(2).entries()) {
        const before = server.usages[at + 1] ?? assert.fail();
        assert.ok(usage.cacheRead >= before.cacheRead + before.cacheWrite, `step ${at + 3}`);
      }
    });
  }

  it('is chosen at OpenAI by a key that every request of a chat has', async () => {
    await using scene = await Scene.open(() => new OpenAiResponsesServer());
    await scene.talk('Go', [call('echo', { text: 'a' })], [text('Done.')]);
    await scene.talk('And?', [text('That is all.')]);
    const keys = scene.server.requests.map(({ body }) => readObject(body)['prompt_cache_key']);
    assert.deepEqual(keys, [CHAT, CHAT, CHAT]);
  });

  for (const create of [() => new OpenAiResponsesServer(), () => new OpenRouterServer('gpt')]) {
    it(`has a key that ${create().name} takes, whatever the chat is called`, async () => {
      await using scene = await Scene.open(create);
      const chatId = 'a chat that a program made, called as it likes '.repeat(3);
      await scene.world.store.upsertChat({ id: chatId, userId: USER });
      const run = await scene.ask('Go', { chatId });
      await run.done;
      assert.equal(run.status, 'complete');
      assert.deepEqual(scene.refusals(), []);
    });
  }
});
