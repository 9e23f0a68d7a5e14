import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useShownTree } from './shownTree.ts';
import { ask, messageText, useModelServer } from './support.ts';

describe('chats in lists', () => {
  useModelServer((request) => answer(`You said ${lastQuestion(request)}`));
  const shown = useShownTree();

  it('stand first when they are pinned, and are out of them while they are archived', async () => {
    const { api, reopen } = shown();
    const { current } = api.parts;
    const names = new Map<string, string>();
    const listed = async (): Promise<string[]> => {
      reopen();
      return (await shown().tree.getChildren()).flatMap(({ chatId }) => names.get(chatId) ?? []);
    };
    const run = async (command: string, chat: string): Promise<void> => {
      const [chatId] = [...names].find(([, name]) => name === chat) ?? [];
      await vscode.commands.executeCommand(`offshoot.${command}`, { kind: 'chat', chatId });
    };
    for (const name of ['older', 'newer']) {
      await current.startNew();
      await ask(api, name);
      names.set(await current.chatId(), name);
    }
    assert.deepEqual(await listed(), ['newer', 'older']);
    await run('pinChat', 'older');
    assert.deepEqual(await listed(), ['older', 'newer']);

    await run('archiveChat', 'newer');
    assert.deepEqual(await listed(), ['older']);
    assert.deepEqual(await messageText(api), ['older', 'You said older'], 'the next one is open');
    const unarchived = vscode.commands.executeCommand('offshoot.showArchivedChats');
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await listed()).length === 2;
    }, 'the chat that was archived');
    await unarchived;
    assert.deepEqual(await messageText(api), ['newer', 'You said newer']);
    assert.deepEqual(await listed(), ['older', 'newer']);
    await run('unpinChat', 'older');
    await ask(api, 'another');
    assert.deepEqual(await listed(), ['newer', 'older']);
  });
});
