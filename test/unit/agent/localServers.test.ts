import assert from 'node:assert/strict';
import {
  localServers,
  LocalSource,
  sourcesToAsk,
} from '../../../src/models/providers/compatible/localServers.ts';
import { OpenAiCompatibleSource } from '../../../src/models/providers/compatible/openAiCompatible.ts';
import { ListedModels } from '../../../src/models/providers/listedModels.ts';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import type { ServerProgram } from '../../../src/models/providers/compatible/serverModels.ts';
import { pathSummaryOf } from '../../../src/engine/pathSummary.ts';
import { startRawServer, type RawReply } from '../../fixtures/rawServer.ts';
import { ChatCompletionsServer } from '../../fixtures/strict/chatCompletions.ts';
import { chatRules, type ChatRules } from '../../fixtures/strict/chatRules.ts';
import {
  llamaCpp,
  newLmStudio,
  oldLmStudio,
  vllm,
  type LocalProgram,
  type ProgramFacts,
} from '../../fixtures/strict/localPrograms.ts';
import { text } from '../../fixtures/strict/strictServer.ts';
import { until } from '../../fixtures/until.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';

const rulesOf = (program: LocalProgram): ChatRules => ({
  ...(chatRules.find((rules) => rules.program?.id === program.id) ?? assert.fail()),
  program,
});

const serverOf = (program: LocalProgram, facts: Partial<ProgramFacts> = {}): ChatCompletionsServer => {
  const server = new ChatCompletionsServer(rulesOf(program));
  server.facts = { ...server.facts, ...facts };
  return server;
};

function localSource(
  id: ServerProgram,
  address: string,
  options: { readonly key?: string; readonly now?: () => number } = {},
): LocalSource {
  const { key, now } = options;
  return new LocalSource(localServers.find((each) => each.id === id) ?? assert.fail(), {
    address: () => address,
    keyFor: () => Promise.resolve(key),
    ...(now === undefined ? {} : { now }),
  });
}

const shown = ({ id, label, contextWindow, capabilities }: ChatModel): unknown[] => [
  id,
  label,
  contextWindow,
  capabilities,
];
const json = (body: unknown, status = 200): RawReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  pieces: [JSON.stringify(body)],
});

describe('a program on this machine', () => {
  const programs: readonly [name: string, LocalProgram, label: string][] = [
    ['llama.cpp', llamaCpp, 'gemma-4'],
    ['LM Studio', newLmStudio, 'Qwen3 8B'],
    ['LM Studio before 0.4', oldLmStudio, 'qwen/qwen3-8b'],
    ['vLLM', vllm, 'Qwen/Qwen3.5-27B'],
  ];
  for (const [name, program, label] of programs) {
    it(`is found as ${name}, with the window and the abilities its model has now`, async () => {
      await using server = await serverOf(program, { window: 8_192, takesImages: false }).listen();
      const models = await server.source().list();
      const abilities = program === vllm ? undefined : ['tools'];
      assert.deepEqual(models.map(shown), [[`${program.id}:${server.facts.model}`, label, 8_192, abilities]]);
      // Chosen in an earlier window, nobody has listed it yet.
      const found = await server.source().find(`${program.id}:${server.facts.model}`);
      assert.deepEqual(found && shown(found), models[0] && shown(models[0]));
    });
  }

  it('may have a model without tools that sees pictures', async () => {
    for (const program of [llamaCpp, newLmStudio, oldLmStudio]) {
      await using server = await serverOf(program, { takesTools: false }).listen();
      const [model] = await server.source().list();
      assert.deepEqual(model?.capabilities, ['images']);
    }
  });

  it('knows better than the name of a model whether that takes tools', async () => {
    const list = { data: [{ id: 'gemma-2-9b-it', owned_by: 'llamacpp' }] };
    for (const [caps, expected] of [
      [{}, []],
      [{ chat_template_caps: { supports_tools: false } }, []],
      [{ chat_template_caps: { supports_tools: true } }, ['tools']],
    ] as const) {
      const props = { modalities: { vision: false }, ...caps };
      await using server = await startRawServer(({ path }) => json(path === '/v1/models' ? list : props));
      const [model] = await localSource('llamacpp', `${server.origin}/v1`).list();
      assert.deepEqual(model?.capabilities, expected);
    }
  });

  it('has the largest window for a model that is not loaded', async () => {
    for (const program of [newLmStudio, oldLmStudio]) {
      await using server = await serverOf(program, { isLoaded: false }).listen();
      assert.equal((await server.source().list())[0]?.contextWindow, 131_072);
    }
  });

  it('is asked for what a model of several has only if that is loaded', async () => {
    const entry = (id: string, value: string): object => ({
      id,
      owned_by: 'llamacpp',
      status: { value, args: [] },
    });
    const list = { data: [entry('a/b:Q4', 'loaded'), entry('c', 'unloaded')] };
    const props = { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: true } };
    await using server = await startRawServer(({ path }) => json(path === '/v1/models' ? list : props));
    const models = await localSource('llamacpp', `${server.origin}/v1`).list();
    assert.deepEqual(models.map(shown), [
      ['llamacpp:a/b:Q4', 'a/b:Q4', 16_384, ['tools', 'images']],
      ['llamacpp:c', 'c', undefined, undefined],
    ]);
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/v1/models', '/props?model=a%2Fb%3AQ4&autoload=false'],
    );
  });

  it('is none where another program answers, nothing does, or nobody finishes', async () => {
    const replies: readonly RawReply[] = [
      { headers: { 'content-type': 'text/html' }, pieces: ['<html>My site</html>'] },
      json({ data: [{ id: 'm', owned_by: 'someone' }] }),
      json({ data: [{ id: 'm', owned_by: 'organization_owner' }] }),
      json({ error: 'Unexpected endpoint' }),
      json({ data: 'none' }),
      json('Unauthorized', 401),
      { status: 302, headers: { location: 'https://elsewhere.test/v1/models' }, pieces: [] },
      { headers: { 'content-type': 'application/json' }, pieces: ['{"data":['] },
    ];
    for (const reply of replies) {
      await using server = await startRawServer(() => reply);
      for (const { id } of localServers) {
        assert.deepEqual(await localSource(id, `${server.origin}/v1`).list(), [], JSON.stringify(reply));
      }
    }
    await using closed = await startRawServer(() => json({}));
    await closed.close();
    for (const { id } of localServers) assert.deepEqual(await localSource(id, closed.origin).list(), []);
  });

  it('that never answers is not waited for, and its models can still be chosen', async () => {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    await using server = await startRawServer(() => ({ ...json({}), before: () => gate }));
    const source = localSource('vllm', `${server.origin}/v1`);
    const [models, found] = await Promise.all([source.list(), source.find('vllm:m')]);
    go();
    assert.deepEqual(models, []);
    assert.deepEqual(found && shown(found), ['vllm:m', 'm', undefined, undefined]);
  });

  it('is reported if its address in the settings is none', async () => {
    await assert.rejects(localSource('vllm', 'nonsense').list(), { code: 'invalid-address' });
  });

  it('that wants a key is found once it has the right one', async () => {
    const list = { data: [{ id: 'm', owned_by: 'vllm', max_model_len: 4_096 }] };
    await using server = await startRawServer(({ headers }) =>
      headers.authorization === 'Bearer k-1' ? json(list) : json({ error: 'Unauthorized' }, 401),
    );
    const at = `${server.origin}/v1`;
    assert.deepEqual(await localSource('vllm', at).list(), []);
    assert.equal((await localSource('vllm', at, { key: 'k-1' }).list()).length, 1);
    await assert.rejects(localSource('vllm', at).check('wrong'), { code: 'unauthorized' });
    await localSource('vllm', at).check('k-1');
  });

  it('is asked again after a while, since a model may be loaded with another window', async () => {
    let now = 0;
    await using server = await serverOf(newLmStudio, { window: 4_096 }).listen();
    const source = localSource('lmstudio', `${server.origin}/v1`, { key: 'key', now: () => now });
    const window = async (): Promise<number | undefined> =>
      (await source.find(`lmstudio:${server.facts.model}`))?.contextWindow;
    assert.equal(await window(), 4_096);
    const asked = server.asides.length;
    server.facts = { ...server.facts, window: 65_536 };
    assert.equal(await window(), 4_096);
    assert.equal(server.asides.length, asked);
    now = 60_000;
    await until(async () => (await window()) === 65_536, 'the new window');
  });

  it('has its conversation compacted before it would refuse it', async () => {
    for (const program of [llamaCpp, newLmStudio, oldLmStudio, vllm]) {
      await using server = await serverOf(program, { window: 6_000 }).listen();
      await using world = await newWorld({
        compaction: {
          settings: () => ({ enabled: true, threshold: 0.85 }),
          smallFor: (model) => Promise.resolve(model),
        },
      });
      for (let turn = 0; turn < 6; turn += 1) {
        server.replies.push([text(`${turn} `.repeat(1_500))]);
        server.otherwise = [text('The gist.')];
        const question = `${turn}? `.repeat(1_000);
        const model = await server.model();
        const run = await world.runs.start({ chatId: CHAT, branch: 'main', question, model });
        await run.done;
        assert.equal(run.error, undefined);
      }
      assert.deepEqual(
        server.refused.flatMap(({ faults }) => faults),
        [],
      );
      assert.ok(
        (await world.path()).some((message) => pathSummaryOf(message) !== undefined),
        program.id,
      );
    }
  });

  it('that refuses what is too long is told for that', async () => {
    for (const program of [llamaCpp, newLmStudio, vllm]) {
      await using server = await serverOf(program, { window: 1_000 }).listen();
      await using world = await newWorld({ maxRetries: 0 });
      const run = await world.runs.start({
        chatId: CHAT,
        branch: 'main',
        question: 'word '.repeat(2_000),
        model: { ...(await server.model()), contextWindow: 100_000 },
      });
      await run.done;
      assert.equal(run.error?.code, 'context-too-long', program.id);
    }
  });
});

describe('a server of the settings', () => {
  it('says the windows of its models under any of the usual names, for those that are chosen as well', async () => {
    const members: readonly object[] = [
      { context_window: 8_192 },
      { context_length: 8_192 },
      { max_model_len: 8_192, context_length: 'many' },
      { max_context_length: 8_192 },
      { meta: { n_ctx: 8_192, n_ctx_train: 131_072 } },
    ];
    for (const member of members) {
      await using server = await startRawServer(() => json({ data: [{ id: 'm', ...member }] }));
      const source = new OpenAiCompatibleSource({
        settings: () => ({ baseUrl: `${server.origin}/v1`, models: [] }),
        keyFor: () => Promise.resolve(undefined),
        looksUp: true,
      });
      const found = await source.find('openai-compatible:m');
      assert.equal(found?.contextWindow, 8_192, JSON.stringify(member));
      assert.equal((await source.find('openai-compatible:m'))?.contextWindow, 8_192);
      assert.equal(server.requests.length, 1);
    }
  });

  it('is told as LM Studio at its address too, and keeps the window the user gives it', async () => {
    await using server = await serverOf(newLmStudio, { window: 8_192 }).listen();
    for (const contextWindow of [undefined, 2_048]) {
      // Without its version.
      const source = new OpenAiCompatibleSource({
        settings: () => ({ baseUrl: server.origin, models: [], contextWindow }),
        keyFor: () => Promise.resolve('key'),
      });
      const [model, ...others] = await source.list();
      assert.deepEqual(others, []);
      assert.equal(model?.contextWindow, contextWindow ?? 8_192);
      assert.deepEqual(model.capabilities, ['tools', 'images']);
    }
  });

  it('is not looked for as well, by any name of this machine', () => {
    const sources = localServers.map(
      (server) => new LocalSource(server, { keyFor: () => Promise.resolve(undefined) }),
    );
    const asked = (isOn: boolean, ...added: string[]): string[] =>
      sourcesToAsk(sources, { isOn, added }).map(({ id }) => id);
    assert.deepEqual(asked(true, ''), ['lmstudio', 'llamacpp', 'vllm']);
    assert.deepEqual(asked(true, 'http://localhost:1234/v1'), ['llamacpp', 'vllm']);
    assert.deepEqual(asked(true, 'http://[::1]:8080', ' http://127.0.0.1:8000/v1 '), ['lmstudio']);
    const elsewhere = ['http://127.0.0.1:1235/v1', 'http://10.0.0.2:1234/v1', 'nonsense'];
    assert.deepEqual(asked(true, ...elsewhere), ['lmstudio', 'llamacpp', 'vllm']);
    assert.deepEqual(asked(false), []);
  });

  it('is looked for at an address of its own even if the others are not', () => {
    const sources = ['http://10.0.0.2:1234/v1', ' ', undefined].map((address) => {
      const [server = assert.fail()] = localServers;
      return new LocalSource(server, { address: () => address, keyFor: () => Promise.resolve(undefined) });
    });
    const asked = sourcesToAsk(sources, { isOn: false, added: [] });
    assert.deepEqual(
      asked.map(({ address }) => address),
      ['http://10.0.0.2:1234/v1'],
    );
  });
});

describe('what servers said of their models', () => {
  it('is asked for once by all who want it, and not again for a while where nothing answers', async () => {
    let now = 0;
    let asked = 0;
    let isOff = true;
    const listed = new ListedModels({
      ask: () => {
        asked += 1;
        return isOff ? Promise.reject(new Error('off')) : Promise.resolve([{ name: 'm' }]);
      },
      freshFor: () => Number.POSITIVE_INFINITY,
      now: () => now,
    });
    assert.deepEqual(await Promise.all([listed.find('a', 'm'), listed.find('a', 'm')]), [
      undefined,
      undefined,
    ]);
    assert.equal(await listed.find('a', 'm'), undefined);
    assert.equal(asked, 1);
    isOff = false;
    now = 30_000;
    await until(async () => (await listed.find('a', 'm')) !== undefined, 'the list');
    assert.equal(asked, 2);
  });
});
