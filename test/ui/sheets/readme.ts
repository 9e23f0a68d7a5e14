import path from 'node:path';
import { ChatPage } from '../support/chatPage.ts';
import { root } from '../support/host.ts';
import { Workbench } from '../support/workbench.ts';

/** The chat with its tree, and the graph next to it, of the sample chat. */
export async function writeReadmePictures(): Promise<void> {
  const workbench = await Workbench.open({
    settings: { 'offshoot.demo.pace': 0, 'window.commandCenter': false },
    theme: 'Default Dark Modern',
    viewport: { width: 1180, height: 860 },
  });
  try {
    const chat = new ChatPage(workbench);
    await workbench.openOffshoot();
    await workbench.setSidebarWidth(400);
    await workbench.runCommand('offshoot.openSampleChat');
    await chat.message('I want to build a small habit tracker').waitFor();
    await chat.frame.getByRole('button', { name: 'Close; the branch stays in the tree' }).click();
    await chat.message('What would the data look like?').scrollIntoViewIfNeeded();
    await workbench.tree.root.locator('.monaco-list-row').nth(4).waitFor();
    await workbench.runCommand('offshoot.showGraph');
    await workbench.panel.locator('.graph-row').first().waitFor();
    await workbench.page.mouse.move(590, 855);
    // Colors of code and of the theme come a moment later.
    await workbench.page.waitForTimeout(1_500);
    const sidebar = await workbench.page.locator('.part.sidebar').boundingBox();
    const editor = await workbench.page.locator('.part.editor').boundingBox();
    if (!sidebar || !editor) throw new Error('The workbench shows no side bar or no editor.');
    await workbench.page.screenshot({ path: path.join(root, 'media', 'screenshot-chat.png'), clip: sidebar });
    await workbench.page.screenshot({ path: path.join(root, 'media', 'screenshot-graph.png'), clip: editor });
  } finally {
    await workbench.close();
  }
}
