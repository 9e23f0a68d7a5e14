import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import chinese from '../../../l10n/bundle.l10n.zh-cn.json';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the chat page', () => {
  const use = useChat();

  it('is searched by Ctrl+F, from wherever the focus is', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.input.focus();
    await chat.page.keyboard.press('Control+f');
    await chat.expectCommand('goToMessage');
  });

  it('sends what was typed by Enter, makes a new line by Shift+Enter, and sends nothing empty', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.focus();
    await chat.page.keyboard.press('Enter');
    await chat.page.keyboard.type('  one');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('two ');
    await chat.page.keyboard.press('Enter');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.sent(), [{ type: 'ready' }, { type: 'sendMessage', text: 'one\ntwo' }]);
    assert.equal(await chat.input.inputValue(), '');
  });

  it('leaves Enter to an input method while it composes', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.fill('にほん');
    await chat.input.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    assert.equal(await chat.input.inputValue(), 'にほん');
    assert.deepEqual(await chat.sent(), [{ type: 'ready' }]);
  });

  // WebKit ends the composition first: https://bugs.webkit.org/show_bug.cgi?id=165004
  describe('leaves Enter to an input method that has just ended its composition', () => {
    const endsComposition = { key: 'Enter', code: 'Enter', keyCode: 229, isComposing: false };
    const composes = async (box: Locator): Promise<void> => {
      await box.fill('日本');
      await box.dispatchEvent('compositionstart');
      await box.dispatchEvent('compositionend', { data: '日本' });
      await box.dispatchEvent('keydown', endsComposition);
    };
    const sends = async (chat: Chat): Promise<string[]> => (await chat.sent()).map(({ type }) => type);

    it('in the input', async () => {
      const chat = use();
      await chat.show(conversation());
      await composes(chat.input);
      assert.equal(await chat.input.inputValue(), '日本');
      assert.deepEqual(await sends(chat), ['ready']);
      // The next one is the user's.
      await chat.input.press('Enter');
      assert.deepEqual(await chat.expect('sendMessage'), { type: 'sendMessage', text: '日本' });
    });

    it('while a list of files is open', async () => {
      const chat = use();
      await chat.show(conversation());
      await chat.input.pressSequentially('look at @gr');
      await chat.reply('proposeFiles', { paths: ['src/greet.ts'] }, ({ query }) => query === 'gr');
      await chat.page.getByRole('option').first().waitFor();
      await chat.input.dispatchEvent('keydown', endsComposition);
      assert.equal(await chat.input.inputValue(), 'look at @gr');
      await chat.page.keyboard.press('Enter');
      await until(async () => (await chat.input.inputValue()) === 'look at ', 'the file that was chosen');
    });

    it('in the box of an edited question', async () => {
      const chat = use();
      await chat.show(conversation([question('q', 'hello'), answer('a', 'hi')]));
      await chat.messages.first().hover();
      await chat.messages.first().getByRole('button', { name: 'Edit here, on a new branch' }).click();
      const box = chat.page.getByRole('textbox', { name: 'Edit the question' });
      await composes(box);
      assert.equal(await box.inputValue(), '日本');
      assert.ok(!(await sends(chat)).includes('editMessage'));
      await box.press('Enter');
      await chat.expect('editMessage');
    });

    it('in the box of a side question', async () => {
      const chat = use();
      const side = { branch: 'main-v2', branchId: 'side', question: 'what time is it?' };
      await chat.show(conversation(turns(2), { sideQuestions: [{ ...side, answer: answer('s', 'Late.') }] }));
      await chat.openPanel('sideQuestions');
      const box = chat.page.getByRole('textbox', { name: 'Follow-up' });
      await composes(box);
      assert.equal(await box.inputValue(), '日本');
      assert.ok(!(await sends(chat)).includes('askSideQuestion'));
      await box.press('Enter');
      await chat.expect('askSideQuestion');
    });

    it('and its other keys: neither Escape nor an arrow means anything else', async () => {
      const chat = use();
      await chat.show(conversation(turns(4)));
      await chat.input.focus();
      const key = (name: string, rest: object = {}): Promise<void> =>
        chat.input.dispatchEvent('keydown', { key: name, keyCode: 229, ...rest });
      await key('Escape');
      await key('Escape');
      await key('ArrowUp');
      await key('ArrowUp', { altKey: true });
      await chat.frame();
      assert.ok(!(await sends(chat)).includes('runCommandHere'));
      assert.equal(await chat.input.inputValue(), '');
      assert.ok(await chat.page.evaluate<boolean>('document.activeElement.matches(".composer textarea")'));
    });
  });

  it('shows what an answer took: each kind of tokens separately, and the cost', async () => {
    const chat = use();
    const usage = { inputTokens: 12_400, cachedTokens: 9_800, outputTokens: 1_340, reasoningTokens: 410 };
    await chat.show(
      conversation([question('q', 'hello'), answer('a', 'hi', { usage: { ...usage, cost: 0.0342 } })]),
    );
    const button = chat.page.getByRole('button', { name: '$0.0342' });
    const details = chat.page.locator('.usage-details');
    assert.equal(await details.count(), 0);
    await button.focus();
    await chat.page.keyboard.press('Enter');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await details.locator('dt').allInnerTexts(), [
      'Input',
      'Cached input',
      'Output',
      'Reasoning',
      'Cost',
    ]);
    assert.deepEqual(await details.locator('dd').allInnerTexts(), [
      '12,400',
      '9,800',
      '1,340',
      '410',
      '$0.034200',
    ]);
    await button.click();
    assert.equal(await details.count(), 0);
  });

  it('folds what only the model gets below its message, as plain text', async () => {
    const chat = use();
    const hidden = '<b>be evil</b>\n![x](https://a.test/x.png)';
    await chat.show(conversation([question('q', 'hello', { hidden }), answer('a', 'hi')]));
    const row = chat.page.locator('details.hidden-content');
    assert.equal(await row.count(), 1);
    assert.equal(await row.locator('summary').innerText(), 'Also sent to the model');
    assert.equal(await row.locator('pre').isVisible(), false);
    await row.locator('summary').click();
    assert.equal(await row.locator('pre').innerText(), hidden);
    assert.equal(await row.locator('b, img, a').count(), 0);
  });

  it('keeps what was typed over a reload', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.fill('half a thou');
    await chat.page.reload();
    await chat.loaded();
    await chat.show(conversation());
    assert.equal(await chat.input.inputValue(), 'half a thou');
  });

  it('puts what the host gives before what is typed, and loses neither', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.fill('typed');
    await chat.tell({ type: 'composerFilled', text: 'given' });
    await until(async () => (await chat.input.inputValue()) === 'given\n\ntyped', 'both texts');
  });

  it('writes from right to left what is read so', async () => {
    const chat = use();
    await chat.show(conversation());
    const direction = async (): Promise<string> =>
      chat.page.evaluate<string>("getComputedStyle(document.querySelector('textarea')).direction");
    await chat.input.fill('1. שלום');
    await until(async () => (await direction()) === 'rtl', 'right to left');
    await chat.input.fill('1. hello');
    await until(async () => (await direction()) === 'ltr', 'left to right');
  });

  it('grows its input with the text, up to a limit', async () => {
    const chat = use();
    await chat.show(conversation());
    const height = async (): Promise<number> => (await chat.input.boundingBox())?.height ?? 0;
    const low = await height();
    await chat.input.fill('a\nb\nc\nd');
    assert.ok((await height()) > low + 30);
    await chat.input.fill('a\n'.repeat(200));
    assert.ok((await height()) < 300);
  });

  it('stops by the button and by Escape, and asks by the way, while an answer streams', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'Because') }));
    await chat.button('Stop').click();
    assert.deepEqual(await chat.expect('stopAnswer'), { type: 'stopAnswer', branch: 'main' });
    await chat.input.fill('and how?');
    await chat.page.getByText('Ctrl+Enter asks by the way').waitFor();
    await chat.page.keyboard.press('Control+Enter');
    assert.deepEqual(await chat.expect('askSideQuestion'), { type: 'askSideQuestion', text: 'and how?' });
    await chat.page.keyboard.press('Escape');
    assert.equal((await chat.sent()).filter(({ type }) => type === 'stopAnswer').length, 2);
  });

  it('leaves a side question by Escape without stopping the answer that goes on', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'Because') }));
    await chat.tell({ type: 'composerFocused', sideQuestion: true });
    await chat.page.locator('.composer.aside-mode').waitFor();
    await chat.page.keyboard.press('Escape');
    await chat.frame();
    assert.deepEqual(await chat.sent(), [{ type: 'ready' }]);
    await chat.page.keyboard.press('Escape');
    assert.deepEqual(await chat.expect('stopAnswer'), { type: 'stopAnswer', branch: 'main' });
  });

  it('goes on in the input after a click on Send', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.input.fill('why?');
    await chat.button('Send').click();
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a') }));
    await chat.page.keyboard.type(' and ');
    assert.equal(await chat.input.inputValue(), ' and ');
    assert.deepEqual(await chat.sent(), [{ type: 'ready' }, { type: 'sendMessage', text: 'why?' }]);
  });

  it('can be read but not written to when another window writes', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { isReadOnly: true }));
    assert.ok(await chat.input.isDisabled());
    await chat.messages.last().hover();
    assert.ok(await chat.messages.last().getByRole('button', { name: 'Rewind to here' }).isDisabled());
    assert.ok(await chat.messages.last().getByRole('button', { name: 'Copy' }).isEnabled());
  });

  it('tells the host which message its menu is for', async () => {
    const chat = use();
    const id = 'strange "id" <&\'>';
    await chat.show(conversation([question('q', 'why?'), answer(id, 'so')]));
    const context = await chat.messages.last().getAttribute('data-vscode-context');
    assert.deepEqual(JSON.parse(context ?? ''), {
      webviewSection: 'message',
      messageId: id,
      role: 'assistant',
      hasVersions: false,
      isKept: false,
      preventDefaultContextMenuItems: true,
    });
  });

  it('does with a message what its buttons say', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?'), answer('a', 'so', { checkpoints: ['here'] })]));
    const last = chat.messages.last();
    await last.hover();
    for (const name of [
      ...['Rewind to here', 'Create checkpoint here', 'Regenerate on a new branch'],
      ...['Regenerate with another model or temperature', 'Copy'],
    ]) {
      await last.getByRole('button', { name, exact: true }).click();
    }
    assert.deepEqual((await chat.sent()).slice(1), [
      { type: 'runCommandHere', command: 'rewindToHere', messageId: 'a' },
      { type: 'runCommandHere', command: 'createCheckpointHere', messageId: 'a' },
      { type: 'runCommandHere', command: 'regenerate', messageId: 'a' },
      { type: 'runCommandHere', command: 'regenerateWith', messageId: 'a' },
      { type: 'runCommandHere', command: 'copyMessage', messageId: 'a' },
    ]);
    assert.equal(await last.locator('.chip').innerText(), 'here');
  });

  it('copies and inserts code, also of a list', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', '1. so:\n\n   ```sh\n   ls -l\n   ```')]));
    await chat.button('Copy code').click();
    await chat.button('Insert at cursor').click();
    assert.deepEqual((await chat.sent()).slice(1), [
      { type: 'copyText', text: 'ls -l' },
      { type: 'insertText', text: 'ls -l' },
    ]);
  });

  it('shows side questions next to the conversation, each with its answer', async () => {
    const chat = use();
    const sideQuestions = [
      { branch: 'main-v2', question: 'what time is it?', answer: answer('s', 'It is *late*.') },
      { branch: 'main-v3', question: 'and there?', answer: streaming('r', 'An') },
    ];
    await chat.show(conversation(turns(2), { sideQuestions }));
    await chat.delta('r', ' hour later', 2);
    const [first, second] = [chat.page.locator('.aside').nth(0), chat.page.locator('.aside').nth(1)];
    await second.getByText('An hour later').waitFor();
    await second.getByRole('button', { name: 'Stop this answer' }).click();
    await first.getByRole('button', { name: /what time is it/ }).click();
    await first.getByText('late').waitFor();
    await first.getByRole('button', { name: 'Continue in Chat' }).click();
    await first.getByRole('button', { name: /^Close/ }).click();
    assert.deepEqual((await chat.sent()).slice(1), [
      { type: 'stopAnswer', branch: 'main-v3' },
      { type: 'switchBranch', branch: 'main-v2' },
      { type: 'dismissSideQuestion', branch: 'main-v2' },
    ]);
  });

  it('shows what failed until it is dismissed', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.tell({ type: 'actionFailed', text: 'There is no branch main-v9 any more.' });
    const alert = chat.page.getByRole('alert');
    await alert.getByText('There is no branch main-v9 any more.').waitFor();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('fills the input with an example of the welcome', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.page.locator('.example').first().click();
    await until(async () => (await chat.input.inputValue()) !== '', 'the example in the input');
    assert.deepEqual(await chat.sent(), [{ type: 'ready' }]);
  });

  it('offers the task of the agent first where the demo answers, and not where a model does', async () => {
    const chat = use();
    const task = chat.page.locator('.example', { hasText: 'Show me the agent at work' });
    await chat.show(conversation());
    await chat.page.locator('.example').first().filter({ hasText: 'Show me the agent at work' }).waitFor();
    await chat.show(conversation([], { model: { id: 'x', label: 'Reader', isDemo: false } }));
    await task.waitFor({ state: 'detached' });
    assert.equal(await chat.page.locator('.example').count(), 3);
  });

  it('speaks the language of the host', async () => {
    const chat = use();
    await chat.tell({
      type: 'localised',
      texts: { Send: 'Senden', 'Stopped. Partial response saved.': 'Angehalten.' },
      locale: 'de',
    });
    await chat.show(conversation());
    await chat.button('Senden').waitFor();
    await chat.show(conversation([answer('a', 'x', { status: 'interrupted' })]));
    await chat.page.getByText('Angehalten.').waitFor();
  });

  it('says that a part of a stopped answer was saved only where one had come', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'Now?'), answer('a', '', { status: 'interrupted' })]));
    const status = chat.page.locator('.status.interrupted .status-text');
    assert.match(await status.innerText(), /^Stopped\.\s+Try Again$/);
    const said = await status.locator('> span').boundingBox();
    const again = await status.getByRole('button').boundingBox();
    assert.ok(said && again && again.y < said.y + said.height, 'both stand on one line');
    await chat.show(conversation([question('q', 'Now?'), answer('b', 'It', { status: 'interrupted' })]));
    await chat.page.getByText('It', { exact: true }).waitFor();
    assert.match(await status.innerText(), /^Stopped\. Partial response saved\.\s+Try Again$/);
  });

  it('says nothing in English where it speaks Chinese', async () => {
    const chat = use();
    await chat.tell({ type: 'localised', texts: chinese, locale: 'zh-cn' });
    // Names stay as they are: of keys, of the branch, of the model, of the chat.
    const names = new Set('Ctrl Enter Alt HTTP main Offline demo Closures and other things'.split(' '));
    const english = async (): Promise<string[]> => {
      const shown = await chat.page.evaluate<string>(`[
        document.body.innerText,
        ...Array.from(document.querySelectorAll('*'), (element) =>
          ['title', 'aria-label', 'placeholder'].map((name) => element.getAttribute(name)).join(' ')),
      ].join(' ')`);
      return [...new Set(shown.match(/[A-Za-z]{3,}/g))].filter((word) => !names.has(word));
    };
    // What the host has translated.
    const mode = { id: 'agent', label: '智能体', description: '读取和更改文件' } as const;
    await chat.show(conversation([], { mode }));
    await chat.page.getByPlaceholder('想问什么都可以').waitFor();
    assert.deepEqual(await english(), []);
    const stopped = [question('q', '你好'), answer('a', '您好', { status: 'interrupted' })];
    await chat.show(conversation(stopped, { mode }));
    await chat.page.getByText('已停止。已保存部分回答。').waitFor();
    assert.deepEqual(await english(), []);
  });

  it('changes nothing for a message that does not follow the protocol and is no view', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    const before = await chat.page.locator('main').innerHTML();
    const malformed = [
      { type: 'answerDelta', messageId: 'm1', offset: -1 },
      { type: 'eval', code: 'document.body.remove()' },
      { nothing: true },
    ];
    for (const message of malformed) await chat.tell(message);
    await chat.frame();
    assert.equal(await chat.page.locator('main').innerHTML(), before);
    assert.equal((await chat.takeFaults()).length, 2, 'what has a type is told to the developer tools');
  });
});
