import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import {
  modelAt,
  providerIds,
  startProviderServer,
  type ProviderServer,
} from '../fixtures/providerServer.ts';
import { ChatCompletionsServer } from '../fixtures/strict/chatCompletions.ts';
import { chatRules } from '../fixtures/strict/chatRules.ts';
import { llamaCpp } from '../fixtures/strict/localPrograms.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, messageText, setSetting, untilChanged } from './support.ts';

const KEY = 'sk-of-the-providers-test';

describe('providers in the extension host', () => {
  let api: Offshoot;
  let server: ProviderServer;

  before(async () => {
    api = await offshoot();
    server = await startProviderServer({ key: KEY });
    await setSetting('baseUrls', server.baseUrls);
    await setSetting('azure.deployments', { 'gpt-5.1': 'gpt-5.1' });
    // Something may run on this machine.
    await setSetting('localServers.enabled', false);
  });
  after(async () => {
    await api.parts.keys.remove(server.origin);
    await setSetting('baseUrls', undefined);
    await setSetting('azure.deployments', undefined);
    await setSetting('localServers.enabled', undefined);
    await setSetting('model', undefined);
    await server[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await api.parts.current.startNew();
    await api.parts.keys.remove(server.origin);
    server.requests.length = 0;
  });

  const offered = async (): Promise<string[]> => {
    const { models } = await api.parts.models.list();
    return models.map(({ id }) => id).filter((id) => !/^(vscode|demo|openai-compatible):/.test(id));
  };

  it('offer only what can be reached: Ollama alone while there is no key', async () => {
    assert.deepEqual(await offered(), ['ollama:qwen3:8b']);
    assert.deepEqual(
      server.requests.map(({ provider }) => provider),
      ['ollama'],
    );
  });

  it('offer their models once a key is set, and none when it is removed', async () => {
    await api.parts.keys.set(server.origin, KEY);
    assert.deepEqual(await offered(), providerIds.map(modelAt));
    await api.parts.keys.remove(server.origin);
    assert.deepEqual(await offered(), ['ollama:qwen3:8b']);
  });

  it('include a server on this machine, with the window that it has now', async () => {
    const rules = chatRules.find(({ program }) => program === llamaCpp) ?? assert.fail();
    await using local = await new ChatCompletionsServer(rules).listen();
    try {
      assert.deepEqual(await offered(), ['ollama:qwen3:8b']);
      await setSetting('baseUrls', { ...server.baseUrls, llamacpp: `${local.origin}/v1` });
      assert.deepEqual(await offered(), ['ollama:qwen3:8b', `llamacpp:${rules.model}`]);
      const found = await api.parts.models.find(`llamacpp:${rules.model}`);
      assert.equal(found?.contextWindow, local.facts.window);
      // Added as a server, it is that one.
      const added = [{ name: 'Mine', address: local.origin.replace('127.0.0.1', 'localhost') }];
      await setSetting('openaiCompatible.servers', added);
      assert.ok(!(await offered()).includes(`llamacpp:${rules.model}`));
    } finally {
      await setSetting('openaiCompatible.servers', undefined);
      await setSetting('baseUrls', server.baseUrls);
    }
  });

  it('answer, and the conversation says what each answer and the branch cost', async () => {
    await api.parts.keys.set(server.origin, KEY);
    await setSetting('model', 'anthropic:claude-opus-5-5');
    await ask(api, 'one');
    await ask(api, 'two');
    assert.deepEqual(await messageText(api), ['one', 'Good day', 'two', 'Good day']);
    const view = await readConversation(api.parts);
    assert.deepEqual(
      view.messages.flatMap(({ usage }) => usage?.cost ?? []),
      [0.008, 0.008],
    );
    // Nobody waits for the count of a whole branch.
    const usage = await until(async () => (await readConversation(api.parts)).usage, 'the count');
    assert.deepEqual(usage, { inputTokens: 2_000, outputTokens: 400, cost: 0.016 });
    assert.deepEqual(
      view.messages[1]?.parts.map(({ type }) => type),
      ['reasoning', 'text'],
    );
    const [first] = await api.parts.conversations.path();
    await api.parts.conversations.rewind(first?.id ?? '');
    assert.equal((await readConversation(api.parts)).usage, undefined);
    await api.parts.conversations.switchBranch('main');
    assert.equal((await readConversation(api.parts)).usage?.cost, 0.016);
  });

  it('say in the chat that they are asked again, and can be stopped until then', async () => {
    await api.parts.keys.set(server.origin, KEY);
    await setSetting('model', 'openai:gpt-5.1');
    server.refusals.push({ status: 429, headers: { 'retry-after': '30' } });
    const run = await api.parts.conversations.ask('hello');
    await untilChanged(api, () => run.retry !== undefined);
    const { running } = await readConversation(api.parts);
    assert.match(running?.waiting ?? '', /Rate limited\. Retrying in 30 s \(1\/4\)…/);
    await vscode.commands.executeCommand('offshoot.stop');
    await run.done;
    assert.equal(run.status, 'interrupted');
  });

  describe('have their small model write titles', () => {
    const small = 'openai/gpt-oss-20b';
    const inUse = 'openai/gpt-oss-120b';
    const modelOf = ({ body }: { readonly body: string }): unknown =>
      (JSON.parse(body) as { readonly model?: unknown }).model;

    before(() => setSetting('titles', 'model'));
    after(() => setSetting('titles', 'words'));
    beforeEach(async () => {
      await api.parts.keys.set(server.origin, KEY);
      await setSetting('model', `groq:${inUse}`);
    });
    afterEach(() => (server.refuses = () => undefined));

    /** Asks, and waits for the title; which model wrote it. */
    const titled = async (): Promise<unknown> => {
      await ask(api, 'Which birds live here?');
      const { store, current } = api.parts;
      const chatId = await current.chatId();
      await untilChanged(api, async () => (await store.getChat(chatId))?.title === 'Good day');
      const [event] = await store.listEvents(chatId, { kind: 'titled' });
      return (event?.details as { readonly model?: unknown } | undefined)?.model;
    };

    it('where their account has it', async () => {
      assert.equal(await titled(), `groq:${small}`);
      assert.deepEqual(server.questions.map(modelOf), [inUse, small]);
    });

    for (const status of [404, 403, 400]) {
      it(`and the model in use where it is refused with status ${status}`, async () => {
        server.refuses = (request) => (modelOf(request) === small ? { status } : undefined);
        assert.equal(await titled(), `groq:${inUse}`);
        assert.deepEqual(server.questions.map(modelOf), [inUse, small, inUse]);
      });
    }
  });
});
