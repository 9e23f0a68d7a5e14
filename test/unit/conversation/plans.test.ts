import assert from 'node:assert/strict';
import { readPlan } from '../../../src/agent/plans/plan.ts';
import { PLAN } from '../../../src/agent/plans/planFacts.ts';
import { readTodos, TODOS } from '../../../src/agent/plans/todoList.ts';
import type { ChatMode } from '../../../src/agent/run/chatMode.ts';
import { todoTools } from '../../../src/agent/tools/todoTool.ts';
import type { Script } from '../../fixtures/openaiServer.ts';
import { answer, hang, pause, say, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { until } from '../../fixtures/until.ts';
import { noFiles } from '../../fixtures/noFiles.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { ConversationWorld } from '../../worlds/conversationWorld.ts';
import { request } from '../../worlds/toolCalls.ts';

const planned = 'So:\n\n- [ ] Look\n  - [ ] Read `a.ts`\n- [ ] Change it\n';
const report = (...todos: readonly (readonly [title: string, status: string])[]) =>
  useTools(['write_todos', { todos: todos.map(([title, status]) => ({ title, status })) }]);

class PlanWorld {
  mode: ChatMode = 'plan';
  world: ConversationWorld;

  private constructor(world: ConversationWorld) {
    this.world = world;
  }

  static async make(script: Script): Promise<PlanWorld> {
    let mode: () => ChatMode = () => 'plan';
    const made = new PlanWorld(
      await ConversationWorld.make(script, { tools: () => todoTools, mode: () => mode() }),
    );
    mode = () => made.mode;
    return made;
  }

  get on(): Promise<{ readonly chatId: string; readonly branchId: string }> {
    return this.branch('main').then(({ id }) => ({ chatId: CHAT, branchId: id }));
  }

  branch(name: string) {
    return this.world.branch(name);
  }

  async plan(branch = 'main'): Promise<string | undefined> {
    const engine = this.world.world.engine(branch);
    try {
      return await readPlan(engine);
    } finally {
      await engine.close();
    }
  }

  async todos(branch = 'main'): Promise<string[]> {
    const engine = this.world.world.engine(branch);
    try {
      const todos = readTodos(await engine.state.get(TODOS));
      return todos === 'damaged' ? ['damaged'] : todos.map(({ title, status }) => `${title}: ${status}`);
    } finally {
      await engine.close();
    }
  }

  async edit(before: string, after: string): Promise<void> {
    await (
      await this.world.conversations.plans()
    ).edit(await this.on, { before, after }, 'I edited the plan.');
  }

  /** As the command does it. @param stopsAt stops the answer once it has come to this text */
  async implement(stopsAt?: string): Promise<string> {
    const { conversations, store } = this.world;
    const plans = await conversations.plans();
    const active = async () => (await store.getActiveBranch(CHAT)) ?? assert.fail();
    const { messageId, isBegun } = await plans.toImplement(await active(), undefined);
    if (!isBegun) await conversations.rewind(messageId);
    this.mode = 'agent';
    const run = await conversations.ask('Implement it.', await plans.partsFor(await active()));
    if (stopsAt !== undefined) {
      await this.world.world.arrived(run, stopsAt);
      await conversations.stop();
    }
    await run.done;
    return (await active()).name;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

const sentText = (request_: ReturnType<typeof request>): string => JSON.stringify(request_.body.messages);

describe('the plan of a branch', () => {
  it('is what an answer in plan mode ends with; what has no step leaves the one before', async () => {
    await using world = await PlanWorld.make([
      answer(planned),
      answer('Which file?'),
      answer('1. Only this.'),
    ]);
    await world.world.answered('Plan');
    assert.equal(await world.plan(), `${planned.trim()}\n`);
    await world.world.answered('And?');
    assert.equal(await world.plan(), `${planned.trim()}\n`);
    await world.world.answered('Shorter');
    assert.equal(await world.plan(), '1. [ ] Only this.\n');
    world.mode = 'agent';
    assert.deepEqual(await world.todos(), [], 'nothing of it is being implemented');
  });

  it('ticks itself as its steps are reported, and refuses what is no step with all that are', async () => {
    await using world = await PlanWorld.make([
      answer(planned),
      report(['Look', 'in_progress'], ['Read a.ts', 'done'], ['Change it', 'pending']),
      report(['Deploy', 'done']),
      report(['Change it', 'in_progress']),
      report(['Change it', 'done']),
      report(['Something else', 'pending']),
      answer('Done.'),
    ]);
    await world.world.answered('Plan');
    assert.equal(await world.implement(), 'main-v2');
    assert.equal(await world.plan('main-v2'), planned.replaceAll('[ ]', '[x]'));
    assert.equal(await world.plan('main'), planned, 'the branch that was left has its own');
    const results = toolResultsOf(request(world.world.world.server, 7)).map(({ result }) => result);
    assert.deepEqual([results[0], results[2], results[3]], ['2 of 3 done.', '2 of 3 done.', '3 of 3 done.']);
    assert.match(results[1] ?? '', /it has no step “Deploy”.*\n- Look \(done\)\n- Read a\.ts \(done\)\n/u);
    assert.equal(results[4], '0 of 1 done.', 'once all is done, a list is about something else');
    assert.match(sentText(request(world.world.world.server, 2)), /the plan to implement, plan\.md/u);
  });

  it('goes on where it stopped, with what the user ticked, and a rewind brings the earlier one back', async () => {
    await using world = await PlanWorld.make([
      answer(planned),
      report(['Read a.ts', 'done']),
      [say('Well'), hang()],
      answer('Done.'),
    ]);
    await world.world.answered('Plan');
    const planId = await world.world.idAt(1);
    await world.implement('Well');
    const half = '- [x] Look\n  - [x] Read `a.ts`\n- [ ] Change it\n';
    assert.ok((await world.plan('main-v2'))?.endsWith(half), 'as far as it came');
    assert.deepEqual(await world.todos('main-v2'), ['Look: done', 'Read a.ts: done', 'Change it: pending']);
    const { conversations } = world.world;
    await conversations.editTodos({ kind: 'mark', index: 2, title: 'Change it', status: 'done' });
    assert.equal(await world.plan('main-v2'), planned.replaceAll('[ ]', '[x]'));
    await conversations.history(noFiles).take('undo');
    assert.ok((await world.plan('main-v2'))?.endsWith(half));
    assert.deepEqual(await world.todos('main-v2'), ['Look: done', 'Read a.ts: done', 'Change it: pending']);
    assert.equal(await world.implement(), 'main-v2', 'the rest is done on the same branch');
    await conversations.rewind(planId);
    const active = (await world.world.store.getActiveBranch(CHAT)) ?? assert.fail();
    assert.equal(await world.plan(active.name), planned);
    assert.deepEqual(await world.todos(active.name), []);
  });

  it('is edited as a version of the branch, and the next question tells of it once', async () => {
    await using world = await PlanWorld.make([
      answer(planned),
      answer('I see.'),
      answer('Yes.'),
      answer('Done.'),
    ]);
    await world.world.answered('Plan');
    const mine = `${planned}- [ ] Say so in the notes\n`;
    await world.edit(planned, mine);
    assert.equal(await world.plan(), mine);
    await world.world.answered('Good?');
    await world.world.answered('Sure?');
    const { server } = world.world.world;
    const notices = (number: number) =>
      sentText(request(server, number)).split('as they have edited it').length - 1;
    assert.deepEqual([notices(1), notices(2), notices(3)], [0, 1, 1]);
    assert.match(sentText(request(server, 2)), /Say so in the notes/u);
    // A branch for it begins with the edit, and without what was said after it.
    assert.equal(await world.implement(), 'main-v2');
    assert.equal(await world.plan('main-v2'), mine);
    assert.doesNotMatch(sentText(request(server, 4)), /Good\?/u);
    assert.equal((await world.todos('main-v2')).length, 4);
  });

  it('takes up what is edited while it is implemented, and keeps what was ticked by then', async () => {
    await using world = await PlanWorld.make([
      answer(planned),
      report(['Read a.ts', 'done']),
      [pause('ticked'), ...report(['Change it', 'in_progress'])],
      report(['Mine', 'done']),
      answer('Done.'),
    ]);
    await world.world.answered('Plan');
    const { conversations, store } = world.world;
    const plans = await conversations.plans();
    await conversations.rewind(await world.world.idAt(1));
    world.mode = 'agent';
    const branch = (await store.getActiveBranch(CHAT)) ?? assert.fail();
    const run = await conversations.ask('Implement it.', await plans.partsFor(branch));
    await world.world.world.server.pauseReached('ticked');
    const on = { chatId: CHAT, branchId: branch.id };
    const mine = planned.replace('- [ ] Change it', '- [x] Change it\n- [ ] Mine');
    await plans.edit(on, { before: planned, after: mine }, 'I edited the plan.');
    const merged = mine.replace('- [ ] Look', '- [x] Look').replace('- [ ] Read', '- [x] Read');
    assert.equal(await plans.read(on), merged, 'it is shown as it was saved');
    world.world.world.server.release('ticked');
    await run.done;
    assert.equal(await world.plan(branch.name), mine.replaceAll('[ ]', '[x]'));
    assert.match(
      sentText(request(world.world.world.server, 4)),
      /I edited the plan\..*as they have edited it/u,
    );
    assert.deepEqual(await world.world.parts.queue.list(CHAT, branch.id), []);
  });

  it('has what was edited during an answer that was stopped', async () => {
    await using world = await PlanWorld.make([answer(planned), [say('Well'), hang()], answer('Yes.')]);
    await world.world.answered('Plan');
    const { conversations, store } = world.world;
    world.mode = 'agent';
    const run = await conversations.ask('Go');
    await world.world.world.arrived(run, 'Well');
    const mine = `${planned}- [ ] Mine\n`;
    await world.edit(planned, mine);
    await conversations.stop();
    await until(async () => (await world.plan()) === mine, 'the edit on the branch');
    assert.equal((await store.getActiveBranch(CHAT))?.name, 'main');
    await world.world.answered('Seen?');
    assert.match(sentText(request(world.world.world.server, 3)), /Mine/u);
  });

  it('is one of its artifacts', async () => {
    await using world = await PlanWorld.make([answer(planned)]);
    await world.world.answered('Plan');
    const head = (await world.branch('main')).headMessageId ?? assert.fail();
    const path = await world.world.store.getPath(CHAT, head);
    assert.deepEqual(
      path.flatMap(
        ({ effects }) => effects?.artifacts?.map(({ name, mediaType }) => [name, mediaType]) ?? [],
      ),
      [[PLAN, 'text/markdown']],
    );
  });
});
