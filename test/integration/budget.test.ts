import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { finish, lastQuestion, say, usage } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useShownTree } from './shownTree.ts';
import { ask, sayOnPage, setSetting, useModelServer } from './support.ts';

describe('a budget', () => {
  const shown = useShownTree();
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    return [say(`You said ${question}`), usage(1_000, 100), finish()];
  });

  before(async () => {
    const price = { input: 20, output: 100, contextWindow: 100_000, maxOutput: 1_000 };
    await setSetting('modelOverrides', { 'openai-compatible/test-model': price });
  });
  afterEach(async () => {
    await setSetting('budget', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => setSetting('modelOverrides', undefined));

  const tooltips = async ({ parts }: Offshoot): Promise<string[]> => {
    const { tree, openChat } = shown();
    const texts: string[] = [];
    const roots = await tree.getChildren(await openChat());
    const below = await Promise.all(roots.map((node) => tree.getChildren(node)));
    for (const node of [...roots, ...below.flat()]) {
      const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(node), node);
      assert.ok(tooltip instanceof vscode.MarkdownString, `a tooltip in ${parts.log.name}`);
      // Without what keeps it from being read as Markdown.
      texts.push(tooltip.value.replaceAll(/[\\*]/gu, ''));
    }
    return texts;
  };

  it('is told of in the tooltip of each branch, by its label, and in the comparison', async () => {
    const { api } = shown();
    const { conversations, current } = api.parts;
    await ask(api, 'one');
    await ask(api, 'two');
    const [, first] = await conversations.path();
    await conversations.rewind(first?.id ?? '');
    await ask(api, 'three');
    const [main = '', other = ''] = await tooltips(api);
    assert.match(main, /^Main line\s[^]*Cost of this branch: \$0\.06/);
    assert.match(other, /^three\s[^]*from Main line[^]*Cost of this branch: \$0\.03/);
    assert.doesNotMatch(main + other, /main-v2/);

    const chatId = await current.chatId();
    const branch = (name: string) => ({ kind: 'branch', chatId, name });
    const pair = [branch('main'), branch('main-v2')];
    await vscode.commands.executeCommand('offshoot.compareBranches', pair[0], pair);
    const label = await until(() => {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      return tab?.input instanceof vscode.TabInputTextDiff && tab.label;
    }, 'the comparison');
    assert.match(label, /Main line ↔ three · \$0\.03 ↔ \$0\.03/);
    const sides = vscode.window.visibleTextEditors.map(({ document }) => document.languageId);
    assert.deepEqual(sides, ['markdown', 'markdown'], 'both open in the language of conversations');
  });

  it('that is reached goes on after “Raise Cap…” in the chat', async () => {
    const { api } = shown();
    const { conversations, runs, settings } = api.parts;
    await setSetting('budget', { perMessage: { tokens: 100 } });
    const before = server().requests.length;
    const run = await conversations.ask('one');
    await run.done;
    assert.equal(run.error?.code, 'budget-reached');
    assert.equal(server().requests.length, before, 'nothing was sent');
    const raised = sayOnPage(api, { type: 'retryAnswer', branch: run.branch, onBudget: 'raise' });
    // The only cap there is; twice as much is proposed.
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return JSON.stringify(settings.get('budget')) === '{"perMessage":{"tokens":200}}';
    }, 'the proposed cap to be set');
    await raised;
    await runs.get(run.chatId, run.branch)?.done;
    assert.equal(server().requests.length, before, 'that is not enough either');
    await setSetting('budget', { perMessage: { tokens: 50_000 } });
    await sayOnPage(api, { type: 'retryAnswer', branch: run.branch });
    await runs.get(run.chatId, run.branch)?.done;
    assert.equal(server().requests.length, before + 1);
  });
});
