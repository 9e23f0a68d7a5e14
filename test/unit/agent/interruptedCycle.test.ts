import assert from 'node:assert/strict';
import { z } from 'zod';
import { activeCheckpoints } from '../../../src/agent/checkpoints/agentCheckpoint.ts';
import { branchSummaryOf } from '../../../src/engine/branchSummary.ts';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import { MessageNotFoundError } from '../../../src/engine/errors.ts';
import { textOf } from '../../../src/engine/uiMessage.ts';
import type { SavedMessages, SaveMessages } from '../../../src/engine/store.ts';
import { answer, callTool, hang, pause, say, useTools } from '../../fixtures/openaiServer.ts';
import { CHAT, FragileStore, ManualScheduler, newWorld } from '../../worlds/agentWorld.ts';
import { crash, restarted } from '../../worlds/crash.ts';
import { callsIn, request, receivedMessages } from '../../worlds/toolCalls.ts';
import { checkpoint, count, look, rewind, tools } from '../../worlds/cycleSteps.ts';

describe('the cycle of checkpoint and rewind', () => {
  it('is not carried out when the user stops before the step has ended', async () => {
    const gate = Promise.withResolvers<undefined>();
    const waiting = defineTool({
      name: 'waiting',
      description: 'Waits.',
      input: z.object({}),
      run: async () => {
        await gate.promise;
        return { text: 'waited' };
      },
    });
    await using world = await newWorld({
      tools: () => [...tools(), waiting],
      script: [
        checkpoint('g'),
        useTools(['rewind', { report: 'R' }], ['waiting']),
        rewind('later'),
        answer('ok'),
      ],
    });
    const run = await world.ask('?');
    await world.until(() => callsIn([run.message()]).some(({ state }) => state === 'output-available'));
    await world.until(() => callsIn([run.message()])[1]?.callProviderMetadata !== undefined);
    await world.runs.stop(CHAT, 'main');
    gate.resolve(undefined);
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(
      (await world.store.listBranches(CHAT)).map(({ name }) => name),
      ['main'],
    );
    // It is still open: the next turn can end it.
    assert.equal(activeCheckpoints(await world.path()).length, 1);
    await world.answered('and now?');
    assert.equal((await world.store.getActiveBranch(CHAT))?.name, 'main-v2');
  });

  it('begins at the root, and says so, when the message of the checkpoint is gone', async () => {
    class Forgetful extends FragileStore {
      lost: string | undefined;
      override saveMessages(asked: SaveMessages): Promise<SavedMessages> {
        const at = asked.newBranchAt?.messageId;
        return at === undefined || at === null || this.lost === undefined
          ? super.saveMessages(asked)
          : Promise.reject(new MessageNotFoundError(at));
      }
    }
    const store = new Forgetful();
    await using world = await newWorld({
      store,
      tools,
      script: [checkpoint('g'), look('x'), rewind('R'), answer('Anyway.')],
    });
    store.lost = 'all';
    const run = await world.answered('the question');
    assert.equal(run.status, 'complete');
    assert.equal(run.notice?.code, 'checkpoint-missing');
    const path = await world.path('main-v2');
    assert.equal(branchSummaryOf(path[0] ?? assert.fail())?.isFromRoot, true);
    assert.deepEqual(path.map(textOf).slice(1), ['the question', 'Anyway.']);
    assert.equal(callsIn(await world.path('main')).length, 3);
    assert.ok(
      world.log.lines.some((line) => line.startsWith('warn') && line.includes('going on from the root')),
    );
  });

  it('stays with its branch: the one that is open does not change when another was opened in between', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), [pause(), ...rewind('R')], answer('ok')],
    });
    const run = await world.ask('?');
    await world.server.pauseReached();
    const [question] = await world.path();
    await world.engine().rewind(question?.id ?? '');
    world.server.release();
    await run.done;
    assert.equal((await world.store.getActiveBranch(CHAT))?.name, 'main-v2');
    assert.equal(run.branch, 'main-v3');
    assert.deepEqual((await world.texts('main-v3')).at(-1), 'ok');
  });

  it('is found again on its new branch while it goes on, and can be stopped there', async () => {
    await using world = await newWorld({
      tools,
      script: [checkpoint('g'), rewind('R'), [say('On'), hang()]],
    });
    const run = await world.ask('?');
    await world.arrived(run, 'On');
    assert.equal(world.runs.get(CHAT, 'main'), undefined);
    assert.equal(world.runs.get(CHAT, 'main-v2'), run);
    await world.runs.stop(CHAT, 'main-v2');
    assert.equal(run.status, 'interrupted');
    assert.deepEqual((await world.texts('main-v2')).at(-1), 'On');
    assert.equal(world.runs.get(CHAT, 'main-v2'), undefined);
  });

  it('survives a crash anywhere: what the checkpoint left open is open, and the report still ends it', async () => {
    const store = new FragileStore();
    const scheduler = new ManualScheduler();
    const world = await newWorld({
      store,
      scheduler,
      tools,
      script: [
        checkpoint('g'),
        [say('Exploring'), callTool('c', 'echo', '{"te'), hang()],
        rewind('R'),
        answer('ok'),
      ],
    });
    const run = await world.ask('?');
    await world.arrived(run, 'Exploring');
    await crash(world, store, scheduler);
    const again = restarted(store, { tools });
    assert.equal(await again.recover(), 1);
    assert.deepEqual(
      activeCheckpoints(await world.path()).map(({ goal }) => goal),
      ['g'],
    );
    const next = await again.start({
      chatId: CHAT,
      branch: 'main',
      question: 'go on',
      model: await world.model(),
    });
    await next.done;
    assert.equal(next.branch, 'main-v2');
    const lines = receivedMessages(request(world.server, 4));
    assert.deepEqual([count(lines, '>\nR\n<'), count(lines, 'Exploring')], [1, 0]);
    assert.match(lines.at(-1) ?? '', /\n---\n\ngo on$/u);
    again.dispose();
    await world[Symbol.asyncDispose]();
  });
});
