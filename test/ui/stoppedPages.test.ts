import assert from 'node:assert/strict';
import { ChatPage } from './support/chatPage.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import type { Workbench } from './support/workbench.ts';
import { soon } from '../fixtures/soon.ts';

describe('a chat that stops its page', () => {
  const workbench = useWorkbench({ settings: { 'offshoot.demo.pace': 0 } });

  /** What pages of chats have noted in the browser. */
  const notes = ({ chat }: Workbench): Promise<string> =>
    chat.locator('body').evaluate(() => JSON.stringify(localStorage));

  it('is plain text once it has stopped two, and is drawn again when that is asked for', async function () {
    this.timeout(240_000);
    const chat = new ChatPage(workbench());
    await workbench().openOffshoot();
    await chat.ask('Tell me about closures with code');
    const heading = chat.answers.first().locator('.markdown :is(h1, h2, h3)').first();
    await heading.waitFor();

    // From now on pages never come to the end of drawing.
    await workbench().withoutFrames();
    await workbench().page.goto('about:blank');
    for (let time = 0; time < 2; time += 1) {
      const window = await workbench().anotherWindow();
      await window.openOffshoot();
      await window.chat.locator('.markdown :is(h1, h2, h3)').first().waitFor();
      assert.match(await notes(window), /offshoot\.drawing\./, 'the page has not come to an end');
      await window.crash();
    }
    await workbench().page.goBack();
    await workbench().openOffshoot();
    const again = chat.frame.getByRole('button', { name: 'Try Rendering Again' });
    await again.waitFor().catch(async (cause: unknown) => {
      throw new Error(`The page is not plain; what pages noted: ${await notes(workbench())}`, { cause });
    });
    assert.equal(await heading.count(), 0);
    await soon.match(() => chat.answers.first().innerText(), /```ts/);
    await again.click();
    await heading.waitFor();
  });
});
