import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findModelFacts, pricesDate } from '../../../src/engine/estimate/index.ts';

const FIXTURE = path.join('test', 'fixtures', 'prices', 'api.json');
const CHECKED_IN = path.join('src', 'engine', 'estimate', 'prices.json');

const price = { input: z.number().min(0), output: z.number().min(0) };
const priced = { ...price, cachedInput: z.number().optional(), cacheWrite: z.number().optional() };
const row = z.strictObject({
  ...priced,
  reasoning: z.number().optional(),
  context: z.int().positive().optional(),
  maxOutput: z.int().positive().optional(),
  tiers: z.array(z.strictObject({ above: z.int().positive(), ...priced })).optional(),
});
const priceTable = z.strictObject({
  date: z.iso.date(),
  models: z.record(z.string(), z.record(z.string(), row)),
});

describe('the table of prices', () => {
  let folder = '';
  beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'prices-'))));
  afterEach(() => rm(folder, { recursive: true }));

  const run = async (...args: readonly string[]): Promise<string> => {
    const out = path.join(folder, 'prices.json');
    const script = path.join('scripts', 'prices.mjs');
    try {
      await promisify(execFile)(process.execPath, [script, ...args, '--out', out]);
    } catch (error) {
      return z.object({ stderr: z.string() }).parse(error).stderr.trim();
    }
    return readFile(out, 'utf8');
  };

  it('is made of what models.dev publishes: sorted, with its date, and of conversations alone', async () => {
    const made: unknown = JSON.parse(await run(FIXTURE, '2026-11-10'));
    assert.deepEqual(made, {
      date: '2026-11-10',
      models: {
        openai: {
          'gpt-a': { input: 2, output: 8, context: 128_000, maxOutput: 16_384 },
          'gpt-a-2024-05-13': { input: 4, output: 8, context: 128_000 },
          'gpt-b': {
            input: 5,
            output: 30,
            cachedInput: 0.5,
            context: 1_050_000,
            maxOutput: 128_000,
            tiers: [
              { above: 200_000, input: 10, output: 45, cachedInput: 1 },
              { above: 400_000, input: 20, output: 60, cachedInput: 2 },
            ],
          },
        },
        anthropic: {
          'claude-a': {
            input: 3,
            output: 15,
            cachedInput: 0.3,
            cacheWrite: 3.75,
            context: 1_000_000,
            maxOutput: 64_000,
            tiers: [{ above: 200_000, input: 6, output: 22.5, cachedInput: 0.6, cacheWrite: 7.5 }],
          },
        },
        google: {},
        groq: { 'openai/gpt-oss': { input: 0.1, output: 0.5, context: 131_072 } },
        mistral: {},
        deepseek: {},
        moonshotai: { 'kimi-a': { input: 1, output: 4, reasoning: 6 } },
        openrouter: {},
      },
    });
    assert.deepEqual(Object.keys(priceTable.parse(made).models['openai'] ?? {}), [
      'gpt-a',
      'gpt-a-2024-05-13',
      'gpt-b',
    ]);
  }).timeout(30_000);

  it('is not made of a damaged file, and says what is wrong with it', async () => {
    const whole = await readFile(FIXTURE, 'utf8');
    const damaged = path.join(folder, 'api.json');
    const problemOf = async (text: string): Promise<string> => {
      await writeFile(damaged, text);
      return (await run(damaged, '2026-11-10')).replaceAll(damaged, 'FILE');
    };
    assert.match(await problemOf(whole.slice(0, 900)), /^FILE is not JSON, or not all of it: /);
    assert.match(
      await problemOf(whole.replace('"input": 5,', '"input": "5",')),
      /^FILE is not what models\.dev publishes: openai → models → gpt-b → cost → input: .+ Download https:\/\/models\.dev\/api\.json again\.$/,
    );
    assert.match(await problemOf('{}'), /^FILE is not what models\.dev publishes: openai: /);
    assert.match(await run(path.join(folder, 'none.json')), /^There is no file .+none\.json\.$/);
    assert.match(await run(FIXTURE, 'yesterday'), /^The date of the data is needed/);
  }).timeout(60_000);

  it('that ships says its date, and is as it is made', async () => {
    const { date, models } = priceTable.parse(JSON.parse(await readFile(CHECKED_IN, 'utf8')));
    assert.equal(pricesDate, date);
    assert.ok(Date.parse(date) >= Date.parse('2026-11-10'));
    for (const [provider, rows] of Object.entries(models)) {
      const ids = Object.keys(rows);
      assert.ok(ids.length > 0, provider);
      assert.deepEqual(ids, ids.toSorted(), provider);
      for (const [id, { input, cachedInput = input, context = 1, tiers = [] }] of Object.entries(rows)) {
        assert.equal(findModelFacts(id, provider)?.input, input, `${provider} ${id}`);
        assert.ok(cachedInput <= input, `${provider} ${id}`);
        assert.ok(
          tiers.every(({ above }) => above !== context),
          `${provider} ${id} ends where it would begin to cost more`,
        );
      }
    }
  });
});
