import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ChatPage } from './support/chatPage.ts';
import { useWorkbench } from './support/useWorkbench.ts';

describe('where conversations are kept', () => {
  describe('without a folder', () => {
    const workbench = useWorkbench({ noFolder: true, settings: { 'offshoot.demo.pace': 0 } });

    it('answers, and says that empty windows share their chats', async () => {
      const chat = new ChatPage(workbench());
      await workbench().openOffshoot();
      await chat.frame
        .locator('.banner.info', { hasText: 'No folder open. Chats are shared across empty windows.' })
        .waitFor();
      await chat.ask('hello');
      const kept = await storageFolder(workbench().dataDir);
      assert.match(kept, /globalStorage/);
    });
  });

  describe('with a damaged file', () => {
    const workbench = useWorkbench({ settings: { 'offshoot.demo.pace': 0 } });

    it('sets it aside with a clear message, begins a new one, and never writes over it', async function () {
      this.timeout(90_000);
      const chat = new ChatPage(workbench());
      await workbench().openOffshoot();
      await chat.ask('before the damage');
      const folder = await storageFolder(workbench().dataDir);
      let journals: string[] = [];
      await workbench().restartServer({
        meanwhile: async () => {
          journals = (await readdir(folder)).filter((name) => name.endsWith('.journal'));
          for (const name of journals) await writeFile(path.join(folder, name), 'damaged beyond reading');
          await writeFile(path.join(folder, 'offshoot.db'), 'no database at all');
        },
      });
      await workbench().openOffshoot();
      await chat.frame.locator('.banner.warning', { hasText: 'damaged' }).waitFor();
      const kept = (await readdir(folder)).filter((name) => name.startsWith('offshoot.db.damaged-'));
      const texts = await Promise.all(kept.map((name) => readFile(path.join(folder, name), 'utf8')));
      assert.deepEqual(texts.sort(), [...journals.map(() => 'damaged beyond reading'), 'no database at all']);
      await chat.ask('after the damage');
    });
  });
});

/** The folder below `root` that has the conversations. */
async function storageFolder(root: string): Promise<string> {
  const files = await readdir(root, { recursive: true });
  const journal = files.find((file) => file.endsWith(`${path.sep}offshoot.db.0.journal`));
  assert.ok(journal, 'there is a journal');
  return path.join(root, path.dirname(journal));
}
