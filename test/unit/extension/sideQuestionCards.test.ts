import assert from 'node:assert/strict';
import type { SideQuestionView } from '../../../src/protocol/chatFromHost.ts';
import type { Runs } from '../../../src/agent/run/runs.ts';
import { Approvals } from '../../../src/agent/tools/approvals.ts';
import { answer, hang, refuse, say } from '../../fixtures/openaiServer.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';

const allowances = {
  has: () => false,
  list: () => [],
  add: () => Promise.resolve(),
  clear: () => Promise.resolve(),
};

/** The cards next to the conversation, as the page gets them. */
async function cards(
  world: ConversationWorld,
  runs: Pick<Runs, 'get' | 'failed'> = world.world.runs,
): Promise<SideQuestionView[]> {
  const { SideQuestions } = await withVsCodeStub(
    () => import('../../../src/extension/chat/sideQuestions.ts'),
  );
  const { DismissedSideQuestions } = await import('../../../src/extension/chat/dismissedSideQuestions.ts');
  const memory = { get: () => undefined, keys: () => [], update: () => Promise.resolve() };
  const sideQuestions = new SideQuestions(
    world.store,
    runs,
    new DismissedSideQuestions(memory),
    new Approvals(allowances),
  );
  const path = await world.conversations.path();
  const shown = new Set(path.map(({ id }) => id));
  const read = await sideQuestions.read(CHAT, await world.store.listBranches(CHAT), shown);
  sideQuestions.dispose();
  return read;
}

const textOf = ({ parts }: { parts: readonly { type: string; text?: string }[] }): string =>
  parts.map(({ text = '' }) => text).join('');

describe('the card of a side question, as the page gets it', () => {
  it('holds the question, what followed it, and the last answer', async () => {
    await using world = await ConversationWorld.make(['1', '2', '3'].map(answer));
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('two');
    await side.done;
    await (
      await world.conversations.askSideQuestion('three', [], side.branch)
    ).done;
    const [card] = await cards(world);
    assert.equal(card?.question, 'two');
    assert.equal(card.branchId, (await world.branch(side.branch)).id);
    assert.deepEqual(card.earlier?.map(textOf), ['2', 'three']);
    assert.equal(card.answer && textOf(card.answer), '3');
    assert.deepEqual([card.answer?.canContinue, card.canAnswer], [undefined, undefined]);
  });

  it('holds an answer once that is saved while its run is still there', async () => {
    await using world = await ConversationWorld.make(['1', '2'].map(answer));
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('two');
    await side.done;
    const [card] = await cards(world, { get: () => side, failed: () => undefined });
    assert.equal(card?.earlier, undefined);
    assert.equal(card?.answer && textOf(card.answer), '2');
  });

  it('offers a way on where an answer broke off, or failed without a word', async () => {
    const script = [answer('1'), [say('Half'), hang()], refuse(400, { message: 'No.' })];
    await using world = await ConversationWorld.make(script, { maxRetries: 0 });
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('two');
    await world.world.arrived(side, 'Half');
    assert.equal((await cards(world))[0]?.answer?.status, 'streaming');
    await world.conversations.stop(side.branch);
    assert.equal((await cards(world))[0]?.answer?.canContinue, true);
    await (
      await world.conversations.askSideQuestion('three', [], side.branch)
    ).done;
    const [card] = await cards(world);
    assert.deepEqual([card?.answer?.isUnsaved, card?.answer?.status], [true, 'failed']);
    assert.deepEqual(card?.earlier?.map(textOf), ['Half', 'three']);
  });
});

describe('the versions of a question', () => {
  it('do not count what was asked by the way next to it', async () => {
    await using world = await ConversationWorld.make(['1', '2', '3', '4'].map(answer));
    const { readVersions } = await withVsCodeStub(() => import('../../../src/extension/chat/pathForks.ts'));
    await world.answered('one');
    const side = await world.conversations.askSideQuestion('by the way');
    await side.done;
    await world.answered('two');
    const versions = async () => readVersions(world.store, CHAT, await world.conversations.path());
    assert.deepEqual([...(await versions())], []);
    const [, , two] = await world.conversations.path();
    const { to } = await world.conversations.edit(two?.id ?? '', 'two, again');
    await world.world.runs.get(CHAT, to.name)?.done;
    assert.deepEqual(
      [...(await versions()).values()].map(({ number, count }) => [number, count]),
      [[2, 2]],
    );
  });
});
