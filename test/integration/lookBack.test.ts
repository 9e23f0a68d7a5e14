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

  it('shows one file in two editors, each where it was scrolled to, and leads back to both', async () => {
    const { api, files, turn } = use();
    const lines = (word: string): string =>
      Array.from({ length: 400 }, (_, at) => `${word} ${at}\n`).join('');
    const first = await turn({ 'long.txt': lines('one') });
    await turn({ 'long.txt': lines('two') });
    const file = files.uri('long.txt');
    const tops = (): number[] =>
      vscode.window.visibleTextEditors
        .toSorted((one, other) => (one.viewColumn ?? 0) - (other.viewColumn ?? 0))
        .map(({ visibleRanges: [range] }) => range?.start.line ?? 0);
    const reveal = (editor: vscode.TextEditor, line: number): void =>
      editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.InCenter);
    reveal(await vscode.window.showTextDocument(file, { preview: false }), 300);
    reveal(
      await vscode.window.showTextDocument(file, { preview: false, viewColumn: vscode.ViewColumn.Two }),
      100,
    );
    await until(
      () => tops().every((top, at) => Math.abs(top - ([300, 100][at] ?? 0)) < 50),
      'both to be scrolled',
    );
    const before = tops();
    const isScrolled = (): boolean => tops().every((top, at) => Math.abs(top - (before[at] ?? 0)) <= 2);
    const looking = new LookBack(api.parts, () => api.parts.current.chatId());
    try {
      assert.equal((await looking.showMessage(first))?.files, 1);
      await until(() => shownTexts().every((text) => text === lines('one')), 'both as they were');
      assert.deepEqual(activeTabs(), ['offshoot-moment', 'offshoot-moment']);
      await until(isScrolled, 'both where they were');
      await looking.end();
      await until(() => shownTexts().every((text) => text === lines('two')), 'both as they are');
      assert.deepEqual(activeTabs(), ['file', 'file']);
      await until(isScrolled, 'both where they were');
    } finally {
      looking.dispose();
    }
  });

  it('shows a file that is gone by now, and says where there was none or no text', async () => {
    const { api, files, turn } = use();
    const asText = await turn({ 'old name.txt': 'text', 'picture.txt': Uint8Array.of(0, 1, 2, 0) });
    await turn({ 'picture.txt': 'text now' });
    await vscode.window.showTextDocument(files.uri('picture.txt'), { preview: false });
    await vscode.window.showTextDocument(files.uri('old name.txt'), {
      preview: false,
      viewColumn: vscode.ViewColumn.Two,
    });
    // As a tool moves it.
    await turn({ 'old name.txt': null, 'new name.txt': 'text' });
    await vscode.window.showTextDocument(files.uri('new name.txt'), {
      preview: false,
      viewColumn: vscode.ViewColumn.Three,
    });
    const looking = new LookBack(api.parts, () => api.parts.current.chatId());
    try {
      assert.equal((await looking.showMessage(asText))?.files, 3);
      await until(
        () => shownTexts().some((text) => text.startsWith('Binary file, 4 bytes, SHA-256 ')),
        'what is no text',
      );
      assert.deepEqual(shownTexts().slice(1), ['There was no such file at this point.', 'text']);
      await looking.end();
      assert.ok(!activeTabs().includes('offshoot-moment'), activeTabs().join());
      await until(() => shownTexts().filter((text) => text.startsWith('text')).length >= 2, 'the files');
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
