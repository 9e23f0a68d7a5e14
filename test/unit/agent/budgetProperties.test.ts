import assert from 'node:assert/strict';
import fc from 'fast-check';
import { z } from 'zod';
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

/** The header that says on which branch a request is made: the text of a request does not. */
const BRANCH = 'x-branch';

/** Where answers stand until they are stopped. */
const STANDS = 'stands';

const output = z.looseObject({ max_tokens: z.number() });

/** A server that counts every token it reads and writes, whether anybody waits for it or not. */
class CountingServer {
  /** What was counted, by what it counts for: `perMessage 3`, by the number in the question. */
  readonly counted = new Map<string, Amount>();
  requests = 0;
  private at = 0;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly choices: readonly number[],
    private readonly countTokens: (text: string) => number,
  ) {}

  readonly reply = (request: RecordedRequest): Reply => {
    this.requests += 1;
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
    const branch = request.headers[BRANCH];
    for (const key of [`perMessage ${message}`, `perBranch ${String(branch)}`, 'perChat', 'perDay'])
      this.count(key, input, written);
    if (calls.length > 0) return [...calls, ...this.usage(input, written), finish('tool_calls')];
    const words = say('w '.repeat(written));
    // A summary waits for seconds before it is tried again.
    const isCut = (choice % 11 === 1 || choice % 11 === 4) && !isSummaryRequest(request);
    if (isCut) return [cut()];
    if (choice % 11 === 2) return [words, cut()];
    // Nobody stops a title.
    if (choice % 11 === 3 && limit > 1_000) return [words, pause(STANDS)];
    return [words, ...this.usage(input, written), finish(written === limit ? 'length' : 'stop')];
  };

  private count(key: string, input: number, written: number): void {
    const { dollars = 0, tokens = 0 } = this.counted.get(key) ?? {};
    const more = (input * PRICE.input + written * PRICE.output) / 1_000_000;
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
const action = fc.constantFrom('ask', 'ask', 'race', 'again', 'stop', 'summary');

describe('what is spent under a budget', () => {
  it('never passes a cap by the count of the server, whatever runs at the same time', async function () {
    this.timeout(120_000);
    const countTokens = await loadTokenizer();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(1_000), { minLength: 20, maxLength: 40 }),
        fc.array(action, { minLength: 3, maxLength: 6 }),
        fc
          .record(
            {
              perMessage: cap(20, 60_000),
              perBranch: cap(40, 90_000),
              perChat: cap(80, 120_000),
              perDay: cap(80, 120_000),
            },
            { requiredKeys: [] },
          )
          .filter((caps) => caps.perChat !== undefined || caps.perDay !== undefined),
        async (choices, actions, caps) => {
          const server = new CountingServer(choices, countTokens);
          await using world = await budgetWorld(caps, server.reply, {
            tools,
            maxRetries: 2,
            onRequest: ({ branchId = '' }) => ({ [BRANCH]: branchId }),
          });
          const titles = titlesFor(world);
          for (const [number, each] of actions.entries()) await perform(world, each, number);
          await world.world.runs.stopAll();
          titles.dispose();
          for (const [key, { dollars = 0, tokens }] of server.counted) {
            const limit = Object.entries(caps).find(([scope]) => key.startsWith(scope))?.[1];
            // Sums of fractions differ in their last digits.
            const isWithin =
              dollars <= (limit?.dollars ?? Infinity) + 1e-9 && tokens <= (limit?.tokens ?? Infinity);
            assert.ok(isWithin, `${key}: ${dollars} and ${tokens} of ${JSON.stringify(limit)}`);
          }
          assert.deepEqual(world.failures, []);
        },
      ),
      { numRuns: fuzzRuns(50, 100), seed: 40, endOnFailure: true },
    );
  });
});

type Talk = Awaited<ReturnType<typeof budgetWorld>>;

async function perform({ conversations, world }: Talk, kind: string, number: number): Promise<void> {
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
  } else if (kind === 'summary' && question) {
    const summaries = await conversations.summaries();
    const stopping = new AbortController();
    void world.server.pauseReached(STANDS).then(() => stopping.abort());
    await summaries.replace(question.id, 'up-to-here', stopping).catch(() => undefined);
  } else await ask();
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
