import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { answer } from '../fixtures/openaiServer.ts';
import { compressedPdf } from '../fixtures/pdfs.ts';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { useChat } from './support/useChat.ts';

describe('what a question takes along', () => {
  const use = useChat(() => answer('I see.'), { viewport: { width: 1500, height: 860 } });
  const tab = (): ChatPage => new ChatPage(use().workbench, 'panel');
  const chipOf = (page: ChatPage): Locator => page.frame.locator('.editor-chip');
  const lastContent = (): string =>
    JSON.stringify(use().server.requests.at(-1)?.body.messages.at(-1)?.content);
  const open = async (file: string): Promise<void> => {
    const { workbench } = use();
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type(file);
    await workbench.quickInput.choose(file);
    await workbench.page.getByRole('tab', { name: file }).first().waitFor();
  };

  before('files', async () => {
    const { folder } = use().workbench;
    await writeFile(path.join(folder, 'paper.pdf'), compressedPdf(3));
    await writeFile(path.join(folder, 'broken.json'), '{"a":');
  });

  beforeEach('a new chat in the side bar alone', async () => {
    const { chat, workbench } = use();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.openOffshoot();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  });

  it('is the selection of the editor, which stands in the question; the file alone is only suggested', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await open('greet.ts');
    const chip = chipOf(chat);
    await chip.filter({ hasText: 'greet.ts' }).waitFor();
    assert.equal(await chip.getAttribute('aria-pressed'), 'false');
    await page.locator('.monaco-editor .view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await chip.filter({ hasText: ':1–2' }).waitFor();
    await workbench.screenshot('editor chip');
    await chat.ask('What is this?');
    assert.match(lastContent(), /The user attached src\/greet\.ts, lines 1–2 of/u);
    await chat.frame.locator('.message.user .chip', { hasText: 'src/greet.ts:1–2' }).waitFor();
  });

  it('is what is dropped from the Explorer and from a tab, onto a chat in a tab, which shows the chip as well', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await open('greet.ts');
    await workbench.runCommand('offshoot.openChatInEditor');
    await chipOf(tab()).filter({ hasText: 'greet.ts' }).waitFor();
    await workbench.runCommand('workbench.files.action.focusFilesExplorer');
    const row = (name: string): Locator =>
      page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
    const middleOf = async (target: Locator): Promise<{ x: number; y: number }> => {
      const box = await until(() => target.boundingBox(), 'it to be on the screen');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const drag = async (source: Locator, target = tab()): Promise<void> => {
      const { mouse, keyboard } = page;
      const from = await middleOf(source);
      const to = await middleOf(target.frame.locator('.scroller'));
      await mouse.move(from.x, from.y);
      await mouse.down();
      await mouse.move(from.x + 10, from.y + 5, { steps: 5 });
      await keyboard.down('Shift');
      await mouse.move(to.x, to.y, { steps: 4 });
      await mouse.move(to.x, to.y + 20, { steps: 4 });
      await target.frame.getByText('Drop to attach').waitFor();
      await workbench.screenshot('dragging a file');
      await mouse.up();
      await keyboard.up('Shift');
    };
    const tray = tab().frame.locator('.tray-item');
    // A click on a file would open it in place of the chat: from the folder on, the keyboard selects.
    await row('src').click();
    await page.keyboard.press('ArrowLeft');
    const selected = page.locator('.explorer-folders-view .monaco-list-row.selected');
    await until(async () => {
      if ((await selected.filter({ hasText: 'paper.pdf' }).count()) > 0) return true;
      await page.keyboard.press('Shift+ArrowDown');
      return false;
    }, 'several to be selected');
    await drag(row('notes.md'));
    await until(async () => (await tray.count()) === (await selected.count()), 'all of them');
    const names = await tray.allInnerTexts();
    for (const name of ['notes.md', 'paper.pdf', 'src/']) assert.ok(names.includes(name), names.join());
    await workbench.screenshot('dropped');
    await tab().input.fill('What are these?');
    await tab().input.press('Enter');
    await until(() => Promise.resolve(lastContent().includes('What are these?')), 'the question');
    assert.match(lastContent(), /The user attached notes\.md:\].*A PDF, “paper\.pdf”, was left out/u);
    await tab().frame.locator('.message.user .chip', { hasText: '3 pages' }).waitFor();
    await workbench.runCommand('offshoot.tree.focus');
    const editorTab = page.locator('.tabs-container .tab', { hasText: 'greet.ts' }).first();
    // VS Code redraws a tab when it comes to the front.
    await editorTab.click();
    await page.locator('.monaco-editor .view-line').first().waitFor();
    await drag(editorTab, chat);
    await chat.frame.locator('.tray-item', { hasText: 'src/greet.ts' }).waitFor();
  });

  it('is a problem, by its quick fix', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await open('broken.json');
    await page.locator('.squiggly-error').first().waitFor();
    await page.locator('.monaco-editor.focused .view-line').first().click();
    await workbench.runCommand('editor.action.marker.nextInFiles');
    await workbench.runCommand('editor.action.quickFix');
    const action = page.locator('.action-widget').getByText('Add Problem to Offshoot Chat');
    await action.waitFor();
    await workbench.screenshot('quick fix');
    await action.click();
    await chat.frame.locator('.tray-item', { hasText: 'Problem in broken.json:1' }).waitFor();
  });
});
