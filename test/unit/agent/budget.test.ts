import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { BeyondCap, type SpentFor } from '../../../src/agent/budget/spends.ts';
import type { Budget } from '../../../src/agent/budget/budget.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { answer, finish, pause, refuse, say, usage, useTools } from '../../fixtures/openaiServer.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { CHAT, MemoryLog } from '../../worlds/agentWorld.ts';
import { budgetOf, budgetWorld, instantly, MemoryFolder, PRICE } from '../../worlds/budgetWorld.ts';
import { explore, playing, stepOf, task, tasksNow, tools } from '../../worlds/exploreWorld.ts';

const { signal } = new AbortController();

const model = (given: Partial<ChatModel> = {}): ChatModel => ({
  id: 'openai-compatible:m',
  label: 'M',
  isDemo: false,
  open: () => assert.fail(),
  price: PRICE,
  ...given,
});

/** At most $0.01 and a little for input. */
const thousand: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  maxOutputTokens: 1_000,
};

const message: SpentFor = { chatId: CHAT, branchId: 'b', messageId: 'q' };

/** Takes all that it could. */
async function spend(budget: Budget, on: SpentFor = message, by = model()): Promise<void> {
  const held = await budget.reserve(on, by, thousand, signal);
  assert.ok(held);
  await budget.settle(held, undefined);
}

const refused = (budget: Budget, on: SpentFor = message, by = model()): Promise<unknown> =>
  budget.reserve(on, by, thousand, signal).then(
    () => assert.fail('it was let through'),
    (error: unknown) => error,
  );

describe('a budget', () => {
  it('stops before the request that does not fit, and says what it could cost and what is left', async () => {
    await using world = await budgetWorld({ perDay: { dollars: 0.05 } }, [
      [say('So.'), usage(2_000, 4_000), finish()],
    ]);
    await world.answered('one');
    await world.answered('two');
    assert.equal(world.world.server.requests.length, 1);
    const failed = world.world.runs.failed(CHAT, 'main');
    assert.equal(failed?.error?.code, 'budget-reached');
    assert.match(
      failed.error.message,
      /^Stopped by your budget\. The next request could take up to \$0\.03\d*; \$0\.0060 is left of \$0\.05\d* per day\.$/u,
    );
  });

  it('lets one request through where the user continues once', async () => {
    await using world = await budgetWorld(
      { perMessage: { dollars: 0.001 } },
      [useTools(['look', { path: 'a' }]), answer('Never.')],
      { tools },
    );
    await world.answered('one');
    assert.equal(world.world.server.requests.length, 0);
    const run = await world.conversations.retryAnswer('main', { beyond: new BeyondCap() });
    await run.done;
    assert.equal(world.world.server.requests.length, 1);
    assert.equal(run.error?.code, 'budget-reached', 'the next step is stopped again');
    assert.equal((await world.world.path()).length, 2, 'its first step is kept');
  });

  it('lets one request of a summary, of a compaction and of a side question through as well', async () => {
    const cap: { perChat?: { tokens: number } } = {};
    const gist = [say('The gist.'), usage(100, 10), finish()];
    await using world = await budgetWorld(cap, [gist, gist, gist, gist, gist]);
    const { conversations } = world;
    await world.answered('What is a closure, and what would I use it for in a parser?');
    await world.answered('two');
    cap.perChat = { tokens: 300 };
    const summaries = await conversations.summaries();
    const until = await world.idAt(1);
    const atBudget = { code: 'budget-reached' };
    const { requests } = world.world.server;
    await assert.rejects(summaries.replace(until, 'up-to-here', { signal }), atBudget);
    const compacted = await conversations.compact({ thenAnswers: false });
    await compacted.done;
    assert.equal(compacted.error?.code, 'not-compacted-at-budget');
    const aside = await conversations.askSideQuestion('By the way?');
    await aside.done;
    assert.equal(aside.error?.code, 'budget-reached');
    assert.equal(requests.length, 2, 'nothing was sent');

    const again = await conversations.retryAnswer(aside.branch, { beyond: new BeyondCap() });
    await again.done;
    const compaction = { thenAnswers: false };
    const done = await conversations.compact(compaction, { beyond: new BeyondCap() });
    await done.done;
    await summaries.replace(until, 'up-to-here', { signal, beyond: new BeyondCap() });
    assert.deepEqual([again.error, done.error, requests.length], [undefined, undefined, 5]);
  });

  it('lets the request of an alternative through on its own branch, with its model and read-only tools', async () => {
    const cap: { perChat?: { tokens: number } } = {};
    await using world = await budgetWorld(
      cap,
      (request) => (stepOf(request) === 0 ? useTools(['look', { path: 'a' }]) : answer('So.')),
      { tools },
    );
    const { conversations } = world;
    await world.answered('one');
    const { requests } = world.world.server;
    const before = requests.length;
    cap.perChat = { tokens: 1 };
    const model = { ...(await world.world.model()), label: 'Other' };
    const twice = [model, model].map((each) => ({ model: each, temperature: 0.3 }));
    const { runs } = await conversations.tryTimes(await world.idAt(0), twice);
    await Promise.all(runs.map(({ done }) => done));
    assert.deepEqual(
      runs.map(({ error }) => error?.code),
      ['budget-reached', 'budget-reached'],
    );
    assert.equal(requests.length, before, 'nothing was sent');

    const { branch } = runs[1] ?? assert.fail();
    const once = async (continues: boolean) => {
      const stopped = { chatId: CHAT, branch, continues };
      const run = await conversations.resumeAlternative(stopped, { beyond: new BeyondCap() });
      await run.done;
      return run;
    };
    const begun = await once(false);
    assert.deepEqual(
      [begun.error?.code, begun.model.label, begun.temperature],
      ['budget-reached', 'Other', 0.3],
    );
    world.parts.models.find = () => Promise.resolve(model);
    const ended = await once(true);
    assert.deepEqual([ended.error, ended.model.label, ended.temperature], [undefined, 'Other', 0.3]);
    const offered = requests.map(({ body }) => (body.tools ?? []).map(({ function: { name } }) => name));
    assert.equal(requests.length, before + 2);
    assert.ok(offered[0]?.includes('echo'));
    assert.ok(offered.slice(before).every((names) => names.includes('look') && !names.includes('echo')));
    assert.deepEqual(await world.branches(), ['main*', 'main-v2', 'main-v3']);
    assert.equal(world.world.runs.failed(CHAT, runs[0]?.branch ?? '')?.error?.code, 'budget-reached');
  });

  it('lowers the limit of an answer to what is left, and says that it ended there', async () => {
    await using world = await budgetWorld({ perDay: { dollars: 0.029 } }, [
      [say('Half'), usage(100, 2_500), finish('length')],
    ]);
    await world.answered('one');
    const [request] = world.world.server.requests;
    const limit = Number(request?.body['max_tokens']);
    assert.ok(limit >= 2_000 && limit < 3_000, `${limit}`);
    const { error } = await world.world.lastMetadata();
    assert.equal(error?.code, 'budget-reached');
    assert.match(error.message, /ends here, where your budget does/u);
  });

  it('counts explorations for the message they are for, and the main answer waits for their rest', async () => {
    await using world = await budgetWorld(
      { perMessage: { tokens: 12_000 } },
      playing([explore(task('a'), task('b')), answer('Both.')], {
        a: [[say('A.'), usage(3_000, 200), finish()]],
        b: [[say('B.'), usage(3_000, 200), finish()]],
      }),
      { tools },
    );
    await world.answered('one');
    const tasks = await tasksNow(world.world);
    assert.deepEqual(
      tasks.map(({ state }) => state),
      ['done', 'done'],
      'at the same time only one of them has room',
    );
    await world.answered('two');
    assert.equal(world.world.runs.failed(CHAT, 'main'), undefined, 'another message has room of its own');
  });

  it('counts a task that goes on later for the message it was explored for', async () => {
    const cap = { perMessage: { tokens: 1_000_000 } };
    const main = [explore(task('a')), [say('So.'), usage(50_000, 10), finish()]];
    let tries = 0;
    const play = playing(main, { a: () => (tries++ === 0 ? refuse(400) : answer('A.')) });
    await using world = await budgetWorld(cap, play, { tools });
    await world.answered('one');
    cap.perMessage = { tokens: 40_000 };
    const branches = await world.store.listBranches(CHAT);
    const { name: branch } = branches.find(({ isActive }) => !isActive) ?? assert.fail();
    const run = await world.conversations.resumeAlternative({ chatId: CHAT, branch, continues: false });
    await run.done;
    assert.deepEqual([run.error?.code, tries], ['budget-reached', 1]);
  });

  it('takes nothing for a refused request, and all that was reserved for one that was stopped', async () => {
    const budget = { perDay: { dollars: 0.08 } };
    await using world = await budgetWorld(budget, [
      refuse(503, { retryAfterMs: 1 }),
      refuse(429, { retryAfterMs: 1 }),
      [say('So'), pause(), finish()],
      answer('Never.'),
    ]);
    const run = await world.conversations.ask('one');
    await world.world.server.pauseReached();
    await world.world.runs.stop(CHAT, run.branch);
    const gate = await world.world.budget?.();
    const [left] = await (gate as Budget).left({ chatId: CHAT });
    assert.ok((left?.spent.dollars ?? 0) >= 0.03 && (left?.spent.dollars ?? 0) < 0.05, 'one of three');
  });

  it('counts an answer whose server counts nothing by its estimate', async () => {
    await using world = await budgetWorld({ perChat: { tokens: 100_000 } }, [
      [say('word '.repeat(500)), finish()],
    ]);
    await world.answered('one');
    const gate = await world.world.budget?.();
    const [left] = await (gate as Budget).left({ chatId: CHAT });
    const tokens = left?.spent.tokens ?? 0;
    assert.ok(tokens > 500 && tokens < 2_000, `${tokens}`);
  });

  it('is shared by two windows, and outlives both', async () => {
    const folder = new MemoryFolder();
    const setting = { perDay: { dollars: 0.025 } };
    const [one, two] = [budgetOf(setting, { folder }), budgetOf(setting, { folder })];
    const held = await one.reserve(message, model(), thousand, signal);
    await spend(two, { ...message, chatId: 'chat-2' });
    assert.match(String(await refused(two)), /per day/u);
    assert.ok(held);
    await one.settle(held, { dollars: 0.001, tokens: 10 });
    await spend(two);
    const reopened = budgetOf(setting, { folder });
    const [left] = await reopened.left(message);
    const spent = left?.spent.dollars ?? 0;
    assert.ok(spent > 0.021 && spent < 0.025, `${spent}`);
  });

  it('never lets two windows pass a cap together', async () => {
    const folder = new MemoryFolder();
    const windows = Array.from({ length: 4 }, () => budgetOf({ perDay: { dollars: 0.025 } }, { folder }));
    const all = await Promise.allSettled(
      windows.map((budget) => budget.reserve(message, model(), thousand, signal)),
    );
    assert.ok(all.filter(({ status }) => status === 'fulfilled').length <= 2);
  });

  it('begins again at midnight', async () => {
    let now = new Date(2026, 10, 26, 23, 59).getTime();
    const scheduler = { ...instantly, now: () => now };
    const budget = budgetOf({ perDay: { dollars: 0.015 } }, { scheduler });
    await spend(budget);
    await refused(budget);
    now += 120_000;
    await spend(budget);
  });

  it('counts what was answered before there was a cap, once', async () => {
    const store = memoryStore();
    await using world = await budgetWorld({}, [[say('So.'), usage(1_000, 1_000), finish()]], { store });
    await world.answered('one');
    const folder = new MemoryFolder();
    const caps = { perBranch: { dollars: 1 }, perChat: { dollars: 1 }, perDay: { dollars: 1 } };
    const budget = budgetOf(caps, { store, folder });
    const branchId = (await world.branch('main')).id;
    const spent = async (): Promise<(number | undefined)[]> =>
      (await budget.left({ chatId: CHAT, branchId })).map((each) => each.spent.dollars);
    assert.deepEqual(await spent(), [0.012, 0.012, 0.012]);
    const held = await budget.reserve({ chatId: CHAT, branchId }, model(), thousand, signal);
    assert.ok(held);
    await budget.settle(held, { dollars: 0.5, tokens: 1 });
    assert.deepEqual(await spent(), [0.512, 0.512, 0.512]);
  });

  it('says that a price is unknown, and holds such a model by tokens', async () => {
    const { price: _price, ...unpriced } = model();
    const inDollars = await refused(budgetOf({ perDay: { dollars: 5 } }), message, unpriced);
    assert.match(String(inDollars), /The price of M isn’t known, so the cap of \$5\.00 per day can’t hold/u);
    const inBoth = budgetOf({ perDay: { dollars: 5, tokens: 2_500 } });
    await spend(inBoth, message, unpriced);
    await spend(inBoth, message, unpriced);
    assert.match(String(await refused(inBoth, message, unpriced)), /tokens is left of 2,500 tokens per day/u);
  });

  it('sends nothing while its setting has a mistake, and says where', async () => {
    await using world = await budgetWorld({ perDay: { dollar: 5 } }, [answer('Never.')]);
    await world.answered('one');
    assert.equal(world.world.server.requests.length, 0);
    const { error } = await world.world.lastMetadata();
    assert.match(
      error?.message ?? '',
      /^Nothing was sent: the setting offshoot\.budget has a mistake \(perDay\)/u,
    );
    assert.deepEqual(await world.world.texts(), ['one'], 'the question is kept');
  });

  it('holds in this window although nothing can be written, and passes over lines it cannot read', async () => {
    const folder = new MemoryFolder();
    folder.files.set('spending/9999-12-31.x.jsonl', '{"kind":"reserved","id":\nnothing\n');
    folder.isFull = true;
    const log = new MemoryLog();
    const budget = budgetOf({ perDay: { dollars: 0.015 } }, { folder, log });
    await spend(budget);
    await refused(budget);
    assert.equal(log.lines.length, 1);
    assert.match(log.lines[0] ?? '', /^warn Spending can’t be shared/u);
  });

  it('sends a limit where neither the model nor its server is known to have one', async () => {
    const { maxOutputTokens: _limit, ...unlimited } = thousand;
    const held = await budgetOf({ perDay: { dollars: 1 } }).reserve(message, model(), unlimited, signal);
    assert.equal(held?.outputLimit, 4_096);
  });
});

describe('requests to models', () => {
  it('are made in one place, which asks the budget', async () => {
    const calls =
      /\b(?:streamText|generateText|streamObject|generateObject|embed|embedMany)\(|\.(?:doStream|doGenerate)\(/u;
    const files = (await readdir('src', { recursive: true })).filter((file) => /\.tsx?$/u.test(file));
    const found: string[] = [];
    for (const file of files) {
      const code = (await readFile(path.join('src', file), 'utf8')).replaceAll(
        /^\s*(?:\/?\*|\/\/).*$/gmu,
        '',
      );
      if (calls.test(code)) found.push(file.replaceAll('\\', '/'));
    }
    assert.deepEqual(found.sort(), [
      'agent/budget/budget.ts',
      'agent/run/answerStream.ts',
      'models/providers/withSettings.ts',
    ]);
    const request = await readFile('src/agent/run/answerStream.ts', 'utf8');
    assert.match(request, /retrying\(spending\?\.guard\(accepted\) \?\? accepted/u);
  });
});
