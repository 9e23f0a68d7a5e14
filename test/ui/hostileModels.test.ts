import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user } from '../../src/engine/fragments/index.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';
import {
  answer,
  refuse,
  toolResultsOf,
  useTools,
  type RecordedRequest,
  type Reply,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { exactly } from './support/text.ts';
import { isInert, read, Surfaces } from './support/surfaces.ts';
import { useChat } from './support/useChat.ts';
import { useNamesProbe } from './support/useNamesProbe.ts';

const COMMAND = '[x](command:workbench.action.files.newUntitledFile)';

/** What a model, or the server it is on, may call a thing. */
const names: readonly string[] = [
  COMMAND,
  '$(trash) $(sync~spin)',
  '**b** _i_ `c` # h',
  '<a href="command:x">y</a> <img src=x>',
  '![i](https://evil.example/i.png) https://evil.example',
];
const all = names.slice(0, 4).join(' ');

/** It makes up a name for whatever it can name. */
function script(request: RecordedRequest): Reply {
  // Asked for a title, beside the conversation.
  if (request.body.tools === undefined) return answer(`${all}\n`);
  if (JSON.stringify(request.body.messages.at(-1)).includes('refuse')) return refuse(400, { message: all });
  if (toolResultsOf(request).length > 0) return answer('Kept.');
  return useTools(
    ...names.map((key) => ['set_state', { key, value: key }] as const),
    ...names.map((name) => ['save_artifact', { name, content: name }] as const),
    [COMMAND, {}],
    ['$(trash)', { path: COMMAND }],
  );
}

/** A chat that a file brought, with a checkpoint; neither was cleaned by anybody. */
async function importedChat(): Promise<string> {
  const store = memoryStore();
  const engine = new ContextEngine({ store, chatId: 'imported', userId: 'somebody' });
  engine.set(user('Which name?', { id: 'question' }), assistant('None of these.', { id: 'answer' }));
  await engine.save();
  const chat = await store.exportChat('imported');
  await engine.close();
  await store.close();
  const checkpoints = [{ name: all, messageId: 'answer', createdAt: 1 }];
  const chats = [{ ...chat, title: all, checkpoints }];
  return JSON.stringify({ format: 'offshoot-conversations', version: 1, exportedAt: 0, chats, blobs: {} });
}

describe('names that a model or its server made up, in the workbench', () => {
  const linked = useNamesProbe();
  const use = useChat(script, {
    linked,
    models: names,
    viewport: { width: 1400, height: 1800 },
    settings: { 'offshoot.titles': 'model', 'offshoot.openaiCompatible.model': COMMAND },
  });
  const surfaces = (): Surfaces => new Surfaces(use().workbench);

  /** All of these rows are there, and none has a link, a picture, or an icon besides its own. */
  const areInert = async (rows: Locator, wanted: readonly string[], within: string): Promise<void> => {
    const labels = async (): Promise<string[]> => (await rows.allTextContents()).map(read);
    await until(
      async () => {
        const shown = await labels();
        return wanted.every((name) => shown.some((row) => row.includes(name)));
      },
      `rows of ${wanted.join(', ')}`,
    ).catch(async (error: unknown) => {
      throw new Error((await labels()).join('\n'), { cause: error });
    });
    assert.equal(await rows.locator('a[href], a[data-href], img').count(), 0);
    assert.equal(await rows.locator(within).count(), 0);
  };
  const picked = async (command: string, label: string): Promise<void> => {
    const { workbench } = use();
    await surfaces().tidy();
    await workbench.runCommand(command);
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await until(async () => {
      // The element itself: while the list is still being filled, another one may take its place.
      for (const row of await rows.elementHandles()) {
        if (!read((await row.textContent()) ?? '').includes(label)) continue;
        await row.click({ timeout: 1_000 });
        return true;
      }
      return false;
    }, `${label} in the list of ${command}`);
  };

  it('make none of models in the list to choose from', async () => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.selectModel');
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await areInert(rows, names, ':is(.codicon-trash, .codicon-sync)');
    await surfaces().dismiss();
  });

  it('make none of keys, artifacts and tools in the Context view, and in tabs', async () => {
    const { chat, workbench } = use();
    const { page, contextView } = workbench;
    await chat.send('keep');
    await chat.message('Kept.').waitFor();
    await chat.answered(2);
    await workbench.tree.fold();
    await workbench.setSidebarWidth(500);
    await contextView.open();
    await contextView.setHeight(900);
    const rows = contextView.root.locator('.monaco-list-row .monaco-icon-label');
    await areInert(rows, names, ':is(.label-name, .label-description) .codicon');
    const key = contextView.root.locator('.monaco-list-row .label-name', { hasText: exactly(COMMAND) });
    await isInert(await surfaces().hoverOf(key.first()), COMMAND);
    await surfaces().tidy();

    const call = chat.frame.locator('.tool', { hasText: COMMAND }).last();
    await call.locator('summary').click();
    await call.getByRole('button', { name: 'Open in Editor' }).click();
    await page.locator('.tab.active', { hasText: 'Tool call' }).waitFor();
    await contextView.click('$(trash) $(sync~spin)');
    const tab = page.locator('.tab.active .label-name');
    await isInert(tab, '$(trash) $(sync~spin)');
    await workbench.runCommand('workbench.action.showAllEditorsByMostRecentlyUsed');
    const editor = page.locator('.quick-input-list .monaco-list-row .label-name').first();
    await isInert(editor, '$(trash) $(sync~spin)');
    await surfaces().dismiss();
    await workbench.runCommand('workbench.action.closeAllEditors');
  });

  it('make none of a refusal of the server', async () => {
    const { chat } = use();
    await chat.send('refuse');
    const failure = chat.frame.locator('.status.failed');
    await failure.waitFor();
    await failure.getByText(COMMAND).waitFor();
    assert.equal(await failure.locator('a, img').count(), 0);
  });

  it('make none of a title in the notification after archiving, be it the model’s or of a file', async () => {
    const { workbench } = use();
    await writeFile(path.join(workbench.folder, 'chats.json'), await importedChat());
    await surfaces().tidy();
    await workbench.runCommand('probe.import');
    await use().chat.message('None of these.').waitFor();
    const cleaned = 'x trash sync~spin b i c # h y';
    await picked('offshoot.archiveChat', cleaned);
    await isInert(await surfaces().message(`Archived “${cleaned}”`), `Archived “${cleaned}”`);
    await picked('offshoot.archiveChat', COMMAND);
    const imported = await surfaces().message('Archived “[x]');
    await isInert(imported, `Archived “${all}”`);
    // A click on what looks like a link does nothing.
    await imported.click();
    assert.equal(await workbench.page.locator('.tab', { hasText: 'Untitled' }).count(), 0);
    await workbench.notifications.press('Archived “[x]', 'Undo');
    await use().chat.message('None of these.').waitFor();
  });

  it('make none in the dialogs that ask before something is done', async () => {
    const { workbench } = use();
    const { dialog, page } = workbench;
    const box = page.locator('.monaco-dialog-box');
    const isPlain = async (text: string): Promise<void> => {
      await box.waitFor();
      assert.equal(read(await dialog.message()), text);
      assert.equal(await box.locator('.dialog-message-container :is(a, img, .codicon)').count(), 0);
      await dialog.press('Cancel');
    };
    await picked('offshoot.deleteChat', COMMAND);
    await isPlain(`Delete the chat “${all}”?`);
    await surfaces().tidy();
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer(all);
    await isPlain(`There is a checkpoint “${all}” already.`);
  });
});
