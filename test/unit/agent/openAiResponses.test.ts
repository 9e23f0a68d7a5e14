import assert from 'node:assert/strict';
import type { Run } from '../../../src/agent/run/runs.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import { OllamaServer } from '../../fixtures/strict/ollama.ts';
import { OpenAiResponsesServer } from '../../fixtures/strict/openAiResponses.ts';
import {
  call,
  limit,
  pause,
  readList,
  readObject,
  readText,
  reasoning,
  text,
} from '../../fixtures/strict/strictServer.ts';
import { CHAT, newWorld, World } from '../../worlds/agentWorld.ts';
import { echoTool } from '../../worlds/toolCalls.ts';

const tools = { tools: () => [echoTool] };

async function ask(
  world: World,
  server: OpenAiResponsesServer,
  question: string,
  temperature?: number,
): Promise<Run> {
  const run = await world.runs.start({
    chatId: CHAT,
    branch: 'main',
    question,
    model: await server.model(),
    ...(temperature === undefined ? {} : { temperature }),
  });
  await run.done;
  return run;
}

/** What each request has of the conversation, by the kinds of its items. */
function kinds(server: OpenAiResponsesServer, number: number): string[] {
  const { body } = server.requests[number - 1] ?? assert.fail();
  return readList(readObject(body)['input']).map((item) => readText(item['type']) || readText(item['role']));
}

function refusals(server: OpenAiResponsesServer): string[] {
  return server.refused.flatMap(({ faults }) => faults);
}

describe('OpenAI by its Responses API', () => {
  it('answers with what it thought, and keeps nothing on its side', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld();
    server.replies.push([reasoning('They say hello.'), text('Good day')]);
    const run = await ask(world, server, 'Hello?');
    assert.deepEqual([run.error, refusals(server)], [undefined, []]);
    const answer = (await world.path()).at(-1) ?? assert.fail();
    assert.deepEqual(
      answer.parts.map((part) => ('text' in part ? [part.type, part.text] : part.type)),
      [
        ['reasoning', 'They say hello.'],
        ['text', 'Good day'],
      ],
    );
    const body = readObject(server.requests[0]?.body);
    assert.equal(body['store'], false);
    assert.deepEqual(body['include'], ['reasoning.encrypted_content']);
    const { usage } = await world.lastMetadata();
    assert.ok((usage?.outputTokens ?? 0) > 0);
  });

  it('takes five steps with tools, what it thought encrypted and stored', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld(tools);
    for (const step of ['a', 'b', 'c', 'd']) {
      server.replies.push([reasoning(`Now ${step}.`), call('echo', { text: step })]);
    }
    server.replies.push([text('Done.')]);
    const run = await ask(world, server, 'Go');
    assert.deepEqual([run.status, refusals(server)], ['complete', []]);
    assert.equal(server.requests.length, 5);
    const parts = (await world.path()).at(-1)?.parts ?? [];
    const encrypted = parts.flatMap((part) =>
      part.type === 'reasoning' && 'providerMetadata' in part
        ? [part.providerMetadata['openai']?.['reasoningEncryptedContent']]
        : [],
    );
    assert.equal(encrypted.length, 5);
    for (const each of encrypted) assert.ok(typeof each === 'string' && each.startsWith('gAAAAAB'));
  });

  it('gets back what it thought between two calls, and in the next turn', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld(tools);
    server.replies.push(
      [reasoning('First.'), call('echo', { text: 'a' })],
      [call('echo', { text: 'b' })],
      [reasoning('Last.'), text('Done.')],
    );
    await ask(world, server, 'Go');
    await ask(world, server, 'And again');
    assert.deepEqual(refusals(server), []);
    assert.deepEqual(kinds(server, 3).slice(2), [
      ...['reasoning', 'function_call', 'function_call_output'],
      ...['reasoning', 'function_call', 'function_call_output'],
    ]);
    assert.equal(kinds(server, 4).filter((kind) => kind === 'reasoning').length, 3);
  });

  it('goes on after a call with an id that is never sent, and leaves out what it thought before', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld(tools);
    server.replies.push([reasoning('First.'), call('echo', { text: 'a' }, 'an odd id')], [text('Done.')]);
    await ask(world, server, 'Go');
    assert.deepEqual(refusals(server), []);
    assert.deepEqual(kinds(server, 2).slice(2), ['function_call', 'function_call_output']);
  });

  it('goes on in another program with what was stored', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld(tools);
    server.replies.push([reasoning('First.'), call('echo', { text: 'a' })], [text('Done.')]);
    await ask(world, server, 'Go');
    await using again = new World(world.store, world.server, tools);
    server.replies.push([reasoning('Second.'), call('echo', { text: 'b' })], [text('Done.')]);
    await ask(again, server, 'And again');
    assert.deepEqual(refusals(server), []);
    assert.ok(kinds(server, 3).includes('reasoning'));
  });

  it('goes on with what other models answered, and they with what it did', async () => {
    await using openAi = await new OpenAiResponsesServer().listen();
    await using older = await new OpenAiResponsesServer('gpt-4.1').listen();
    await using ollama = await new OllamaServer().listen();
    await using world = await newWorld(tools);
    for (const server of [openAi, ollama, openAi, older, openAi]) {
      server.replies.push(
        [reasoning('Hm.'), text('Let me see.'), call('echo', { text: 'a' }), call('echo', { text: 'b' })],
        [reasoning('So.'), text('Done.')],
      );
      const model = await server.model();
      const run = await world.runs.start({ chatId: CHAT, branch: 'main', question: 'Go', model });
      await run.done;
      assert.deepEqual([run.status, ...server.refused.flatMap(({ faults }) => faults)], ['complete']);
    }
    // What it thought before another model answered still goes back to it.
    assert.equal(kinds(openAi, 6).filter((kind) => kind === 'reasoning').length, 5);
    assert.ok(!kinds(older, 2).includes('reasoning'));
  });

  it('goes on after a stop in the middle of a text, and of what it thought', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld(tools);
    server.replies.push(
      [reasoning('Hm.'), text('Once upon '), pause, text('a time')],
      [reasoning('Half a thou'), pause, text('ght')],
      [text('Yes.')],
    );
    for (const question of ['Tell me', 'Again']) {
      const run = await world.runs.start({
        chatId: CHAT,
        branch: 'main',
        question,
        model: await server.model(),
      });
      await server.pauseReached();
      await world.until(() => textOf(run.message()) !== '' || run.message().parts.length > 0);
      const stopped = world.runs.stop(CHAT, 'main');
      server.release();
      await stopped;
      assert.equal(run.status, 'interrupted');
    }
    const run = await ask(world, server, 'Are you there?');
    assert.deepEqual([run.status, refusals(server)], ['complete', []]);
  });

  it('takes no temperature from a model that thinks, and says so', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld();
    const run = await ask(world, server, 'Hello?', 0.5);
    assert.deepEqual([run.status, refusals(server)], ['complete', []]);
    assert.equal((await world.lastMetadata()).notice?.code, 'no-temperature');
  });

  it('answers without a summary of its thoughts where the organization gets none', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld(tools);
    server.isVerified = false;
    server.replies.push([call('echo', { text: 'a' })], [reasoning('Secret.'), text('Good day')]);
    const run = await ask(world, server, 'Hello?');
    assert.equal(run.status, 'complete');
    assert.deepEqual(await world.texts(), ['Hello?', 'Good day']);
    // It is refused once, not at each step.
    assert.equal(server.requests.length, 3);
  });

  it('asks models that do not think for no thoughts', async () => {
    await using server = await new OpenAiResponsesServer('gpt-4.1').listen();
    await using world = await newWorld(tools);
    server.replies.push([call('echo', { text: 'a' })], [text('Done.')]);
    const run = await ask(world, server, 'Go', 0.5);
    assert.deepEqual([run.status, refusals(server)], ['complete', []]);
    assert.equal(readObject(server.requests[0]?.body)['reasoning'], undefined);
    assert.deepEqual(kinds(server, 2).slice(-2), ['function_call', 'function_call_output']);
  });

  it('says when it reached the most it may write', async () => {
    await using server = await new OpenAiResponsesServer().listen();
    await using world = await newWorld();
    server.replies.push([text('Once'), limit]);
    const run = await ask(world, server, 'Tell me');
    assert.deepEqual([run.status, run.error?.code], ['interrupted', 'output-limit']);
  });
});
