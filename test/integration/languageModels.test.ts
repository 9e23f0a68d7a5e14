import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, messageText, setSetting, untilChanged } from './support.ts';

interface Seen {
  readonly requests: readonly { readonly text: string }[][];
  readonly offered: readonly (readonly string[])[];
  readonly cancelled: number;
  readonly thoughts: readonly string[];
}

describe("VS Code's own models", () => {
  let api: Offshoot;
  let seen: Seen;

  before(async () => {
    api = await offshoot();
    const provider = vscode.extensions.getExtension<Seen>('offshoot-test.lm-provider');
    assert.ok(provider, 'the extension that brings the model is there');
    seen = await provider.activate();
    await setSetting('model', 'vscode:offshoot-test/echo');
  });
  after(() => setSetting('model', undefined));
  beforeEach(() => api.parts.current.startNew());

  const lastError = async (): Promise<string | undefined> =>
    (await readConversation(api.parts)).messages.at(-1)?.error;

  it('are listed', async () => {
    const { models } = await api.parts.models.list();
    assert.ok(models.some(({ id, label }) => id === 'vscode:offshoot-test/echo' && label === 'Echo'));
  });

  it('stream their answer, and get the whole path', async () => {
    await ask(api, 'one');
    await ask(api, 'two');
    assert.deepEqual(await messageText(api), ['one', 'You said one', 'two', 'You said two']);
    const sent = seen.requests.at(-1)?.map(({ text }) => text) ?? [];
    assert.deepEqual(sent.slice(-3), ['one', 'You said one', 'two']);
  });

  it('are told when the user presses Stop, and what had come is kept', async () => {
    const before = seen.cancelled;
    const run = await api.parts.conversations.ask('wait');
    await untilChanged(api, () => JSON.stringify(run.message()).includes('wait'));
    await api.parts.conversations.stop();
    await until(() => seen.cancelled === before + 1, 'the model to be told');
    assert.equal(run.status, 'interrupted');
    assert.deepEqual(await messageText(api), ['wait', 'You said wait']);
  });

  it('show what they think', async () => {
    await setSetting('model', 'vscode:offshoot-test/thinker');
    try {
      await ask(api, 'Think.');
      const { messages } = await readConversation(api.parts);
      assert.deepEqual(
        messages.at(-1)?.parts.map((part) => ('text' in part ? [part.type, part.text] : part.type)),
        [
          ['reasoning', 'Let me think.'],
          ['text', 'Thought.'],
        ],
      );
    } finally {
      await setSetting('model', 'vscode:offshoot-test/echo');
    }
  });

  it('get what they thought back with the results of their tools, as it was', async () => {
    await setSetting('model', 'vscode:offshoot-test/thinking-caller');
    try {
      await ask(api, 'Think, and look.');
      assert.equal((await messageText(api)).at(-1), 'Found.', (await lastError()) ?? '');
      assert.deepEqual(seen.thoughts, ['Let me look.', '']);
    } finally {
      await setSetting('model', 'vscode:offshoot-test/echo');
    }
  });

  it('say that a conversation is too long, and the chat offers a summary', async () => {
    await ask(api, 'fail Message exceeds token limit.');
    const { messages } = await readConversation(api.parts);
    assert.match(
      messages.at(-1)?.error ?? '',
      /Context window of Echo exceeded: Message exceeds token limit/,
    );
    assert.equal(messages.at(-1)?.canSummarize, true);
  });

  it('that take no tools are offered none, and those that do call them and get their results', async () => {
    await ask(api, 'hello');
    assert.deepEqual(seen.offered.at(-1), []);
    await setSetting('model', 'vscode:offshoot-test/caller');
    await api.parts.current.startNew();
    await ask(api, 'call find_files {"pattern": "src/*.ts"}');
    assert.ok(seen.offered.at(-1)?.includes('find_files'));
    assert.equal((await messageText(api)).at(-1), 'find_files said: src/greet.ts');
    // Its calls have to have their results in the next question as well.
    await ask(api, 'call find_files {"pattern": "no such file"}');
    assert.match((await messageText(api)).at(-1) ?? '', /^find_files said: /);
    const own = seen.offered.at(-1)?.filter((name) => /^(vscode|copilot)_|^run_in_terminal$/.test(name));
    assert.deepEqual(own, []);
    await setSetting('model', 'vscode:offshoot-test/echo');
  });
});
