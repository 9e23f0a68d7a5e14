import assert from 'node:assert/strict';
import { z } from 'zod';
import type { ChatMode } from '../../../src/agent/run/chatMode.ts';
import { modeFragments } from '../../../src/agent/instructions/systemPrompt.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld, type World } from '../../worlds/agentWorld.ts';
import { receivedMessages, request } from '../../worlds/toolCalls.ts';

/** What tools have changed. */
const changes: string[] = [];

const tools = (['look', 'change'] as const).map((name) =>
  defineTool({
    name,
    description: name,
    input: z.object({}),
    readsOnly: name === 'look',
    run: () => {
      changes.push(name);
      return { text: 'done' };
    },
  }),
);

const inMode = (mode: () => ChatMode) => ({
  mode,
  tools: () => tools,
  fragments: (about: { readonly mode: ChatMode }) => modeFragments(about.mode),
});

const offered = (world: World, number: number): string[] =>
  (request(world.server, number).body.tools ?? []).map((each) => each.function.name);

describe('the mode of a chat', () => {
  beforeEach(() => changes.splice(0));

  it('lets an agent have all tools, and what plans or only answers those that change nothing', async () => {
    let mode: ChatMode = 'agent';
    await using world = await newWorld({
      ...inMode(() => mode),
      script: [answer('one'), answer('two'), answer('three')],
    });
    const modes: unknown[] = [];
    for (mode of ['agent', 'plan', 'ask'] as const) {
      await world.answered(mode);
      modes.push((await world.lastMetadata()).mode);
    }
    assert.deepEqual(
      [1, 2, 3].map((number) => offered(world, number)),
      [['look', 'change'], ['look'], ['look']],
    );
    assert.deepEqual(modes, [undefined, 'plan', 'ask']);
    const prompts = [1, 2, 3].map((number) => receivedMessages(request(world.server, number))[0]);
    assert.doesNotMatch(prompts[0] ?? assert.fail(), /plan|ask only/);
    assert.match(
      prompts[1] ?? '',
      /end with the plan: Markdown whose steps are list items with open checkboxes/,
    );
    assert.match(prompts[2] ?? '', /ask only/);
  });

  it('carries out no call of a tool that is not offered in it', async () => {
    await using world = await newWorld({
      ...inMode(() => 'plan'),
      script: [useTools(['change', {}], ['look', {}]), answer('1. Change it.')],
    });
    await world.answered('Plan it');
    assert.deepEqual(changes, ['look']);
    assert.match(toolResultsOf(request(world.server, 2))[0]?.result ?? '', /no tool “change”.+are: look\./s);
  });

  it('stays as it was when the answer began', async () => {
    let mode: ChatMode = 'agent';
    await using world = await newWorld({
      ...inMode(() => mode),
      script: [useTools(['look', {}]), useTools(['change', {}]), answer('Changed.')],
    });
    const run = await world.ask('Change it');
    mode = 'ask';
    await run.done;
    assert.deepEqual(changes, ['look', 'change']);
    assert.equal((await world.lastMetadata()).mode, undefined);
  });

  it('asks no side question for a plan', async () => {
    await using world = await newWorld({
      ...inMode(() => 'plan'),
      script: [answer('main'), answer('aside')],
    });
    await world.answered('main');
    const model = await world.model();
    const asked = { chatId: CHAT, branch: 'main', model, question: 'By the way?' };
    const side = await world.runs.start({ ...asked, isSideQuestion: true });
    await side.done;
    assert.equal((await world.lastMetadata()).mode, 'ask');
    assert.deepEqual(offered(world, 2), ['look']);
    assert.doesNotMatch(receivedMessages(request(world.server, 2))[0] ?? assert.fail(), /numbered steps/);
  });
});
