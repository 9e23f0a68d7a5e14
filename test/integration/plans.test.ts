import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readConversation } from '../../src/extension/chat/conversationView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { SelectedMode } from '../../src/extension/tools/selectedMode.ts';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ask, messageText, offshoot, sayOnPage, untilChanged, useModelServer } from './support.ts';

describe('a plan', () => {
  let api: Offshoot;
  const server = useModelServer((request) =>
    answer(
      lastQuestion(request).startsWith('Implement')
        ? 'All of it is done.'
        : '1. Greet in `src/greet.ts`.\n2. Run its test.',
    ),
  );

  before(async () => {
    api = await offshoot();
  });
  let planId = '';
  beforeEach('ask for a plan', async () => {
    await api.parts.current.startNew();
    await api.parts.mode.select('plan');
    await ask(api, 'Greet by name');
    const plan = (await readConversation(api.parts)).messages.at(-1);
    assert.ok(plan?.isPlan);
    planId = plan.id;
  });
  afterEach(async () => {
    await api.parts.mode.select('agent');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const offered = (): string[] =>
    (server().requests.at(-1)?.body.tools ?? []).map((tool) => tool.function.name);
  const carriedOut = async (): Promise<void> => {
    const { current, runs } = api.parts;
    await untilChanged(
      api,
      async () =>
        (await messageText(api)).at(-1) === 'All of it is done.' &&
        runs.list(await current.chatId()).length === 0,
    );
  };

  it('is asked for with tools that only read', () => {
    assert.ok(offered().includes('read_file'));
    assert.ok(!offered().includes('edit_file'), offered().join());
  });

  it('is carried out on a branch of its own, with all tools', async () => {
    await sayOnPage(api, { type: 'runCommandHere', command: 'carryOutPlan', messageId: planId });
    await carriedOut();
    assert.equal((await messageText(api)).at(-2), 'Implement this plan.');
    const { branch, mode } = await readConversation(api.parts);
    assert.deepEqual([branch, mode.id], ['main-v2', 'agent']);
    assert.ok(offered().includes('edit_file'));
  });

  it('is carried out as it was edited, and its editor closes', async () => {
    await sayOnPage(api, { type: 'runCommandHere', command: 'editPlan', messageId: planId });
    const editor = await until(() => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.scheme === 'offshoot-plan' && active;
    }, 'the plan in an editor');
    const { document } = editor;
    const end = document.lineAt(document.lineCount - 1).range.end;
    await editor.edit((edit) => edit.insert(end, '\n3. Say so in the notes.'));
    await vscode.commands.executeCommand('offshoot.carryOutEditedPlan', document.uri);
    await carriedOut();
    assert.match((await messageText(api)).at(-2) ?? '', /^Implement the edited plan:\s+1\. .+\s+3\. Say so/s);
    assert.ok(
      !vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => label === 'Plan.md'),
    );
    await api.parts.conversations.switchBranch('main');
    assert.deepEqual(await messageText(api), [
      'Greet by name',
      '1. Greet in `src/greet.ts`.\n2. Run its test.',
    ]);
  });

  it('is marked as one where it was asked for as one, and not the answer of another mode', async () => {
    await api.parts.mode.select('ask');
    await ask(api, 'What greets?');
    assert.ok(!offered().includes('edit_file'));
    const { messages } = await readConversation(api.parts);
    assert.deepEqual(
      messages.flatMap(({ role, isPlan }) => (role === 'assistant' ? [isPlan === true] : [])),
      [true, false],
    );
  });
});

describe('the mode', () => {
  it('is as it was selected for a window that opens with what was kept, and the agent’s where nothing else was', async () => {
    const kept = new Map<string, unknown>();
    const memory: vscode.Memento = {
      keys: () => [...kept.keys()],
      get: (key: string) => kept.get(key) as undefined,
      update: (key, value) => {
        kept.set(key, value);
        return Promise.resolve();
      },
    };
    const sandbox = {
      isUnasked: () => false,
      setUnasked: () => Promise.resolve(),
      whyNone: () => Promise.resolve(undefined),
    };
    const mode = new SelectedMode(memory, sandbox);
    assert.equal(mode.current, 'agent');
    await mode.select('ask');
    assert.equal(new SelectedMode(memory, sandbox).current, 'ask');
    await memory.update('offshoot.mode', 'a mode of a later version');
    assert.equal(mode.current, 'agent');
  });
});
