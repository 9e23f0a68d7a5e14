import assert from 'node:assert/strict';
import type { ReviewView } from '../../../src/protocol/chatFromHost.ts';
import { until } from '../../fixtures/until.ts';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const review: ReviewView = {
  count: 3,
  added: 1_300,
  removed: 2,
  files: [
    {
      id: 'one',
      path: 'src/a/very/long/way/down/to/the/place/of/what/says/good/morning/greeting.ts',
      lines: { added: 8, removed: 2 },
    },
    { id: 'two', path: 'notes\u202Etxt.md', change: 'created', lines: { added: 1_292, removed: 0 } },
  ],
};

describe('edits to review in the chat', () => {
  const use = useChat({ viewport: { width: 240, height: 700 } });
  const section = () => use().page.getByRole('region', { name: 'Edits to review' });

  it('are kept, undone and shown, all of them or one file', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { review }));
    await chat.openPanel('review');
    await chat.button('Keep').click();
    assert.equal((await chat.expectCommand('keepEdits')).file, undefined);
    await chat.button('Undo').click();
    assert.equal((await chat.expectCommand('undoEdits')).file, undefined);
    await chat.button('Keep notes‹U+202E›txt.md').click();
    await until(async () => (await chat.expectCommand('keepEdits')).file === 'two', 'one file to be kept');
    await section().locator('.review-file').first().click();
    assert.equal((await chat.expectCommand('reviewEdits')).file, 'one');
  });

  it('fit into a narrow side bar, with the end of a long path visible and what is not listed counted', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { review }));
    await chat.openPanel('review');
    await section().getByText('… 1 more').waitFor();
    const overflow =
      'document.querySelector(".review").scrollWidth - document.querySelector(".review").clientWidth';
    assert.ok((await chat.page.evaluate<number>(overflow)) <= 0);
    const isCut = '((file) => file.scrollWidth > file.clientWidth)(document.querySelector(".review-file"))';
    assert.ok(await chat.page.evaluate<boolean>(isCut));
  });

  it('are only looked at where nothing can be written', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { review, isReadOnly: true }));
    await chat.openPanel('review');
    assert.ok(await chat.button('Keep').isDisabled());
    assert.ok(await chat.button('Undo').isDisabled());
    assert.ok(await chat.button('Review').isEnabled());
  });

  it('leave the keyboard to the input when they are decided about', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { review }));
    await chat.openPanel('review');
    await chat.button('Keep').focus();
    await chat.show(conversation(turns(2)));
    await section().waitFor({ state: 'detached' });
    assert.equal(
      await chat.page.evaluate<boolean>('document.activeElement.matches(".composer textarea")'),
      true,
    );
  });
});
