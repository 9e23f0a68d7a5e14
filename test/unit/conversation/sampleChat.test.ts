import assert from 'node:assert/strict';
import { answerMetadataOf } from '../../../src/agent/run/answerMetadata.ts';
import { activeCheckpoints } from '../../../src/agent/checkpoints/agentCheckpoint.ts';
import { branchSummaryOf } from '../../../src/engine/branchSummary.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { readUIMessage, textOf, type UIMessage } from '../../../src/engine/uiMessage.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { findSampleChat, makeSampleChat } from '../../../src/conversation/sampleChat.ts';
import { sampleTexts } from '../../../src/conversation/sampleTexts.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const USER = 'ann';
const texts = sampleTexts((english) => english);

describe('the sample chat', () => {
  let store: SqlContextStore;
  let chatId: string;

  beforeEach(async () => {
    store = memoryStore();
    chatId = await makeSampleChat(store, USER, texts);
  });
  afterEach(() => store.close());

  const on = async <T>(branch: string, read: (engine: ContextEngine) => Promise<T>): Promise<T> => {
    const engine = new ContextEngine({ store, chatId, userId: USER, branch });
    try {
      return await read(engine);
    } finally {
      await engine.close();
    }
  };
  const pathOf = async (branch: string): Promise<UIMessage[]> => {
    const head = (await store.getBranch(chatId, branch))?.headMessageId;
    const path = typeof head === 'string' ? await store.getPath(chatId, head) : [];
    return path.flatMap(({ data }) => readUIMessage(data) ?? []);
  };

  it('has two ways from one checkpoint, a side question and an exploration, and begins on main', async () => {
    const branches = await store.listBranches(chatId);
    assert.deepEqual(
      branches.map(({ name, isActive, messageCount }) => [name, isActive, messageCount]),
      [
        ['main', true, 6],
        ['main-v2', false, 8],
        ['main-v3', false, 8],
        ['main-v4', false, 8],
      ],
    );
    const [checkpoint, ...others] = await store.listCheckpoints(chatId);
    assert.equal(others.length, 0);
    const main = await pathOf('main');
    const terminal = await pathOf('main-v3');
    assert.equal(checkpoint?.messageId, main[1]?.id);
    assert.deepEqual(
      terminal.slice(0, 2).map(({ id }) => id),
      main.slice(0, 2).map(({ id }) => id),
    );
    assert.equal(textOf((await pathOf('main-v2'))[6] ?? assert.fail()), texts.asideQuestion);
    const kinds = (await store.listEvents(chatId)).map(({ kind }) => kind);
    for (const kind of ['btw', 'restored', 'rewind-report'] as const) assert.ok(kinds.includes(kind), kind);
  });

  it('leads from the exploration back to the checkpoint with its report, which ends it', async () => {
    const reported = await pathOf('main-v4');
    const summary = branchSummaryOf(reported.at(-2) ?? assert.fail());
    assert.equal(summary?.report, texts.report);
    const explored = await store.getBranch(chatId, 'main-v3');
    assert.equal(summary.abandonedHead, explored?.headMessageId);
    assert.deepEqual(activeCheckpoints(reported), []);
  });

  it('has a state and an artifact that differ from way to way', async () => {
    const of = (branch: string) =>
      on(branch, async ({ state, artifacts }) => ({
        runsAs: await state.get('runs as'),
        project: await state.get('project'),
        plan: new TextDecoder().decode((await artifacts.load('plan.md'))?.data),
      }));
    const [web, terminal] = [await of('main'), await of('main-v4')];
    assert.deepEqual([web.runsAs, terminal.runsAs], ['web page', 'command line']);
    assert.deepEqual([web.project, terminal.project], ['habit tracker', 'habit tracker']);
    assert.ok(web.plan.includes(texts.yearAnswer) && !terminal.plan.includes(texts.yearAnswer));
    assert.ok(terminal.plan.includes(texts.terminalReason));
  });

  it('labels every answer as a demo', async () => {
    for (const { name } of await store.listBranches(chatId)) {
      const answers = (await pathOf(name)).filter(({ role }) => role === 'assistant');
      assert.ok(answers.every((answer) => answerMetadataOf(answer)?.isDemo === true));
    }
  });

  it('is found again, for its owner, until it is deleted', async () => {
    await store.createChat({ id: 'other', userId: USER });
    assert.equal(await findSampleChat(store, USER), chatId);
    assert.equal(await findSampleChat(store, 'ben'), undefined);
    await store.deleteChat(chatId);
    assert.equal(await findSampleChat(store, USER), undefined);
  });

  it('leaves nothing half-made visible when it cannot be made', async () => {
    const failing = memoryStore();
    failing.setCheckpoint = () => Promise.reject(new Error('The disk is full.'));
    await assert.rejects(makeSampleChat(failing, USER, texts), /disk is full/);
    assert.deepEqual(await failing.listChats({ userId: USER }), []);
    await failing.close();
  });
});
