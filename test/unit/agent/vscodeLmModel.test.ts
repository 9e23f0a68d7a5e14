import assert from 'node:assert/strict';
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import fc from 'fast-check';
import type * as vscode from 'vscode';
import { imagePart } from '../../../src/agent/attachments/keptImages.ts';
import type { ChatModel } from '../../../src/agent/chatModel.ts';
import { fitted } from '../../../src/agent/sending/fitted.ts';
import { fitTo } from '../../../src/agent/sending/fitTo.ts';
import type { Target } from '../../../src/agent/sending/target.ts';
import { writtenBy } from '../../../src/agent/sending/writer.ts';
import { vsCodeMessages } from '../../../src/agent/vscodeAnswer.ts';
import {
  VsCodeModelSource,
  type VsCodeModel,
  type VsCodeModels,
  type VsCodePart,
} from '../../../src/agent/vscodeLmModel.ts';
import { streamedModel, type OfferedTool, type StreamedPiece } from '../../../src/agent/streamedModel.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { answer } from '../../fixtures/openaiServer.ts';
import { CHAT, newWorld, type World } from './agentWorld.ts';
import { echoTool } from './toolWorld.ts';

const VSCODE_MODEL: Target = { dialect: 'vscodeLm', modelId: 'vscode:copilot/gpt-5' };

/** A message and a token as VS Code might make them; the adapter looks into neither. */
interface Message {
  readonly from: string;
  readonly texts: readonly string[];
}
class Token {
  isCancelled = false;
  readonly cancelled: Promise<void>;
  #cancel: () => void = () => undefined;
  constructor() {
    this.cancelled = new Promise((resolve) => (this.#cancel = resolve));
  }
  cancel(): void {
    this.isCancelled = true;
    this.#cancel();
  }
}

type Respond = (messages: readonly Message[], token: Token) => AsyncIterable<unknown>;

/** VS Code's models, scripted: one model that responds as the test says. */
class ScriptedModels implements VsCodeModels<Message, Token> {
  readonly tokens: Token[] = [];
  readonly requests: (readonly Message[])[] = [];
  disposed = 0;
  readonly offered: (readonly string[])[] = [];
  constructor(
    readonly respond: Respond,
    readonly isToolUser?: boolean,
    readonly seesImages?: boolean,
  ) {}

  select(): Promise<VsCodeModel<Message, Token>[]> {
    const sendRequest = (messages: Message[], { tools = [] }: { tools?: OfferedTool[] }, token: Token) => {
      this.requests.push(messages);
      this.offered.push(tools.map(({ name }) => name));
      return Promise.resolve({ stream: this.respond(messages, token) });
    };
    return Promise.resolve([
      { name: 'GPT', id: 'gpt-5', vendor: 'copilot', maxInputTokens: 128_000, sendRequest },
    ]);
  }
  message(from: string, parts: readonly VsCodePart[]): Message {
    return { from, texts: parts.map((part) => ('text' in part ? part.text : JSON.stringify(part))) };
  }
  takesTools(): boolean | undefined {
    return this.isToolUser;
  }
  takesImages(): boolean | undefined {
    return this.seesImages;
  }
  readPart(part: unknown): StreamedPiece | undefined {
    if (typeof part !== 'object' || part === null) return undefined;
    if ('input' in part && typeof part.input === 'object' && part.input !== null) {
      return { type: 'tool-call', callId: 'c1', name: 'echo', input: part.input };
    }
    if ('name' in part && typeof part.name === 'string') {
      return { type: 'tool-call', callId: 'c1', name: part.name, input: { text: 'a' } };
    }
    if ('value' in part && typeof part.value === 'string') return { type: 'text', text: part.value };
    if ('thinking' in part && typeof part.thinking === 'string')
      return { type: 'reasoning', text: part.thinking };
    return undefined;
  }
  newCancellation() {
    const token = new Token();
    this.tokens.push(token);
    return { token, cancel: () => token.cancel(), dispose: () => void (this.disposed += 1) };
  }
}

// The real thing has to fit, else the extension could not hand it in.
type RealModel = VsCodeModel<vscode.LanguageModelChatMessage, vscode.CancellationToken>;
null satisfies vscode.LanguageModelChat extends RealModel ? null : never;

async function* pieces(...values: unknown[]): AsyncGenerator {
  for (const value of values) {
    await Promise.resolve();
    yield value;
  }
}

async function modelOf(models: ScriptedModels): Promise<ChatModel> {
  return (await new VsCodeModelSource(models).find('vscode:copilot/gpt-5')) ?? assert.fail();
}

async function start(world: World, models: ScriptedModels, question = 'hi') {
  return world.runs.start({ chatId: CHAT, branch: 'main', question, model: await modelOf(models) });
}

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
    for (const [said, code] of [
      ['Message exceeds token limit.', 'context-too-long'],
      ['prompt token count of 140000 exceeds the limit of 128000', 'context-too-long'],
      ['You have exceeded your premium request allowance', 'quota'],
      ['You have used up your quota', 'quota'],
    ] as const) {
      for (const given of [{}, { code: 'Blocked' }, { code: 'Unknown' }]) {
        await using world = await newWorld({ maxRetries: 0 });
        const models = new ScriptedModels(() => {
          throw Object.assign(new Error(said), given);
        });
        const run = await start(world, models);
        await run.done;
        assert.equal(run.error?.code, code, said);
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

  it('keeps what a thought is checked by, and gets it back with it', async () => {
    const model = streamedModel({
      provider: 'vscode.copilot',
      modelId: 'm',
      answer: async function* () {
        yield await Promise.resolve({ type: 'reasoning', text: 'Hm', kept: { id: 't1' } } as const);
        yield { type: 'reasoning', text: '', kept: { metadata: { signature: 'abc' } } } as const;
        yield { type: 'text', text: 'Hi' } as const;
      },
    });
    const { stream } = await model.doStream({ prompt: [] });
    const parts: LanguageModelV4StreamPart[] = [];
    for await (const part of stream) parts.push(part);
    const end = parts.find(({ type }) => type === 'reasoning-end');
    const providerOptions = end?.type === 'reasoning-end' ? end.providerMetadata : undefined;
    const prompt: LanguageModelV4Prompt = [
      { role: 'user', content: [{ type: 'text', text: '?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm', ...(providerOptions ? { providerOptions } : {}) },
          { type: 'reasoning', text: 'of another', providerOptions: { anthropic: { signature: 'x' } } },
          { type: 'text', text: 'Hi' },
        ],
        ...writtenBy(VSCODE_MODEL.modelId),
      },
    ];
    const sent = vsCodeMessages(fitTo({ prompt }, VSCODE_MODEL).prompt);
    assert.deepEqual(sent[1]?.parts, [
      { type: 'reasoning', text: 'Hm', kept: { id: 't1', metadata: { signature: 'abc' } } },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('keeps apart thoughts that follow each other, and those around a call', async () => {
    const model = streamedModel({
      provider: 'vscode.copilot',
      modelId: 'm',
      answer: async function* () {
        yield await Promise.resolve({ type: 'reasoning', text: 'One', kept: { id: 't1' } } as const);
        yield { type: 'reasoning', text: '', kept: { id: 't1', metadata: { signature: 'a' } } } as const;
        yield { type: 'reasoning', text: 'Two', kept: { id: 't2', metadata: { signature: 'b' } } } as const;
        yield { type: 'tool-call', callId: 'c', name: 'echo', input: {} } as const;
        yield { type: 'reasoning', text: 'Three', kept: { metadata: { signature: 'c' } } } as const;
      },
    });
    const { stream } = await model.doStream({ prompt: [] });
    const told: unknown[] = [];
    for await (const part of stream) {
      if (part.type === 'reasoning-delta') told.push(part.delta);
      if (part.type === 'reasoning-end') told.push(part.providerMetadata?.['vscode']?.['thinking']);
      if (part.type === 'tool-call') told.push(part.toolCallId);
    }
    assert.deepEqual(told, [
      ...['One', '', { id: 't1', metadata: { signature: 'a' } }],
      ...['Two', { id: 't2', metadata: { signature: 'b' } }, 'c'],
      ...['Three', { metadata: { signature: 'c' } }],
    ]);
  });

  it('gets turns that alternate, with a result right after each call, whatever the prompt (fuzz)', () => {
    const text = fc.record({ type: fc.constant('text' as const), text: fc.string({ minLength: 1 }) });
    const callId = fc.constantFrom('a', 'b', 'c');
    const call = callId.map(
      (toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 't', input: {} }) as const,
    );
    const result = callId.map(
      (toolCallId) =>
        ({ type: 'tool-result', toolCallId, toolName: 't', output: { type: 'text', value: 'r' } }) as const,
    );
    const message = fc.oneof(
      fc.record({ role: fc.constant('system' as const), content: fc.string({ minLength: 1 }) }),
      fc.record({ role: fc.constant('user' as const), content: fc.array(text, { maxLength: 2 }) }),
      fc.record({
        role: fc.constant('assistant' as const),
        content: fc.uniqueArray(fc.oneof(text, call), {
          maxLength: 3,
          selector: (part) => (part.type === 'tool-call' ? part.toolCallId : part),
        }),
      }),
      fc.record({ role: fc.constant('tool' as const), content: fc.array(result, { maxLength: 3 }) }),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (prompt) => {
        const sent = vsCodeMessages(fitTo({ prompt }, VSCODE_MODEL).prompt);
        let open: string[] = [];
        for (const [index, { role, parts }] of sent.entries()) {
          assert.equal(role, index % 2 === 0 ? 'user' : 'assistant');
          assert.ok(parts.length > 0);
          const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : []));
          assert.deepEqual(results, open);
          open = parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
        }
        assert.deepEqual(open, []);
      }),
      { numRuns: fuzzRuns(300) },
    );
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
