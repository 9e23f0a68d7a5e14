import assert from 'node:assert/strict';
import type { Frame, Page } from 'playwright-core';
import { answer, finish, lastQuestion, pause, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';
import type { Workbench } from './support/workbench.ts';
import { soon } from '../fixtures/soon.ts';

describe('a chat in tabs and windows', () => {
  const use = useChat(
    (request) => {
      const question = lastQuestion(request);
      if (question === 'headed') return answer('# A heading\n\n```ts\nconst a = 1;\n```');
      if (!question.startsWith('long')) return answer(`You said ${question}`);
      return [say(`${question} begins`), pause(question), say(' and ends'), finish()];
    },
    { viewport: { width: 1500, height: 860 } },
  );
  const tab = (): ChatPage => new ChatPage(use().workbench, 'panel');
  const named = (name: string) => use().workbench.page.getByRole('tab', { name });
  /** The questions that are offered to rewind to: those of the chat in use. */
  const questionsToRewindTo = async (): Promise<string> => {
    const { quickInput } = use().workbench;
    await use().workbench.runCommand('offshoot.rewind');
    await quickInput.shown('Rewind');
    await until(async () => (await quickInput.rows()).length > 0, 'the questions');
    const rows = await quickInput.rows();
    await quickInput.dismiss();
    return rows.map(({ label }) => label).join();
  };

  /** A chat of its own, that is shown in the side bar and in a tab. */
  const openBoth = async (question: string): Promise<void> => {
    const { chat, workbench } = use();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask(question);
    await workbench.runCommand('offshoot.openChatInEditor');
    await tab().shows([question, `You said ${question}`]);
    await named(question).waitFor();
  };

  it('shows the same answer as the side bar while it is written, and asks as well', async () => {
    const { chat, server } = use();
    await openBoth('one');
    await chat.send('long two');
    for (const page of [chat, tab()]) await page.message('long two begins').waitFor();
    server.release('long two');
    await tab().send('long three');
    for (const page of [chat, tab()]) await page.message('long three begins').waitFor();
    server.release('long three');
    const all = ['one', 'You said one', 'long two', 'long two begins and ends'];
    for (const page of [chat, tab()]) {
      await page.shows([...all, 'long three', 'long three begins and ends']);
    }
  });

  it('keeps its chat when the side bar shows another, over a reload, and into a window of its own', async function () {
    this.timeout(180_000);
    const { chat, workbench } = use();
    await openBoth('kept');

    await step('commands are about the chat used last', async () => {
      await workbench.runCommand('offshoot.newChat');
      await chat.frame.getByText('A conversation that branches').waitFor();
      await chat.ask('elsewhere');
      await tab().ask('four');
      await chat.shows(['elsewhere', 'You said elsewhere']);
      await soon.match(() => questionsToRewindTo(), /four/);
      await chat.input.click();
      await until(
        async () => (await questionsToRewindTo()).includes('elsewhere'),
        'the side bar to be in use',
      );
      await tab().message('You said four').waitFor();
    });

    await step('it is there again after the window was reloaded, with what was being typed', async () => {
      await tab().type('not sent yet');
      await workbench.reloadByCommand();
      await workbench.openOffshoot();
      // VS Code does not say of each page that comes back where it stands.
      for (const text of ['You said elsewhere', 'You said four', 'not sent yet']) {
        const isThere = async (): Promise<boolean> => (await shownIn(workbench.page, text)) === 1;
        await until(isThere, `a page with “${text}”`, 30_000).catch(async (cause: unknown) => {
          throw new Error(`What pages show: ${await allShown(workbench.page)}`, { cause });
        });
      }
    });

    await step('it goes into a window of its own', async () => {
      // The one that is opened is the one in use.
      const [page] = await pagesWith(workbench.page, 'not sent yet');
      await page?.locator('.composer textarea').click();
      const opening = workbench.page.context().waitForEvent('page');
      await workbench.runCommand('offshoot.openChatInNewWindow');
      const window = await opening;
      await until(
        async () => (await shownIn(window, 'You said four')) === 1,
        'the chat in the window',
        30_000,
      );
      const isGone = async (): Promise<boolean> => (await shownIn(workbench.page, 'You said four')) === 0;
      await until(isGone, 'the chat to leave the window it was in');
      await window.close();
    });
  });

  it('is plain text once two pages of it were stopped, and is drawn again when that is asked for', async function () {
    this.timeout(180_000);
    const { chat, workbench } = use();
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask('headed');
    await chat.answers.first().locator('.markdown h1').waitFor();

    const stopped = await workbench.anotherWindow();
    await stopped.withoutFrames();
    await stopped.openOffshoot();
    await stopped.chat.locator('.markdown h1').waitFor();
    await stopped.startCommand('offshoot.openChatInEditor');
    await stopped.panel.locator('.markdown h1').waitFor();
    const begun = (await notes(stopped)).match(/offshoot\.drawing\./gu) ?? [];
    assert.ok(begun.length >= 2, 'no page has come to an end');
    await stopped.crashWindow();
    const window = await workbench.anotherWindow();
    await window.openOffshoot();
    const opened = new ChatPage(window);
    const again = opened.frame.getByRole('button', { name: 'Try Rendering Again' });
    await again.waitFor().catch(async (cause: unknown) => {
      throw new Error(`The page is not plain; what pages noted: ${await notes(window)}`, { cause });
    });
    const heading = opened.answers.first().locator('.markdown h1');
    assert.equal(await heading.count(), 0);
    await soon.match(() => opened.answers.first().innerText(), /```ts/);
    await again.click();
    await heading.waitFor();
    await window.page.close();
  });
});

/** What pages of chats have noted in the browser. */
function notes({ chat }: Workbench): Promise<string> {
  return chat.locator('body').evaluate(() => JSON.stringify(localStorage));
}

/** In how many pages of chats a text stands. A restored page is addressed in another way. */
async function shownIn(window: Page, text: string): Promise<number> {
  return (await pagesWith(window, text)).length;
}

/** What each frame shows, for the message of a failure. */
async function allShown(window: Page): Promise<string> {
  const texts = await Promise.all(
    window
      .frames()
      .map((frame) =>
        frame
          .evaluate<string>("document.querySelector('.composer') ? document.body.innerText : ''")
          .catch(String),
      ),
  );
  return JSON.stringify(texts.filter((text) => text !== ''));
}

async function pagesWith(window: Page, text: string): Promise<Frame[]> {
  const frames = window.frames();
  const found = await Promise.all(
    frames.map((frame) =>
      frame
        .evaluate<boolean, string>(
          (wanted) =>
            document.querySelector('.composer') !== null &&
            (document.body.innerText.includes(wanted) ||
              document.querySelector('textarea')?.value === wanted),
          text,
        )
        // One may go away while it is asked.
        .catch(() => false),
    ),
  );
  return frames.filter((_, index) => found[index]);
}
