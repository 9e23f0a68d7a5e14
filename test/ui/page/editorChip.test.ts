import assert from 'node:assert/strict';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the chip of the last text editor', () => {
  const use = useChat();
  const lines = { name: 'src/greet.ts', startLine: 10, endLine: 24 } as const;

  it('shows the selection that goes with the question, and a click leaves it out', async () => {
    const chat = use();
    await chat.show(conversation());
    const chip = chat.page.locator('.editor-chip');
    assert.equal(await chip.count(), 0);
    await chat.tell({ type: 'editorChanged', editor: { ...lines, isOn: true } });
    await chip.waitFor();
    assert.match(await chip.innerText(), /greet\.ts\s*:10–24/u);
    assert.equal(await chip.getAttribute('aria-pressed'), 'true');
    assert.equal(await chat.button('Send').isDisabled(), true, 'it is no question of its own');
    await chat.input.fill('What is this?');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.expect('sendMessage'), {
      type: 'sendMessage',
      text: 'What is this?',
      editor: lines,
    });
    await chip.click();
    assert.deepEqual(await chat.expect('toggleEditor'), { type: 'toggleEditor', editor: lines });
    await chat.tell({ type: 'editorChanged', editor: { ...lines, isOn: false } });
    await chat.page.locator('.editor-chip[aria-pressed="false"]').waitFor();
    await chat.input.fill('And now?');
    await chat.page.keyboard.press('Enter');
    const sent = (await chat.sent()).flatMap((each) => (each.type === 'sendMessage' ? [each] : []));
    assert.deepEqual(
      sent.map(({ text, editor }) => [text, editor]),
      [
        ['What is this?', lines],
        ['And now?', undefined],
      ],
    );
  });

  it('suggests a file, is included with a side question as well, and goes with its editor', async () => {
    const chat = use();
    await chat.show(conversation());
    await chat.tell({ type: 'editorChanged', editor: { name: 'a\u202Eb.env', isOn: false, isSecret: true } });
    const chip = chat.page.locator('.editor-chip');
    await chip.waitFor();
    assert.match(await chip.innerText(), /a‹U\+202E›b\.env/u);
    assert.match((await chip.getAttribute('title')) ?? '', /only when you add it/u);
    await chat.tell({ type: 'editorChanged' });
    await chip.waitFor({ state: 'detached' });
    await chat.show(conversation(turns(1)));
    await chat.tell({ type: 'editorChanged', editor: { ...lines, isOn: true } });
    await chat.input.fill('By the way?');
    await chat.page.keyboard.press('Control+Enter');
    assert.deepEqual((await chat.expect('askSideQuestion')).editor, lines);
    await chat.show(conversation([], { isReadOnly: true }));
    await chip.waitFor({ state: 'detached' });
  });
});

describe('a PDF that goes with a question', () => {
  const use = useChat();
  const hash = 'b'.repeat(64);
  const paper = { type: 'pdf', hash, name: 'paper.pdf', size: 4_000_000, pages: 120 } as const;
  const model = { id: 'x', label: 'Reader', isDemo: false };

  it('is pasted or dropped, kept by the host, and sent', async () => {
    const chat = use();
    await chat.show(conversation([], { model: { ...model, pdfs: { maxBytes: 10_000_000 } } }));
    await chat.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['%PDF-1.7'], 'paper.pdf', { type: 'application/pdf' }));
      document.querySelector('.scroller, .composer').dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    assert.equal(atob((await chat.expect('addPdf')).data), '%PDF-1.7');
    await chat.reply('addPdf', { attachment: paper });
    const tray = chat.page.locator('.tray-item');
    await tray.waitFor();
    assert.equal(await chat.page.locator('.composer-hint.warning').count(), 0);
    await chat.button('Send').click();
    assert.deepEqual((await chat.expect('sendMessage')).attachments, [paper]);
  });

  it('is told of before where the model reads none of it, or not so much', async () => {
    const chat = use();
    await chat.show(conversation([], { model }));
    await chat.tell({ type: 'attached', attachments: [paper] });
    await chat.page.getByText('Reader doesn’t read PDFs').waitFor();
    await chat.show(conversation([], { model: { ...model, pdfs: { maxBytes: 10_000_000, maxPages: 100 } } }));
    await chat.page.getByText('Reader reads at most 100 pages at once').waitFor();
    await chat.show(conversation([], { model: { ...model, pdfs: { maxBytes: 4_000_000 } } }));
    await chat.page.getByText('Reader takes at most 3 MB of PDFs at once').waitFor();
  });

  it('is fetched by the host where it is a file of the workspace', async () => {
    const chat = use();
    await chat.show(conversation([], { model }));
    await chat.input.pressSequentially('read @pap');
    await chat.reply('proposeFiles', { paths: ['docs/paper.pdf'] }, ({ query }) => query === 'pap');
    await chat.page.getByRole('option').first().click();
    assert.deepEqual(await chat.expect('attachFile'), { type: 'attachFile', path: 'docs/paper.pdf' });
    assert.equal(await chat.input.inputValue(), 'read ');
  });
});
