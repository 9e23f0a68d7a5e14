import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user } from '../../src/engine/fragments/index.ts';
import type { PortableChat } from '../../src/engine/portableChat.ts';
import { plainText } from '../../src/extension/ui/inertText.ts';
import { allNames, hostileNames, reorderedNames, shortName } from '../fixtures/hostileNames.ts';
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
import type { PageElement } from './support/pageElement.ts';
import { exactly } from './support/text.ts';
import { isInert, read, Surfaces } from './support/surfaces.ts';
import { useChat } from './support/useChat.ts';
import { useNamesProbe } from './support/useNamesProbe.ts';

const names: readonly string[] = Object.values(hostileNames);
const titles = [...names, ...Object.values(reorderedNames)];

/** Names of branches and checkpoints as a store takes them. */
const storable = names.map((name) => name.slice(0, 200).trim());

const FILE = '$(zap) [x](command:y) &amp;.md';

/** A chat whose title, branches, checkpoints, state and artifacts have hostile names, and one chat for each title. */
async function hostileChats(): Promise<string> {
  const store = memoryStore();
  const engine = new ContextEngine({ store, chatId: 'hostile', userId: 'someone' });
  engine.set(user('Which name?', { id: 'question' }), assistant('None of these.', { id: 'answer' }));
  for (const name of names) {
    engine.state.set(name, name);
    await engine.artifacts.save(name, new Uint8Array([1]), { mediaType: 'text/plain' });
  }
  await engine.save();
  const chat = await store.exportChat('hostile');
  await store.close();
  const [main] = chat.branches;
  assert.ok(main);
  const hostile: PortableChat = {
    ...chat,
    title: allNames,
    branches: [...storable.map((name) => ({ ...main, name, isActive: false })), main],
    checkpoints: storable.map((name) => ({ name, messageId: 'answer', createdAt: 1 })),
  };
  const plain = titles.map((title, index) => ({
    ...chat,
    id: `plain ${index}`,
    title,
    messages: chat.messages.map((message) => ({ ...message, effects: {} })),
  }));
  return fileOf([hostile, ...plain]);
}

/** A file whose import fails for an id with a command in it. */
async function failing(): Promise<string> {
  const store = memoryStore();
  const engine = new ContextEngine({ store, chatId: 'failing', userId: 'someone' });
  engine.set(user('Which id?'));
  await engine.save();
  const chat = await store.exportChat('failing');
  await store.close();
  const messages = chat.messages.map((message) => ({ ...message, parentId: hostileNames.commandLink }));
  return fileOf([{ ...chat, messages }]);
}

function fileOf(chats: readonly unknown[]): string {
  return JSON.stringify({ format: 'offshoot-conversations', version: 1, exportedAt: 0, chats, blobs: {} });
}

const COMMAND = '[x](command:workbench.action.files.newUntitledFile)';

/** What a model, or the server it is on, may call a thing. */
const givenNames: readonly string[] = [
  COMMAND,
  '$(trash) $(sync~spin)',
  '**b** _i_ `c` # h',
  '<a href="command:x">y</a> <img src=x>',
  '![i](https://evil.example/i.png) https://evil.example',
];
const allGiven = givenNames.slice(0, 4).join(' ');

/** It makes up a name for whatever it can name. */
function script(request: RecordedRequest): Reply {
  // Asked for a title, outside the conversation.
  if (request.body.tools === undefined) return answer(`${allGiven}\n`);
  if (JSON.stringify(request.body.messages.at(-1)).includes('refuse'))
    return refuse(400, { message: allGiven });
  if (toolResultsOf(request).length > 0) return answer('Kept.');
  return useTools(
    ...givenNames.map((name) => ['write_note', { name, text: name }] as const),
    ...givenNames.map((name) => ['write_note', { name, text: name, mediaType: 'text/plain' }] as const),
    [COMMAND, {}],
    ['$(trash)', { path: COMMAND }],
  );
}

/** A file with a chat and a checkpoint whose names nobody cleaned. */
async function importedChat(): Promise<string> {
  const store = memoryStore();
  const engine = new ContextEngine({ store, chatId: 'imported', userId: 'someone' });
  engine.set(user('Which name?', { id: 'question' }), assistant('None of these.', { id: 'answer' }));
  await engine.save();
  const chat = await store.exportChat('imported');
  await store.close();
  const checkpoints = [{ name: allGiven, messageId: 'answer', createdAt: 1 }];
  return fileOf([{ ...chat, title: allGiven, checkpoints }]);
}

const expected = read(plainText(allNames));

describe('hostile names in the workbench', () => {
  const linked = useNamesProbe();
  const use = useChat(script, {
    linked,
    models: givenNames,
    viewport: { width: 1600, height: 2200 },
    settings: { 'offshoot.titles': 'model', 'offshoot.openaiCompatible.model': COMMAND },
  });
  const surfaces = (): Surfaces => new Surfaces(use().workbench);
  const startNew = async (): Promise<void> => {
    const { chat, workbench } = use();
    await surfaces().tidy();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
  };

  /** All of these rows are there, and none has a link, a picture, or an icon other than its own. */
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
    let last = '';
    await until(async () => {
      const shown = (await rows.allTextContents()).map(read);
      // While the list is still being filled, another row may take its place.
      const isStill = last === shown.join('\n');
      last = shown.join('\n');
      const at = shown.findIndex((row) => row.startsWith(label));
      if (!isStill || at < 0) return false;
      await rows.nth(at).click({ timeout: 1_000 });
      return true;
    }, `${label} in the list of ${command}`);
  };

  it('make no links, pictures or icons by the wrappers of each surface', async () => {
    const { workbench } = use();
    const { dialog, page, quickInput } = workbench;
    await workbench.runCommand('probe.notify');
    await isInert(await surfaces().message('Notified: '), `Notified: ${expected}`);
    const button = page.locator('.notification-list-item-buttons-container .monaco-button').first();
    await isInert(button, shortName);

    // The list shows only as many as it has room for.
    await workbench.notifications.clear();
    await workbench.runCommand('probe.work');
    await isInert(await surfaces().message('Working: '), `Working: ${expected}: Reported: ${shortName}`);
    // VS Code takes it out of the status bar while the list of notifications shows it.
    await surfaces().tidy();
    await isInert(page.locator('#status\\.progress .statusbar-item-label'), `Working: ${expected}`, 1);

    await surfaces().tidy();
    await workbench.runCommand('probe.confirm');
    const box = page.locator('.monaco-dialog-box');
    await box.waitFor();
    assert.equal(read(await dialog.message()), expected);
    assert.equal(await box.locator('.dialog-message-container :is(a, img, .codicon)').count(), 0);
    await dialog.press('Cancel');

    await workbench.runCommand('probe.ask');
    await quickInput.shown();
    await isInert(quickInput.widget.locator('.quick-input-title'), expected);
    await isInert(quickInput.widget.locator('.quick-input-message'), expected);
    await quickInput.type('bad');
    await isInert(quickInput.widget.locator('.quick-input-message'), `Refused: ${expected}`);
    await surfaces().dismiss();

    await workbench.runCommand('probe.pick');
    const row = page.locator('.quick-input-list .monaco-list-row');
    await isInert(row.locator('.label-name').first(), expected, 1);
    await isInert(row.locator('.label-description'), expected);
    const detail = row.locator('.quick-input-list-label-meta .label-name');
    await isInert(detail, expected, 1);
    await isInert(await surfaces().hoverOf(row.locator('.label-description')), hostileNames.foreign);
    await surfaces().dismiss();

    await surfaces().tidy();
    await workbench.runCommand('probe.status');
    const item = page.locator('.statusbar-item', { hasText: 'Shown: ' });
    await isInert(item.locator('.statusbar-item-label'), `Shown: ${shortName}`, 1);
    await isInert(await surfaces().hoverOf(item), `${expected}${expected.slice(0, 20)}`);
    const statusItem = page.locator('.statusbar-item', { hasText: 'Said: ' });
    await isInert(statusItem.locator('.statusbar-item-label'), `Said: ${shortName}`, 1);
  });

  it('are inert in what the extension says of chats, branches, checkpoints, files and artifacts', async () => {
    const { chat, workbench } = use();
    const { page, quickInput, tree } = workbench;
    const files = { [FILE]: 'a file', 'failing.json': await failing(), 'chats.json': await hostileChats() };
    for (const [name, content] of Object.entries(files)) {
      await writeFile(path.join(workbench.folder, name), content);
    }
    await surfaces().tidy();
    await workbench.runCommand('probe.import');
    await isInert(await surfaces().message('import failing.json'), hostileNames.commandLink);
    await chat.message('None of these.').waitFor();
    await workbench.setSidebarWidth(900);
    await tree.setHeight(1_600);

    // Rows of the tree.
    const labels = async (): Promise<string[]> => (await tree.rows()).map(({ label }) => read(label));
    const rowsOf = [...titles, ...storable, ...storable].map((name) => read(plainText(name)));
    let shown: string[] = [];
    const missing = (): string[] => rowsOf.filter((name) => !shown.includes(name));
    await until(async () => {
      shown = await labels();
      return missing().length === 0;
    }, 'the rows of the tree').catch((error: unknown) => {
      throw new Error(`${missing().join('\n')} missing of ${shown.join('\n')}`, { cause: error });
    });
    const rows = tree.root.locator('.monaco-list-row .monaco-icon-label');
    assert.equal(await rows.locator('a[href], a[data-href]').count(), 0);
    assert.equal(await rows.locator(':is(.label-name, .label-description) .codicon').count(), 0);
    await isInert(
      await surfaces().hoverOf(
        tree.root.locator('.monaco-list-row .label-name', { hasText: expected }).first(),
      ),
      expected,
    );

    await surfaces().tidy();
    await workbench.runCommand('offshoot.filterTree');
    await quickInput.type(hostileNames.commandLink);
    await isInert(tree.root.locator('.message'), hostileNames.commandLink);
    await surfaces().dismiss();

    for (const [command, names] of [
      ['offshoot.openChat', titles],
      ['offshoot.switchBranch', storable],
      ['offshoot.restoreCheckpoint', storable],
    ] as const) {
      await workbench.runCommand(command);
      const wanted = names.map((name) => read(plainText(name)));
      const items = page.locator('.quick-input-list .monaco-list-row');
      await until(async () => {
        const labels = (await quickInput.rows()).map(({ label }) => read(label));
        return wanted.every((name) => labels.includes(name));
      }, `all names in the list of ${command}`);
      // All at one moment: rows are drawn as they are needed.
      const found = await items.evaluateAll((rows: PageElement[]) =>
        rows.map((row) => [
          row.textContent ?? '',
          [...row.querySelectorAll('a[href], a[data-href], img')].length,
          [...row.querySelectorAll(':is(.codicon-zap, .codicon-sync)')].length,
        ]),
      );
      for (const [text, links, icons] of found) assert.deepEqual([links, icons], [0, 0], String(text));
      await surfaces().dismiss();
    }

    await workbench.runCommand('offshoot.attach');
    await quickInput.choose('File of the Workspace…');
    await quickInput.shown('Select a file to attach');
    await quickInput.type('zap');
    const listed = page.locator('.quick-input-list .monaco-list-row');
    await until(
      async () => read((await listed.allTextContents()).join()).includes(FILE),
      'the file in the list',
    );
    assert.equal(await listed.locator('a[href], a[data-href], .codicon-zap').count(), 0);
    await surfaces().dismiss();

    // What was said last holds the title of the chat: once as a question, once as news, and in a tab.
    await workbench.runCommand('offshoot.showGraph');
    await isInert(page.locator('.tab.active .label-name'), `Graph: ${expected}`);
    await workbench.runCommand('workbench.action.showAllEditorsByMostRecentlyUsed');
    const editor = page.locator('.quick-input-list .monaco-list-row .label-name').first();
    await isInert(editor, `Graph: ${expected}`);
    await surfaces().dismiss();
    await workbench.runCommand('workbench.action.closeAllEditors');
  });

  it('are inert where a model or its server made them up, in the list of models and in a refusal', async () => {
    const { chat, workbench } = use();
    await surfaces().tidy();
    await workbench.runCommand('offshoot.selectModel');
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await areInert(rows, givenNames, ':is(.codicon-trash, .codicon-sync)');
    await surfaces().dismiss();

    await startNew();
    await chat.send('refuse');
    const failure = chat.frame.locator('.status.failed');
    await failure.waitFor();
    await failure.getByText(COMMAND).waitFor();
    assert.equal(await failure.locator('a, img').count(), 0);
  });

  it('are inert as keys, artifacts and tools in the Context view, and in tabs', async () => {
    const { chat, workbench } = use();
    const { page, contextView } = workbench;
    await startNew();
    await chat.send('keep');
    await chat.message('Kept.').waitFor();
    await chat.answered(2);
    await workbench.tree.fold();
    await workbench.setSidebarWidth(500);
    await contextView.open();
    await contextView.setHeight(900);
    const rows = contextView.root.locator('.monaco-list-row .monaco-icon-label');
    await areInert(rows, givenNames, ':is(.label-name, .label-description) .codicon');
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

  it('are inert as titles after archiving, be they the model’s or of a file, and as checkpoints', async () => {
    const { chat, workbench } = use();
    const cleaned = 'x trash sync~spin b i c # h y';
    await startNew();
    await chat.send('keep');
    await chat.frame.locator('.chat-title', { hasText: cleaned }).waitFor();
    await writeFile(path.join(workbench.folder, 'chats.json'), await importedChat());
    await surfaces().tidy();
    await workbench.runCommand('probe.import');
    await chat.message('None of these.').waitFor();
    await picked('offshoot.openChat', cleaned);
    await workbench.runCommand('offshoot.archiveChat');
    await isInert(await surfaces().message(`Archived “${cleaned}”`), `Archived “${cleaned}”`);
    // Of a long list only what is in view is drawn.
    await workbench.runCommand('notifications.clearAll');
    await picked('offshoot.openChat', COMMAND);
    await workbench.runCommand('offshoot.archiveChat');
    const imported = await surfaces().message('Archived “[x]');
    await isInert(imported, `Archived “${allGiven}”`);
    // A click on what looks like a link does nothing.
    await imported.click();
    assert.equal(await workbench.page.locator('.tab', { hasText: 'Untitled' }).count(), 0);
    await workbench.notifications.press('Archived “[x]', 'Undo');
    await chat.message('None of these.').waitFor();

    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer(allGiven);
    const moved = await surfaces().message('Moved checkpoint “');
    await isInert(moved, `Moved checkpoint “${allGiven}” here`);
  });
});
