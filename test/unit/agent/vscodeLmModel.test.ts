import assert from 'node:assert/strict';
import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import { imagePart } from '../../../src/models/messages/messageFiles.ts';
import { fitted } from '../../../src/models/requests/fitTo.ts';
import { VsCodeModelSource } from '../../../src/models/providers/vscode/vscodeLmModel.ts';
import { answer } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld } from '../../worlds/agentWorld.ts';
import { echoTool } from '../../worlds/toolCalls.ts';
import { VSCODE_MODEL, ScriptedModels, pieces, modelOf, start } from '../../worlds/scriptedModels.ts';

describe("a model of VS Code's", () => {
  it('is listed with its vendor, its name and what it can read', async () => {
    const [model] = await new VsCodeModelSource(new ScriptedModels(() => pieces())).list();
    assert.deepEqual(
      [model?.id, model?.label, model?.detail, model?.contextWindow, model?.isDemo],
      ['vscode:copilot/gpt-5', 'GPT', 'copilot', 128_000, false],
    );
    assert.equal(
      await new VsCodeModelSource(new ScriptedModels(() => pieces())).find('vscode:copilot/other'),
      undefined,
    );
  });

  it('streams text and thinking, and leaves out what it does not know', async () => {
    await using world = await newWorld();
    const models = new ScriptedModels(() =>
      pieces({ thinking: 'Hm.' }, { value: 'Good ' }, { data: 1 }, 7, { value: 'day' }),
    );
    const run = await start(world, models);
    await run.done;
    assert.equal(run.status, 'complete');
    const parts = (await world.path()).at(-1)?.parts ?? [];
    assert.deepEqual(
      parts.map((part) => ('text' in part ? [part.type, part.text] : part.type)),
      [
        ['reasoning', 'Hm.'],
        ['text', 'Good day'],
      ],
    );
    assert.equal(models.disposed, 1);
    assert.equal(models.tokens[0]?.isCancelled, false);
  });

  it('gets the instructions at the head of the first message of the user, then the conversation', async () => {
    await using world = await newWorld({ script: [answer('one')] });
    await world.answered('first');
    const models = new ScriptedModels(() => pieces({ value: 'two' }));
    await (
      await start(world, models, 'second')
    ).done;
    assert.deepEqual(models.requests[0], [
      { from: 'user', texts: ['<hint>Be brief.</hint>', 'first'] },
      { from: 'assistant', texts: ['one'] },
      { from: 'user', texts: ['second'] },
    ]);
  });

  it('is cancelled through its token when the user stops it, and what came is kept', async () => {
    await using world = await newWorld();
    const models = new ScriptedModels(async function* (_messages, token) {
      yield { value: 'Half' };
      await token.cancelled;
      throw Object.assign(new Error('Canceled'), { name: 'Canceled' });
    });
    const run = await start(world, models);
    await world.arrived(run, 'Half');
    await world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
    assert.equal(models.tokens[0]?.isCancelled, true);
    assert.deepEqual(await world.texts(), ['hi', 'Half']);
  });

  it('does not hold the run up when it takes no notice of the token', async () => {
    await using world = await newWorld();
    const models = new ScriptedModels(async function* () {
      yield { value: 'Half' };
      await new Promise(() => undefined);
    });
    const run = await start(world, models);
    await world.arrived(run, 'Half');
    await world.runs.stop(CHAT, 'main');
    assert.equal(run.status, 'interrupted');
  });

  it('says in clear words why it did not answer', async () => {
    const expected = {
      NoPermissions: ['vscode-no-permission', /allow it/],
      Blocked: ['vscode-blocked', /refused the request: internal text/],
      NotFound: ['model-not-found', /Select Model/],
      Unknown: ['vscode-error', /failed: internal text/],
    } as const;
    for (const [code, [ownCode, words]] of Object.entries(expected)) {
      await using world = await newWorld();
      const models = new ScriptedModels(() => {
        throw Object.assign(new Error('internal text'), { code });
      });
      const run = await start(world, models);
      await run.done;
      assert.equal(run.status, 'failed');
      assert.equal(run.error?.code, ownCode);
      assert.match(run.error.message, words);
    }
  });

  it('says so when the conversation is too long, or its quota used up, whatever the code', async () => {
    for (const [text, code] of [
      ['Message exceeds token limit.', 'context-too-long'],
      ['prompt token count of 140000 exceeds the limit of 128000', 'context-too-long'],
      ['You have exceeded your premium request allowance', 'quota'],
      ['You have used up your quota', 'quota'],
    ] as const) {
      for (const given of [{}, { code: 'Blocked' }, { code: 'Unknown' }]) {
        await using world = await newWorld({ maxRetries: 0 });
        const models = new ScriptedModels(() => {
          throw Object.assign(new Error(text), given);
        });
        const run = await start(world, models);
        await run.done;
        assert.equal(run.error?.code, code, text);
      }
    }
  });

  it('is not waited for when VS Code never lists its models', async () => {
    const models = new ScriptedModels(() => pieces());
    models.select = () => new Promise(() => undefined);
    await assert.rejects(new VsCodeModelSource(models, 1).list(), { code: 'vscode-timeout' });
    await assert.rejects(new VsCodeModelSource(models, 1).find('vscode:copilot/gpt-5'), {
      code: 'vscode-timeout',
    });
  });

  it('keeps what came before an error in the middle', async () => {
    await using world = await newWorld();
    const models = new ScriptedModels(async function* () {
      yield await Promise.resolve({ value: 'Half' });
      throw new Error('rate limit exceeded');
    });
    const run = await start(world, models);
    await run.done;
    assert.equal(run.status, 'failed');
    assert.match(run.error?.message ?? '', /rate limited/);
    assert.deepEqual(await world.texts(), ['hi', 'Half']);
  });

  it('that takes tools calls them, and gets the results as a message of the user', async () => {
    await using world = await newWorld({ tools: () => [echoTool] });
    const models = new ScriptedModels(
      (messages) =>
        messages.length < 2
          ? pieces({ value: 'Let me see.' }, { name: 'echo' }, { name: 'unknown' })
          : pieces({ value: 'Done.' }),
      true,
    );
    const run = await start(world, models);
    await run.done;
    assert.equal(run.status, 'complete');
    assert.deepEqual(models.offered, [['echo'], ['echo']]);
    const second = models.requests[1];
    assert.deepEqual(
      second?.slice(1).map(({ from, texts }) => [from, texts[0]]),
      [
        ['assistant', 'Let me see.'],
        ['user', 'echo: a'],
      ],
    );
    assert.equal(second[2]?.texts[1], 'There is no tool “unknown”. The tools are: echo.');
    assert.match(second[1]?.texts[1] ?? '', /"name":"echo","input":{"text":"a"}/);
  });

  it('that takes none is offered none', async () => {
    await using world = await newWorld({ tools: () => [echoTool] });
    const models = new ScriptedModels(() => pieces({ value: 'Hello' }), false, false);
    await (
      await start(world, models)
    ).done;
    assert.deepEqual(models.offered, [[]]);
    assert.deepEqual((await modelOf(models)).capabilities, []);
  });

  it('gets the bytes of pictures', async () => {
    await using world = await newWorld();
    const models = new ScriptedModels(() => pieces({ value: 'A cat' }), true, true);
    const hash = await world.store.blobs.put(Uint8Array.from([1, 2, 255]));
    const attached = [imagePart({ hash, mediaType: 'image/png', name: 'cat.png' })];
    const on = { chatId: CHAT, branch: await world.startChat(), model: await modelOf(models) };
    await (
      await world.runs.start({ ...on, question: 'What is it?', attached })
    ).done;
    assert.deepEqual(models.requests[0]?.at(-1)?.texts, [
      '<hint>Be brief.</hint>',
      'What is it?',
      JSON.stringify({ type: 'image', mediaType: 'image/png', data: Uint8Array.from([1, 2, 255]) }),
    ]);
  });

  it('that calls a tool with an input nested without end is told that the call failed, and goes on', async () => {
    await using world = await newWorld({ tools: () => [echoTool] });
    let input: object = {};
    for (let depth = 0; depth < 100_000; depth++) input = { text: input };
    const models = new ScriptedModels(
      (messages) => (messages.length < 3 ? pieces({ input }) : pieces({ value: 'Done.' })),
      true,
    );
    const run = await start(world, models);
    await run.done;
    assert.equal(run.status, 'complete', run.error?.message);
    assert.match(
      models.requests[1]?.at(-1)?.texts[0] ?? '',
      /^The input of “echo” is nested deeper than 100 levels/,
    );
  });

  it('is told of a picture whose data cannot be read, in place of the picture', async () => {
    const models = new ScriptedModels(() => pieces({ value: 'Which?' }), true, true);
    const model = fitted(await (await modelOf(models)).open(), VSCODE_MODEL);
    const image = (data: LanguageModelV4FilePart['data']): LanguageModelV4FilePart => ({
      type: 'file',
      mediaType: 'image/png',
      data,
    });
    const { content } = await model.doGenerate({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            image({ type: 'data', data: 'no base64 at all!' }),
            image({ type: 'url', url: new URL('data:image/png;base64,%%%') }),
            image({ type: 'data', data: 'AQL/' }),
          ],
        },
      ],
    });
    assert.deepEqual(content, [{ type: 'text', text: 'Which?' }]);
    const note = '[An image, “unnamed”, was left out: its bytes are missing.]';
    assert.deepEqual(models.requests[0]?.at(-1)?.texts, [
      'What is it?',
      note,
      note,
      JSON.stringify({ type: 'image', mediaType: 'image/png', data: Uint8Array.from([1, 2, 255]) }),
    ]);
  });
});
