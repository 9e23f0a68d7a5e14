import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatPanel } from '../../src/extension/chat/chatPanel.ts';
import type { ChatPanels } from '../../src/extension/chat/chatPanels.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import type { Parts } from '../../src/extension/parts.ts';
import { until } from '../fixtures/until.ts';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { ask, offshoot, untilChanged, useModelServer } from './support.ts';

describe('chats in editor tabs', () => {
  let api: Offshoot;
  let chatPanels: ChatPanels;
  useModelServer((request) => answer(`You said ${lastQuestion(request)}`));
  before(async () => {
    api = await offshoot();
    chatPanels = await api.chatPanels();
  });
  beforeEach(async () => {
    await api.parts.current.startNew();
  });
  const labels = (): string[] =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
  const chatId = (): Promise<string> => api.parts.current.chatId();

  it('are named as their chats, one tab for each, and answer where they were asked', async () => {
    await ask(api, 'kept in a tab');
    const kept = await chatId();
    await vscode.commands.executeCommand('offshoot.openChatInEditor');
    await until(() => labels().includes('kept in a tab'), 'the tab to be named');
    await api.parts.conversations.renameChat(kept, 'renamed');
    await until(() => labels().includes('renamed'), 'the tab to be renamed');
    const tab = chatPanels.find(kept);
    assert.ok(tab);
    await api.parts.current.startNew();
    assert.equal(chatPanels.inUse, undefined);
    const place = { chatId: kept, branch: 'main' };
    await tab.view.receive({ type: 'sendMessage', place, text: 'asked in the tab' });
    assert.equal(chatPanels.inUse, tab);
    assert.equal(await chatId(), kept);
    const { store, runs } = api.parts;
    await untilChanged(
      api,
      async () => (await store.getActiveBranch(kept))?.messageCount === 4 && runs.list(kept).length === 0,
    );
    await vscode.commands.executeCommand('offshoot.openChatInEditor', { kind: 'chat', chatId: kept });
    assert.equal(labels().filter((label) => label === 'renamed').length, 1);
    tab.panel.dispose();
    await until(() => !labels().includes('renamed'), 'the tab to be gone');
    assert.equal(chatPanels.find(kept), undefined);
    assert.notEqual(await chatId(), kept);
  });

  it('close when their chat is deleted', async () => {
    await ask(api, 'deleted soon');
    const deleted = await chatId();
    await vscode.commands.executeCommand('offshoot.openChatInEditor');
    await until(() => labels().includes('deleted soon'), 'the tab');
    await api.parts.conversations.deleteChat(deleted);
    await until(() => !labels().includes('deleted soon'), 'the tab to close');
    assert.equal(chatPanels.inUse, undefined);
    assert.notEqual(await chatId(), deleted);
  });

  it('are restored by what their page kept, once each; what is no state of a page closes', async () => {
    const names = ['restored', 'the same again', 'no state'];
    const [first, second, third] = names.map((name) =>
      vscode.window.createWebviewPanel('offshoot.chat', name, vscode.ViewColumn.Active, {}),
    );
    assert.ok(first && second && third);
    chatPanels.restore(first, { chatId: 'restored chat', draft: 'typed' });
    chatPanels.restore(second, { chatId: 'restored chat' });
    chatPanels.restore(third, { chatId: 7 });
    await until(() => labels().includes('New chat'), 'the tab of a chat that is still to be made');
    await until(() => !names.some((name) => labels().includes(name)), 'the others to close');
    assert.equal(chatPanels.find('restored chat')?.panel, first);
    first.dispose();
    assert.equal(chatPanels.find('restored chat'), undefined);
  });

  it('listen to nothing any more once they are closed', async () => {
    const { deps, listeners } = counted(api.parts);
    const panel = vscode.window.createWebviewPanel('offshoot.chat', 'counted', vscode.ViewColumn.Active, {});
    const { extensionUri } = vscode.extensions.getExtension('offshoot.offshoot') ?? {};
    assert.ok(extensionUri);
    const tab = new ChatPanel(deps, await chatId(), panel, extensionUri, api.treeDrag);
    assert.ok(listeners() > 8, `${listeners()} listeners`);
    tab.dispose();
    assert.equal(listeners(), 0);
    panel.dispose();
  });
});

/** The parts, and how many listeners they have by what is given out here. */
function counted(parts: Parts): { deps: Parts; listeners: () => number } {
  let count = 0;
  const counting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (!String(name).startsWith('onDid')) return value.bind(target) as unknown;
        return (listener: (event: unknown) => void) => {
          const subscription = (value as vscode.Event<unknown>).call(target, listener);
          let isOver = false;
          count += 1;
          return {
            dispose: () => {
              if (!isOver) count -= 1;
              isOver = true;
              subscription.dispose();
            },
          };
        };
      },
    });
  const members = Object.entries(parts).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'object' && value !== null ? counting(value) : value,
  ]);
  return { deps: counting(Object.fromEntries(members) as Parts), listeners: () => count };
}
