import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, question, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('rewinding in the chat page', () => {
  const use = useChat();

  it('lists the questions when Escape is pressed twice while nothing is written', async () => {
    const chat = use();
    const { keyboard } = chat.page;
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'Because') }));
    await chat.input.focus();
    await keyboard.press('Escape');
    await chat.expect('stopAnswer');
    await chat.show(conversation([question('q', 'why?'), answer('a', 'Because')]));
    await keyboard.press('Escape');
    await keyboard.press('x');
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    await chat.expectCommand('rewind');
    assert.equal((await chat.sent()).filter(({ type }) => type === 'runCommandHere').length, 1);
  });

  it('takes a double click and a held key for one press of any button of a message, but each step for a step', async () => {
    const chat = use();
    const before = { id: 'a0', preview: 'Another' };
    const given = [
      question('q', 'why?'),
      answer('a', 'Because', {
        canContinue: true,
        status: 'interrupted',
        versions: { number: 2, count: 2, before },
      }),
    ];
    await chat.show(conversation(given));
    const acted = async (): Promise<number> =>
      (await chat.sent()).filter(({ type }) => type !== 'ready' && type !== 'focused').length;
    for (const message of await chat.messages.all()) {
      await message.hover();
      for (const button of await message.locator('.message-actions button, .status button').all()) {
        const name = await button.innerText();
        const label = (await button.getAttribute('aria-label')) ?? name;
        if (label.startsWith('Edit')) continue;
        const known = await acted();
        await button.dblclick();
        assert.equal(await acted(), known + 1, label);
      }
    }
    const known = await acted();
    await chat.button('Rewind to here').first().focus();
    await chat.page.keyboard.down('Enter');
    await chat.page.keyboard.down('Enter');
    await chat.page.keyboard.up('Enter');
    assert.equal(await acted(), known + 1);
    await chat.button('Version 1 of 2: Another').dblclick();
    assert.equal(await acted(), known + 3);
  });

  it('replaces a question that nobody changed, and leaves it with its branch', async () => {
    const chat = use();
    const fill = (text: string): Promise<void> => chat.tell({ type: 'composerFilled', text, isStored: true });
    const holds = (value: string): Promise<unknown> =>
      until(async () => (await chat.input.inputValue()) === value, `“${value}” in the input`);
    const show = (branch: string): Promise<void> =>
      chat.show(conversation([question('q', 'why?')], { branch, branchId: branch, branchCount: 2 }));
    await show('main-v2');
    await fill('why?');
    await holds('why?');
    await fill('how?');
    await holds('how?');
    await show('main');
    await holds('');
    await fill('why?');
    await holds('why?');
    await chat.input.fill('why so?');
    await show('main-v3');
    await holds('');
    await fill('');
    await show('main');
    await holds('why so?');
  });

  it('offers to try again where an answer failed without a word, and nothing else on it', async () => {
    const chat = use();
    const failed = answer('a', '', {
      parts: [],
      status: 'failed',
      error: 'Server error (503)',
      isUnsaved: true,
    });
    await chat.show(conversation([question('q', 'why?'), failed]));
    const last = chat.messages.last();
    await last.hover();
    assert.equal(await last.getByRole('toolbar').count(), 0);
    assert.equal(await last.getAttribute('data-vscode-context'), null);
    await last.getByRole('button', { name: 'Try Again' }).click();
    assert.deepEqual(await chat.expect('retryAnswer'), { type: 'retryAnswer', branch: 'main' });
  });

  it('keeps an answer that could not be saved, and offers to save it again or to copy it', async () => {
    const chat = use();
    const error = 'Not saved yet: the shared store can’t be reached.';
    const kept = answer('a', 'As far as it came.', {
      status: 'failed',
      error,
      isUnsaved: true,
      canSave: true,
    });
    await chat.show(conversation([question('q', 'why?'), kept]));
    const last = chat.messages.last();
    await last.getByText('As far as it came.').waitFor();
    await last.getByText(error).waitFor();
    await last.hover();
    // Nothing is offered that needs what is not stored.
    assert.equal(await last.getByRole('toolbar').count(), 0);
    assert.equal(await last.getAttribute('data-vscode-context'), null);
    assert.equal(await last.getByRole('button', { name: 'Try Again' }).count(), 0);
    await last.getByRole('button', { name: 'Save Again' }).click();
    assert.deepEqual(await chat.expect('saveAnswer'), { type: 'saveAnswer', branch: 'main' });
    await last.getByRole('button', { name: 'Copy' }).click();
    assert.deepEqual(await chat.expect('copyText'), { type: 'copyText', text: 'As far as it came.' });
  });

  it('offers to answer a question that nobody answers', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?', { canAnswer: true })]));
    await chat.messages.last().getByRole('button', { name: 'Try Again' }).click();
    assert.deepEqual(await chat.expect('retryAnswer'), { type: 'retryAnswer', branch: 'main' });
  });

  it('calls branches by their titles, with the name in the tooltip', async () => {
    const chat = use();
    const lineage = [
      { branch: 'main', label: 'main', color: 0 },
      { branch: 'main-v7', label: 'In French', color: 1 },
    ];
    await chat.show(
      conversation([question('q', 'why?')], {
        branch: 'main-v7',
        branchLabel: 'In French',
        branchCount: 2,
        lineage,
      }),
    );
    await chat.page.locator('.crumb', { hasText: 'In French' }).waitFor();
    assert.match((await chat.page.locator('.branch-button').getAttribute('title')) ?? '', /main-v7/);
    assert.doesNotMatch(await chat.page.locator('main').innerText(), /main-v7/);
  });
});
