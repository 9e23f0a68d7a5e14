import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { root } from './support/host.ts';
import { step } from './support/step.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import { soon } from '../fixtures/soon.ts';

/** The steps of the walkthrough, with their pictures. */
const STEPS = {
  'Look at a chat with branches': 'tree',
  'Ask something': 'ask',
  'Go back, and try another way': 'rewind',
  'Bookmark a good point': 'checkpoint',
  'Ask by the way': 'aside',
  'Select a model': 'model',
} as const;

const SAMPLE = 'Sample: a small habit tracker';

describe('the first minutes with Offshoot, without a folder', () => {
  const use = useWorkbench({
    noFolder: true,
    settings: { 'offshoot.demo.pace': 0 },
    viewport: { width: 1700, height: 1000 },
  });

  const chats = (): Promise<number> =>
    use().tree.root.locator('.monaco-list-row[aria-level="1"]', { hasText: SAMPLE }).count();
  const idOfFirst = (chat: ChatPage) => chat.messages.first().getAttribute('data-message-id');
  const walkthroughStep = (name: string) =>
    use().page.locator('.gettingStartedContainer .getting-started-step', { hasText: name });
  const ticked = (name: string) => walkthroughStep(name).locator('.codicon.complete').waitFor();

  it('begin with a sample, which is gone on from as from any chat, ticked off and deleted', async function () {
    this.timeout(180_000);
    const workbench = use();
    const chat = new ChatPage(workbench);

    await step('the chat and the tree say what to do, where chats are kept, and offer a sample', async () => {
      await workbench.openOffshoot();
      await chat.openPanel('notices');
      await chat.frame
        .locator('.banner.info', { hasText: 'No folder open. Chats are shared across empty windows.' })
        .waitFor();
      const welcome = workbench.page.locator('.sidebar .welcome-view-content');
      await welcome.getByText('appear here once you have asked something').waitFor();
      await welcome.getByRole('button', { name: 'Ask Something' }).waitFor();
      await welcome.getByText('Open a sample chat').waitFor();
      await welcome.getByText('take a look around').click();
      await walkthroughStep('Look at a chat with branches').waitFor();
      await chat.frame.getByRole('button', { name: 'Open a sample chat with branches' }).click();
      await chat.message('I want to build a small habit tracker').waitFor();
      await chat.openPanel('sideQuestions');
      await chat.aside.getByText('By the way, what is an ISO date?').waitFor();
      await chat.onBranch('main');
      await soon.equal(() => chat.messages.count(), 6);
      await until(async () => (await chats()) === 1, 'the sample in the tree');
      const files = await readdir(workbench.dataDir, { recursive: true });
      const kept = files.filter((file) => path.basename(file) === 'offshoot.db.0.journal');
      assert.match(kept.join(), /^[^,]*globalStorage[^,]*$/u);
    });

    await step('opens the one that is there, and makes another only when told to', async () => {
      await workbench.runCommand('offshoot.newChat');
      await chat.frame.getByText('A conversation that branches').waitFor();
      // The walkthrough takes no notice of what an extension runs.
      await workbench.quickInput.pickCommand('Offshoot: Open Sample Chat');
      await chat.message('I want to build a small habit tracker').waitFor();
      await workbench.notifications.find('This is the sample chat you already have');
      assert.equal(await chats(), 1);
      const first = await idOfFirst(chat);
      await workbench.notifications.press('This is the sample chat you already have', 'Make Another');
      await until(async () => (await chats()) === 2, 'a second sample');
      await until(async () => (await idOfFirst(chat)) !== first, 'the chat to show it');
    });

    await step('goes on from it, and deletes it', async () => {
      await workbench.contextMenu.pickOn(chat.messages.nth(1), 'Rewind to Here');
      await chat.onBranch('main-v5');
      await chat.ask('Could it be a phone app?');
      await soon.match(async () => (await chat.texts()).at(-1) ?? '', /phone app/);
      await workbench.runCommand('offshoot.deleteChat');
      await until(async () => (await chats()) === 1, 'one sample less');
    });

    await step('what was done is ticked off in the walkthrough', async () => {
      await workbench.startCommand('offshoot.openWalkthrough');
      for (const done of Object.keys(STEPS).slice(0, 3)) await ticked(done);
      assert.equal(await walkthroughStep('Select a model').locator('.codicon.complete').count(), 0);
    });

    await step('nothing says that there are no chats while they are still being read', async () => {
      await workbench.page.addInitScript(`
        const look = () => {
          const isSaid = document.querySelector('.sidebar')?.textContent.includes('appear here once');
          if (isSaid) window.isEmptinessSaid = true;
        };
        new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
      `);
      await workbench.reloadByCommand();
      await workbench.openOffshoot();
      await until(async () => (await chats()) === 1, 'the chat in the tree');
      assert.equal(await workbench.page.evaluate('window.isEmptinessSaid === true'), false);
    });
  });

  it('have a picture for each step', async () => {
    const workbench = use();
    const pages = workbench.page.locator('.getting-started-media iframe.webview');
    // That of the step before may not be gone yet, and may come first or last. No two pictures have as many parts.
    const shown = async (): Promise<number[]> =>
      Promise.all(
        (await pages.all()).map((page) =>
          page.contentFrame().frameLocator('iframe#active-frame').locator('svg *').count(),
        ),
      );
    await workbench.openOffshoot();
    await workbench.startCommand('offshoot.openWalkthrough');
    for (const [name, file] of Object.entries(STEPS)) {
      const source = await readFile(path.join(root, 'media', 'walkthrough', `${file}.svg`), 'utf8');
      const parts = source.match(/<(?!\/|svg)/g)?.length ?? 0;
      await until(async () => {
        // The one that is open takes no click.
        const isOpen = (await walkthroughStep(name).getAttribute('aria-expanded')) === 'true';
        if (!isOpen) await walkthroughStep(name).click({ timeout: 2_000 });
        return (await shown()).includes(parts);
      }, `the picture of “${name}”`);
    }
  });
});
