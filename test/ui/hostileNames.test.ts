import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user } from '../../src/engine/fragments/index.ts';
import type { PortableChat } from '../../src/engine/portableChat.ts';
import { plainText } from '../../src/extension/ui/inertText.ts';
import { allNames, hostileNames, reorderedNames, shortName } from '../fixtures/hostileNames.ts';
import { memoryStore } from '../fixtures/memoryStore.ts';
import { until } from '../fixtures/until.ts';
import type { PageElement } from './support/pageElement.ts';
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
  const engine = new ContextEngine({ store, chatId: 'hostile', userId: 'somebody' });
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
  const engine = new ContextEngine({ store, chatId: 'failing', userId: 'somebody' });
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

const expected = read(plainText(allNames));

describe('hostile names in the workbench', () => {
  const linked = useNamesProbe();
  const use = useChat(undefined, { linked, viewport: { width: 1600, height: 2200 } });
  const surfaces = (): Surfaces => new Surfaces(use().workbench);

  it('make no links, pictures or icons by the wrappers of each surface', async () => {
    const { workbench } = use();
    const { page, quickInput } = workbench;
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

  it('make none in what the extension says of chats, branches, checkpoints, files and artifacts', async () => {
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
  });
});
