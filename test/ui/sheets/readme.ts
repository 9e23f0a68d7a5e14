import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, say, startOpenAiServer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { ChatPage } from '../support/chatPage.ts';
import { root } from '../support/host.ts';
import { Workbench } from '../support/workbench.ts';

const theme = 'Default Dark Modern';

/** The pictures of the README. */
export async function writeReadmePictures(): Promise<void> {
  await writeTree();
  await writeApproval();
}

/** The chat with its tree, and the graph next to it, of the sample chat. */
async function writeTree(): Promise<void> {
  const workbench = await Workbench.open({
    settings: { 'offshoot.demo.pace': 0, 'window.commandCenter': false },
    theme,
    viewport: { width: 1180, height: 860 },
  });
  try {
    const chat = new ChatPage(workbench);
    await workbench.openOffshoot();
    await workbench.setSidebarWidth(400);
    await workbench.runCommand('offshoot.openSampleChat');
    await chat.message('I want to build a small habit tracker').waitFor();
    await chat.openPanel('sideQuestions');
    await chat.frame.getByRole('button', { name: 'Close; the branch stays in the tree' }).click();
    await chat.message('What would the data look like?').scrollIntoViewIfNeeded();
    await workbench.tree.root.locator('.monaco-list-row').nth(4).waitFor();
    await workbench.runCommand('offshoot.showGraph');
    await workbench.panel.locator('.graph-row').first().waitFor();
    await workbench.page.mouse.move(590, 855);
    await write(workbench, 'chat', '.part.sidebar');
    await write(workbench, 'graph', '.part.editor');
  } finally {
    await workbench.close();
  }
}

const before = "export function greet(name: string): string {\n  return 'Hello ' + name;\n}\n";
const after = "export function greet(name = 'world'): string {\n  return `Hello, ${name}!`;\n}\n";

/** A change that the agent asks to make, with its diff. */
async function writeApproval(): Promise<void> {
  const edit = { path: 'src/greet.ts', oldText: before, newText: after };
  await using server = await startOpenAiServer({
    script: (request) =>
      toolResultsOf(request).length > 0
        ? answer('It greets the world now.')
        : [say('A default for the name covers that case, too.'), ...useTools(['edit_file', edit])],
  });
  const workbench = await Workbench.open({
    settings: {
      'window.commandCenter': false,
      'offshoot.openaiCompatible.baseUrl': server.baseUrl,
      'offshoot.openaiCompatible.model': 'test-model',
    },
    theme,
    viewport: { width: 1180, height: 560 },
  });
  try {
    const chat = new ChatPage(workbench);
    await mkdir(path.join(workbench.folder, 'src'), { recursive: true });
    await writeFile(path.join(workbench.folder, 'src', 'greet.ts'), before);
    await workbench.openOffshoot();
    await workbench.tree.fold();
    await workbench.setSidebarWidth(400);
    await chat.send('Greet the world when no name is given');
    await chat.frame.getByRole('alert').filter({ hasText: 'Allow edit to' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .view-line').first().waitFor();
    await workbench.page.mouse.move(900, 400);
    await write(workbench, 'approval', '.part.sidebar', '.part.editor');
  } finally {
    await workbench.close();
  }
}

/** Writes a picture of a part, or of the space from its left edge to the right edge of another. */
async function write({ page }: Workbench, name: string, from: string, to = from): Promise<void> {
  // Colors of code and of the theme come a moment later.
  await page.waitForTimeout(1_500);
  const [left, right] = await Promise.all([from, to].map((part) => page.locator(part).boundingBox()));
  if (!left || !right) throw new Error(`The workbench shows no ${from} or no ${to}.`);
  const clip = { ...left, width: right.x + right.width - left.x };
  await page.screenshot({ path: path.join(root, 'media', `screenshot-${name}.png`), clip });
}
