import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LookBack } from '../../src/extension/branches/lookBack.ts';
import { until } from '../fixtures/until.ts';
import { useFileTurns } from './fileTurns.ts';

describe('looking back along a branch', () => {
  const use = useFileTurns();

  const shownTexts = (): string[] =>
    vscode.window.visibleTextEditors.map(({ document }) => document.getText()).sort();
  const activeTabs = (): string[] =>
    vscode.window.tabGroups.all.flatMap(({ activeTab }) =>
      activeTab?.input instanceof vscode.TabInputText ? [activeTab.input.uri.scheme] : [],
    );

  it('shows the files of open editors as they were, writes nothing, and comes back', async () => {
    const { api, files, turn } = use();
    await files.write('a.txt', 'of the user');
    const first = await turn({ 'a.txt': 'one', 'b.txt': 'new' });
    await turn({ 'a.txt': 'two' });
    await turn({ 'b.txt': null });
    await files.write('other.txt', 'other');
    await vscode.window.showTextDocument(files.uri('a.txt'), { preview: false });
    await vscode.window.showTextDocument(files.uri('other.txt'), { viewColumn: vscode.ViewColumn.Beside });
    const looking = new LookBack(api.parts, () => api.parts.current.chatId());
    const shows = async (expected: readonly string[]): Promise<void> => {
      await until(() => shownTexts().join() === expected.join(), `[${expected.join()}]`);
    };
    try {
      const end = await looking.show(undefined);
      assert.deepEqual([end?.place, end?.count, end?.files], [5, 6, 0]);
      await shows(['other', 'two']);
      assert.deepEqual(activeTabs(), ['file', 'file']);

      assert.equal((await looking.showMessage(first))?.files, 1);
      await shows(['one', 'other']);
      assert.deepEqual(activeTabs(), ['offshoot-moment', 'file']);
      await looking.show(0);
      await shows(['of the user', 'other']);
      await looking.show(4);
      await shows(['other', 'two']);
      assert.equal(await looking.showMessage('elsewhere'), undefined);
      assert.equal(await files.text('a.txt'), 'two');

      await looking.end();
      await shows(['other', 'two']);
      assert.deepEqual(activeTabs(), ['file', 'file']);
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      assert.equal(tabs.length, 2);
    } finally {
      looking.dispose();
    }
  });

  it('says where there was no file, and does not touch one that the user went to', async () => {
    const { api, files, turn } = use();
    await turn({ 'made.txt': 'made' });
    await files.write('mine.txt', 'mine');
    await vscode.window.showTextDocument(files.uri('made.txt'), { preview: false });
    const looking = new LookBack(api.parts, () => api.parts.current.chatId());
    try {
      await looking.show(0);
      const expected = 'There was no such file at this point.';
      await until(() => shownTexts().join() === expected, 'the text for no file');
      await vscode.window.showTextDocument(files.uri('mine.txt'), { preview: false });
      await looking.end();
      assert.deepEqual(
        vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()),
        [files.uri('mine.txt').toString()],
      );
      const names = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
      assert.deepEqual(names.sort(), ['made.txt', 'mine.txt']);
    } finally {
      looking.dispose();
    }
  });
});
