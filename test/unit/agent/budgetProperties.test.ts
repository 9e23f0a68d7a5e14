import assert from 'node:assert/strict';
import fc from 'fast-check';
import { z } from 'zod';
import { BUDGET_REACHED } from '../../../src/agent/budget/budgetReached.ts';
import { BeyondCap } from '../../../src/agent/budget/spends.ts';
import { answerMetadataOf } from '../../../src/agent/run/answerMetadata.ts';
import type { GoingOn } from '../../../src/agent/run/runs.ts';
import { loadTokenizer } from '../../../src/engine/estimate/estimate.ts';
import type { Amount } from '../../../src/agent/budget/quote.ts';
import { ModelTitles } from '../../../src/conversation/modelTitles.ts';
import {
  callTool,
  cut,
  finish,
  pause,
  refuse,
  say,
  usage,
  type RecordedRequest,
  type Reply,
  type Step,
} from '../../fixtures/openaiServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { CHAT } from '../../worlds/agentWorld.ts';
import { budgetWorld, PRICE } from '../../worlds/budgetWorld.ts';
import { isSummaryRequest } from '../../worlds/compactionWorld.ts';
import { stepOf, tools } from '../../worlds/exploreWorld.ts';

/** The headers that say on which branch and for which message a request is made: the text of a request may not. */
const BRANCH = 'x-branch';
const MESSAGE = 'x-message';

/** As small as it may be, so that conversations are compacted on the way. */
const WINDOW = 5_000;

/** Where answers stand until they are stopped. */
const STANDS = 'stands';

const output = z.looseObject({ max_tokens: z.number() });

/** A server that counts every token it reads and writes, whether anybody waits for it or not. */
class CountingServer {
  /** What was counted, by what it counts for: `perMessage 3`, by the number in the question. */
  readonly counted = new Map<string, Amount>();
  /** Of one request. */
  readonly most = { dollars: 0, tokens: 0 };
  summaries = 0;
  /** Requests that the budget was not asked for: what is left of a cap may hide what they take. */
  unasked = 0;
  private at = 0;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly choices: readonly number[],
    private readonly countTokens: (text: string) => number,
  ) {}

  readonly reply = (request: RecordedRequest): Reply => {
    const isSummary = isSummaryRequest(request);
    const texts = [...request.body.messages, ...(request.body.tools ?? [])].map((each) =>
      JSON.stringify(each),
    );
    const message = Math.max(...[...texts.join().matchAll(/Q(\d+)/gu)].map(([, number]) => Number(number)));
    const limit = output.parse(request.body).max_tokens;
    const choice = this.next();
    if (choice % 9 === 0) return refuse(choice % 2 === 0 ? 429 : 503, { retryAfterMs: 0 });
    // Most of it was sent before.
    const input = texts.reduce((sum, text) => sum + this.tokensOf(text), 0);
    const calls = stepOf(request) < 3 && request.body.tools ? this.calls(request, choice, message) : [];
    // A call of a tool counts for more than its text.
    const written = calls.length > 0 ? Math.min(limit, 60 * calls.length) : 1 + ((this.next() * 977) % limit);
    const { [BRANCH]: branch, [MESSAGE]: asked } = request.headers;
    if (isSummary) this.summaries += 1;
    if (branch === undefined) this.unasked += 1;
    // Compaction may be of what was said before the message that it is for.
    const keys = [...(isSummary ? [] : [`perMessage ${message}`]), `perMessage ${String(asked)}`];
    for (const key of [...keys, `perBranch ${String(branch)}`, 'perChat', 'perDay'])
      this.count(key, input, written);
    if (calls.length > 0) return [...calls, ...this.usage(input, written), finish('tool_calls')];
    const words = say('w '.repeat(written));
    // A summary waits for seconds before it is tried again.
    const isCut = (choice % 11 === 1 || choice % 11 === 4) && !isSummary;
    if (isCut) return [cut()];
    if (choice % 11 === 2) return [words, cut()];
    // Nobody stops a title.
    if (choice % 11 === 3 && limit > 1_000) return [words, pause(STANDS)];
    return [words, ...this.usage(input, written), finish(written === limit ? 'length' : 'stop')];
  };

  private count(key: string, input: number, written: number): void {
    const { dollars = 0, tokens = 0 } = this.counted.get(key) ?? {};
    const more = (input * PRICE.input + written * PRICE.output) / 1_000_000;
    this.most.dollars = Math.max(this.most.dollars, more);
    this.most.tokens = Math.max(this.most.tokens, input + written);
    this.counted.set(key, { dollars: dollars + more, tokens: tokens + input + written });
  }

  private tokensOf(text: string): number {
    const known = this.counts.get(text) ?? this.countTokens(text);
    this.counts.set(text, known);
    return known;
  }

  /** Not every server says what it counted. */
  private usage(input: number, written: number): Step[] {
    return this.next() % 4 === 0 ? [] : [usage(input, written)];
  }

  private calls(request: RecordedRequest, choice: number, message: number): Step[] {
    const names = new Set(request.body.tools?.map(({ function: { name } }) => name));
    const id = (): string => `call-${crypto.randomUUID()}`;
    if (choice % 3 === 0 && names.has('explore')) {
      const tasks = ['a', 'b', 'c'].map((name) => ({
        title: name,
        prompt: `Find out ${name} of Q${message}`,
      }));
      return [callTool(id(), 'explore', JSON.stringify({ tasks }))];
    }
    if (choice % 3 !== 1) return [];
    return ['x', 'y'].map((path) => callTool(id(), 'look', JSON.stringify({ path: `${path}${this.at}` })));
  }

  private next(): number {
    this.at += 1;
    return this.choices[this.at % this.choices.length] ?? 0;
  }
}

const cents = (max: number) => fc.integer({ min: 5, max }).map((amount) => amount / 100);
const cap = (dollars: number, tokens: number) =>
  fc
    .record(
      { dollars: cents(dollars), tokens: fc.integer({ min: 3_000, max: tokens }) },
      { requiredKeys: [] },
    )
    .filter((given) => Object.keys(given).length > 0);
const action = fc.constantFrom(
  'ask',
  'ask',
  'race',
  'again',
  'stop',
  'summary',
  'aside',
  'resume',
  'once',
  'raise',
);

/** What a user lets through once, and whether it was. */
class CountedBeyond extends BeyondCap {
  isTaken = false;

  override take(): boolean {
    const isTaken = super.take();
    this.isTaken ||= isTaken;
    return isTaken;
  }
}

describe('what is spent under a budget', () => {
  it('never passes a cap by the count of the server, whatever runs at the same time', async function () {
    this.timeout(120_000);
    const countTokens = await loadTokenizer();
    const seen = { summaries: 0, asides: 0, resumed: 0, beyond: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(1_000), { minLength: 20, maxLength: 40 }),
        fc.array(action, { minLength: 5, maxLength: 10 }),
        fc
          .record(
            {
              perMessage: cap(12, 25_000),
              perBranch: cap(20, 40_000),
              perChat: cap(30, 60_000),
              perDay: cap(30, 60_000),
            },
            { requiredKeys: [] },
          )
          .filter((caps) => caps.perChat !== undefined || caps.perDay !== undefined),
        async (choices, actions, given) => {
          const caps = structuredClone(given);
          const server = new CountingServer(choices, countTokens);
          await using world = await budgetWorld(caps, server.reply, {
            tools,
            maxRetries: 2,
            contextWindow: WINDOW,
            compaction: {
              settings: () => ({ enabled: true, threshold: 0.85 }),
              smallFor: (model) => Promise.resolve(model),
            },
            onRequest: ({ branchId = '', messageId = '' }) => ({ [BRANCH]: branchId, [MESSAGE]: messageId }),
          });
          let beyond = 0;
          const check = (): void => {
            for (const [key, { dollars = 0, tokens }] of server.counted) {
              const limit = Object.entries(caps).find(([scope]) => key.startsWith(scope))?.[1];
              // Sums of fractions differ in their last digits.
              const most = (limit?.dollars ?? Infinity) + beyond * server.most.dollars + 1e-9;
              const isWithin =
                dollars <= most && tokens <= (limit?.tokens ?? Infinity) + beyond * server.most.tokens;
              assert.ok(
                isWithin,
                `${key}: ${dollars} and ${tokens} of ${JSON.stringify(limit)}, ${beyond} beyond`,
              );
            }
          };
          const titles = titlesFor(world);
          for (const [number, each] of actions.entries()) {
            if (each === 'raise') raise(caps);
            if (each === 'aside') seen.asides += 1;
            if (each === 'once' || each === 'raise' || each === 'resume') {
              const once = new CountedBeyond();
              seen.resumed += await resume(world, each === 'once' ? { beyond: once } : {});
              if (once.isTaken) beyond += 1;
            } else await perform(world, each, number);
            check();
          }
          await world.world.runs.stopAll();
          titles.dispose();
          check();
          seen.summaries += server.summaries;
          seen.beyond += beyond;
          assert.equal(server.unasked, 0, 'requests without the budget');
          assert.deepEqual(world.failures, []);
        },
      ),
      { numRuns: fuzzRuns(50, 100), seed: 40, endOnFailure: true },
    );
    for (const [what, count] of Object.entries(seen)) assert.ok(count > 0, `no run had any: ${what}`);
  });
});

/** Changes what is read before each request. */
function raise(caps: Readonly<Record<string, { dollars?: number; tokens?: number } | undefined>>): void {
  for (const each of Object.values(caps)) {
    if (each?.dollars !== undefined) each.dollars *= 1.5;
    if (each?.tokens !== undefined) each.tokens = Math.ceil(each.tokens * 1.5);
  }
}

/** Goes on with each response that the budget stopped, all at the same time. @returns how many */
async function resume(talk: Talk, how: GoingOn): Promise<number> {
  const { conversations, world } = talk;
  const { runs, store } = world;
  const stopped = [];
  for (const { name: branch } of (await store.getChat(CHAT)) ? await store.listBranches(CHAT) : []) {
    const failed = runs.failed(CHAT, branch);
    const last = (await world.path(branch)).at(-1);
    const saved = last?.role === 'assistant' ? answerMetadataOf(last)?.error : undefined;
    const isUnsaved = failed?.error?.code === BUDGET_REACHED;
    if (isUnsaved || (!failed && saved?.code === BUDGET_REACHED))
      stopped.push({ chatId: CHAT, branch, continues: !isUnsaved });
  }
  await Promise.all(stopped.map((each) => conversations.resumeAlternative(each, how)));
  await ended(talk);
  return stopped.length;
}

type Talk = Awaited<ReturnType<typeof budgetWorld>>;

async function perform(talk: Talk, kind: string, number: number): Promise<void> {
  const { conversations, world } = talk;
  const ask = () => conversations.ask(`Q${number}`);
  if (kind === 'stop') {
    const run = await ask();
    await world.runs.stop(CHAT, run.branch);
    return;
  }
  const path = await conversations.path().catch(() => []);
  const question = path.findLast(({ name }) => name === 'user');
  if (kind === 'race' && question) {
    const model = await world.model();
    const alternatives = Array.from({ length: 3 }, () => ({ model, temperature: undefined }));
    await conversations.tryTimes(question.id, alternatives);
  } else if (kind === 'again' && question) {
    await conversations.regenerate(question.id, { model: await world.model() });
  } else if (kind === 'aside') {
    await conversations.askSideQuestion(`Q${number}`);
  } else if (kind === 'summary' && question) {
    const summaries = await conversations.summaries();
    const stopping = new AbortController();
    void world.server.pauseReached(STANDS).then(() => stopping.abort());
    await summaries.replace(question.id, 'up-to-here', stopping).catch(() => undefined);
  } else await ask();
  await ended(talk);
}

/** Of all answers: those that stand are stopped. */
async function ended({ world }: Talk): Promise<void> {
  for (let running = world.runs.list(CHAT); running.length > 0; running = world.runs.list(CHAT)) {
    const stands = world.server.pauseReached(STANDS).then(() => true);
    if (await Promise.race([stands, Promise.all(running.map(({ done }) => done)).then(() => false)]))
      await Promise.all(running.map(({ branch }) => world.runs.stop(CHAT, branch)));
  }
}

function titlesFor({ parts, store, world }: Talk): ModelTitles {
  return new ModelTitles({
    store,
    models: parts.models,
    budget: parts.budget,
    runs: world.runs,
    titleFrom: parts.titleFrom,
    log: world.log,
    isWanted: () => true,
    cleanTitle: () => '',
    onError: (error) => assert.fail(String(error)),
  });
}
