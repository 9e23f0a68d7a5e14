import assert from 'node:assert/strict';
import { z } from 'zod';
import { DemoModelSource } from '../../../src/models/demo/demoModel.ts';
import { describeModelError } from '../../../src/models/errors/describeModelError.ts';
import type { Run } from '../../../src/agent/run/run.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { answer, refuse } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld, type World } from '../../worlds/agentWorld.ts';

async function warmAnswer(world: World): Promise<Run> {
  const run = await world.runs.start({
    chatId: CHAT,
    branch: await world.startChat(),
    question: 'q',
    model: await world.model(),
    temperature: 0.3,
  });
  await run.done;
  return run;
}

describe('an answer asked for with a temperature', () => {
  it('sends it to the model, and says so in its metadata', async () => {
    await using world = await newWorld({ script: [answer('warm')] });
    await warmAnswer(world);
    assert.equal(world.server.requests[0]?.body['temperature'], 0.3);
    assert.equal((await world.lastMetadata()).temperature, 0.3);
  });

  it('says in plain words that the model refuses one', async () => {
    const replies =
      "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.";
    await using world = await newWorld({ script: [refuse(400, { message: replies })] });
    const run = await warmAnswer(world);
    assert.equal(run.error?.code, 'no-temperature');
    assert.match(run.error.message, /doesn’t support temperature\. Regenerate without one/);
  });

  it('tells apart a temperature out of range from a model that takes none', async () => {
    await using world = await newWorld({
      script: [refuse(400, { message: 'temperature: range: 0..1' })],
    });
    const run = await world.ask('q', await world.startChat());
    await run.done;
    assert.equal(run.error?.code, 'temperature');
    assert.match(describeModelError(run.error, 'X').message, /./u);
  });

  it('says that a model answered without heeding it, and does not claim it', async () => {
    await using world = await newWorld();
    const [model] = await new DemoModelSource({ pace: () => 0 }).list();
    assert.ok(model);
    const branch = await world.startChat();
    const run = await world.runs.start({ chatId: CHAT, branch, question: 'q', model, temperature: 1 });
    await run.done;
    const { temperature, notice, status } = await world.lastMetadata();
    assert.deepEqual([temperature, notice?.code, status], [undefined, 'no-temperature', 'complete']);
  });
});

describe('answers to one question at once', () => {
  it('are offered only the tools that change nothing', async () => {
    const tool = (name: string, readsOnly: boolean) =>
      defineTool({
        name,
        description: name,
        input: z.object({}),
        readsOnly,
        run: () => ({ text: 'done' }),
      });
    await using world = await newWorld({
      script: [answer('one'), answer('two')],
      tools: () => [tool('look', true), tool('change', false)],
    });
    const on = { chatId: CHAT, branch: await world.startChat(), model: await world.model() };
    const names = (index: number): (string | undefined)[] =>
      (world.server.requests[index]?.body.tools ?? []).map((each) => each.function.name);
    await (
      await world.runs.start({ ...on, question: 'q', onlyReads: true })
    ).done;
    await (
      await world.runs.start({ ...on, question: 'q' })
    ).done;
    assert.deepEqual([names(0), names(1)], [['look'], ['look', 'change']]);
  });
});
