import assert from 'node:assert/strict';
import { z } from 'zod';
import { defineTool } from '../../../src/agent/tools/tool.ts';
import type { MessageView } from '../../../src/protocol/views.ts';
import { answer, cut, hang, pause, refuse, say, useTools, type Reply } from '../../fixtures/openaiServer.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';
import { CHAT, FragileStore, ManualScheduler } from '../../worlds/agentWorld.ts';
import { crash, restarted } from '../../worlds/crash.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

/** Changes something. */
const noting = defineTool({
  name: 'noted',
  description: 'Notes something.',
  input: z.object({}),
  run: (_input, { state }) => {
    state.set('noted', true);
    return { text: 'ok' };
  },
});

/** What the page gets of a branch that nobody answers on. */
async function shown(world: ConversationWorld): Promise<MessageView[]> {
  const { messageView } = await withVsCodeStub(() => import('../../../src/extension/pages/messageView.ts'));
  const { withContinue } = await import('../../../src/extension/chat/continueActions.ts');
  const path = await world.conversations.path();
  return withContinue(path.flatMap((message) => messageView(message, []) ?? []));
}

describe('Continue', () => {
  it('is offered on a step that was rewound to, and nowhere where the answer has come to its end', async () => {
    await using world = await ConversationWorld.make(
      [useTools(['noted', {}]), answer('Whole.'), answer('Again.')],
      { tools: () => [noting] },
    );
    await world.answered('one');
    assert.equal((await shown(world)).at(-1)?.canContinue, undefined);
    const moved = await world.conversations.rewind(await world.idAt(1));
    assert.equal((await shown(world)).at(-1)?.canContinue, true);
    await (
      await world.conversations.continueAnswer(moved.to.name)
    ).done;
    assert.equal((await shown(world)).at(-1)?.canContinue, undefined);
    assert.deepEqual(await world.world.texts(moved.to.name), ['one', '', 'Again.']);
  });

  const stop = (world: ConversationWorld): Promise<void> => world.conversations.stop();
  const broken: readonly (readonly [
    how: string,
    reply: Reply,
    words: string,
    end: (world: ConversationWorld) => unknown,
  ])[] = [
    ['was stopped', [say('Half'), hang()], 'Half', stop],
    ['was stopped before its first word', [hang()], '', stop],
    ['failed in the middle', [say('Half'), pause(), cut()], 'Half', ({ world }) => world.server.release()],
  ];
  for (const [how, reply, words, end] of broken) {
    it(`is offered on an answer that ${how}, and goes on on its branch`, async () => {
      await using world = await ConversationWorld.make([reply, answer('Whole.')], { maxRetries: 0 });
      const run = await world.conversations.ask('one');
      await world.world.server.requestReceived();
      if (words !== '') await world.world.arrived(run, words);
      await end(world);
      await run.done;
      assert.equal((await shown(world)).at(-1)?.canContinue, true);
      await (
        await world.conversations.continueAnswer('main')
      ).done;
      assert.equal((await world.world.texts()).at(-1), 'Whole.');
      assert.equal((await shown(world)).at(-1)?.canContinue, undefined);
      assert.deepEqual(await world.branches(), ['main*']);
    });
  }

  it('is offered on an answer whose steps are kept when a later request is refused', async () => {
    const steps: Reply[] = [useTools(['read_nothing']), refuse(400, { message: 'No.' })];
    await using world = await ConversationWorld.make(steps, { maxRetries: 0 });
    await world.answered('one');
    assert.equal((await shown(world)).at(-1)?.canContinue, true);
  });

  it('is offered on an answer that the end of the program cut off', async () => {
    const store = new FragileStore();
    const scheduler = new ManualScheduler();
    const world = await ConversationWorld.make([[say('Half'), hang()]], { store, scheduler });
    const run = await world.conversations.ask('one');
    await world.world.arrived(run, 'Half');
    await crash(world.world, store, scheduler);
    await world.world.server.close();
    await restarted(store).recover();
    assert.equal((await store.listBranches(CHAT)).length, 1);
    assert.equal((await shown(world)).at(-1)?.canContinue, true);
    await store.close();
  });
});
